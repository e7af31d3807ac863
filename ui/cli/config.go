package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/context/tokens"
	"ibid/ui"
	"ibid/vault"
)

// Config is the configuration file. Every key may be absent; flags and the
// environment win over it. It never holds a key of a provider.
type Config struct {
	Vault    string `toml:"vault"`     // folder of notes; a leading ~ is the home folder
	Model    string `toml:"model"`     // as the provider spells it
	BaseURL  string `toml:"base_url"`  // of an OpenAI-compatible server
	Provider string `toml:"provider"`  // a name from `ibid doctor`, instead of a base URL
	Offline  bool   `toml:"offline"`   // answer without a model
	Discover *bool  `toml:"discover"`  // look for model servers on this machine, on by default
	Chain    string `toml:"chain"`     // what a turn sends: chat, vault, plus, agent or project
	Active   string `toml:"active"`    // off, follow (the default), or a note
	System   string `toml:"system"`    // the person's own system prompt
	Memory   string `toml:"memory"`    // note with what the model should always know
	Project  string `toml:"project"`   // folder whose note of the same name carries instructions
	Prompts  string `toml:"prompts"`   // folder of saved prompts, inside the vault
	SelfNote *bool  `toml:"self_note"` // let the model leave notes to itself, on by default

	Chats  ChatsConfig  `toml:"chats"` // or the folder alone
	Cache  CacheConfig  `toml:"cache"`
	Window WindowConfig `toml:"window"`
	Files  FilesConfig  `toml:"files"`
	Tools  ToolsConfig  `toml:"tools"`
	Screen ScreenConfig `toml:"screen"`

	Providers map[string]ProviderConfig `toml:"providers"` // by name
}

// WebConfig says what of the web a model may look up. Without it there is nothing.
type WebConfig struct {
	Search string `toml:"search"` // address of a SearXNG server, for webSearch
	Fetch  bool   `toml:"fetch"`  // fetchUrl, for pages on public hosts
}

// ChatsConfig says where chats are kept and how they get their titles.
type ChatsConfig struct {
	Folder     string `toml:"folder"`      // inside the vault
	Titles     *bool  `toml:"titles"`      // ask the model for titles; hosted models are asked unless it says no, local ones if it says yes
	TitleModel string `toml:"title_model"` // the model that is asked; "" asks the one that answers

	// SaveThinking saves replies with what the model thought before them, as Copilot
	// saves it; off by default. It is never sent back.
	SaveThinking bool `toml:"save_thinking"`
}

// CacheConfig says how the prompt is laid out for a provider's prefix cache.
type CacheConfig struct {
	Layout   string   `toml:"layout"`   // auto, strict or append
	Lifetime duration `toml:"lifetime"` // idle time after which the cache is cold; 0 takes the provider's
	Marks    *bool    `toml:"marks"`    // send cache marks and the conversation's key: where they are known to be understood, unless it says

	// What the table knows of the provider's cache, if it is wrong; 0 and "" keep it.
	Kind  string  `toml:"kind"`  // steps, boundaries, blocks, requests, slot or none
	Min   int     `toml:"min"`   // tokens below which nothing is cached
	Step  int     `toml:"step"`  // matches are rounded down to a multiple
	Read  float64 `toml:"read"`  // price of a cached token, in uncached ones
	Write float64 `toml:"write"` // price of a token that is not cached yet
}

// WindowConfig overrides what is known about the model's window, in tokens.
type WindowConfig struct {
	Tokens  int `toml:"tokens"`
	Reserve int `toml:"reserve"`

	// AskAbove is how many new tokens a turn may read before enter asks, and line
	// mode warns; 0 is 50,000 or half the window, whichever is less.
	AskAbove int `toml:"ask_above"`
}

// budget is the tokens that a prompt for a model may have in a window of so many.
func (c WindowConfig) budget(model string, window int) int {
	f := tokens.Lookup(model)
	if f.Window = window; c.Reserve > 0 {
		return window - min(c.Reserve, window/2) - window/20
	}
	return tokens.Budget(f)
}

// FilesConfig says which notes there are.
type FilesConfig struct {
	FollowLinks  bool     `toml:"follow_links"`  // read folders that are linked from outside the vault
	Ignore       []string `toml:"ignore"`        // beginnings of paths, /regular expressions/, #tags
	MaxNote      int64    `toml:"max_note"`      // bytes above which a note is not read
	RemoteImages bool     `toml:"remote_images"` // hand the addresses of images on the web to the model
	KeepWrites   *int     `toml:"keep_writes"`   // days for which a note is kept as it was before a change; 30, and 0 keeps nothing
}

// keepWrites is for how many days notes are kept as they were before a change.
func (f *FilesConfig) keepWrites() int {
	if f.KeepWrites == nil {
		return 30
	}
	return *f.KeepWrites
}

// ScreenConfig is how the screen looks.
type ScreenConfig struct {
	Themes map[string]ThemeConfig `toml:"themes"` // by name

	Theme string `toml:"theme"` // auto, dark, light, or the name of a palette, with dark or light behind it
	ASCII bool   `toml:"ascii"` // draw with ASCII only
	Mouse *bool  `toml:"mouse"` // on by default
	Links *bool  `toml:"links"` // hyperlinks for the terminal, on by default

	Suggestions *bool `toml:"suggestions"` // of notes for the next turn, on by default; without them what was used together is not kept

	Notify ui.Notify `toml:"notify"` // how the end of a long reply is told: osc9, osc777, bell or off
}

// duration reads "10m" and the like.
type duration time.Duration

// UnmarshalText reads a duration as Go writes it.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it like \"10m\" or \"1h30m\"", text)
	}
	*d = duration(v)
	return nil
}

// ReadConfig reads the file. One that is not there is an empty configuration. A
// key that ibid does not know, or a value of the wrong type, is an error that
// names its line.
func ReadConfig(path string) (Config, error) {
	var c Config
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read the configuration: %w", err)
	}
	return parseConfig(path, data)
}

// parseConfig reads what a configuration file holds.
func parseConfig(path string, data []byte) (c Config, err error) {
	var file struct {
		Config
		Chats toml.Primitive `toml:"chats"`
	}
	meta, err := toml.Decode(string(data), &file)
	if c = file.Config; err == nil && meta.IsDefined("chats") {
		if meta.Type("chats") == "Hash" {
			err = meta.PrimitiveDecode(file.Chats, &c.Chats)
		} else {
			err = meta.PrimitiveDecode(file.Chats, &c.Chats.Folder)
		}
	}
	if err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return c, fmt.Errorf("%s, line %d: %s", path, parse.Position.Line, parse.Message)
		}
		return c, fmt.Errorf("%s, %s", path, misfit(err.Error()))
	}
	unknown := slices.DeleteFunc(meta.Undecoded(), func(key toml.Key) bool { // what is in extra is for the server
		return len(key) > 3 && key[0] == "providers" && key[2] == "extra"
	})
	if len(unknown) > 0 {
		key := unknown[0]
		return c, fmt.Errorf("%s, line %d: unknown key %q%s", path, lineOfKey(string(data), key), key.String(), knownNear(key))
	}
	return c, c.check(path, string(data))
}

// with puts what the environment names in place of what the file says.
func (c Config) with(getenv func(string) string) Config {
	c.Vault, c.Model = cmp.Or(getenv("IBID_VAULT"), c.Vault), cmp.Or(getenv("IBID_MODEL"), c.Model)
	return c
}

// typeError is how the decoder says that a value has the wrong type.
const typeError = `^toml: (line \d+) \(last key "([^"]+)"\): incompatible types: TOML value has type (\S+); destination has type (\S+)$`

// misfit words what the decoder says for a person.
func misfit(said string) string {
	m := regexp.MustCompile(typeError).FindStringSubmatch(said)
	if m == nil {
		return strings.TrimPrefix(said, "toml: ")
	}
	return fmt.Sprintf("%s: %s is %s; it must be %s", m[1], m[2], typeName(m[3]), typeName(m[4]))
}

func typeName(kind string) string {
	switch strings.TrimPrefix(kind, "*") {
	case "int64", "int", "integer", "float64", "float":
		return "a number"
	case "string":
		return "a text in quotes"
	case "bool", "boolean":
		return "true or false"
	case "slice", "array":
		return "a list"
	case "map", "struct", "table":
		return "a table"
	}
	return "a " + kind
}

// check refuses values that cannot mean anything.
func (c *Config) check(path, text string) error {
	bad := func(key toml.Key, value, want string) error {
		return fmt.Errorf("%s, line %d: %s is %q; it can be %s", path, lineOfKey(text, key), key.String(), value, want)
	}
	switch c.Cache.Layout {
	case "", "auto", "strict", "append":
	default:
		return bad(toml.Key{"cache", "layout"}, c.Cache.Layout, "auto, strict or append")
	}
	if c.Chain != "" && chains.ChainNamed(c.Chain) == nil {
		return bad(toml.Key{"chain"}, c.Chain, oneOf(chainNames()))
	}
	if p, err := vault.ParsePath(c.Prompts); err != nil || strings.HasPrefix(string(p), ".") {
		return bad(toml.Key{"prompts"}, c.Prompts, "a folder inside the vault")
	}
	for _, check := range []func(path, text string) error{c.Tools.check, c.checkProviders} {
		if err := check(path, text); err != nil {
			return err
		}
	}
	switch tokens.Match(c.Cache.Kind) {
	case "", tokens.MatchSteps, tokens.MatchBoundaries, tokens.MatchBlocks, tokens.MatchRequests, tokens.MatchSlot, tokens.MatchNone:
	default:
		return bad(toml.Key{"cache", "kind"}, c.Cache.Kind, "steps, boundaries, blocks, requests, slot or none")
	}
	if c.Cache.Min < 0 || c.Cache.Step < 0 || c.Cache.Read < 0 || c.Cache.Write < 0 {
		return fmt.Errorf("%s: cache.min, cache.step, cache.read and cache.write cannot be negative", path)
	}
	if err := c.checkThemes(path, text); err != nil {
		return err
	}
	switch c.Screen.Notify {
	case "", ui.NotifyOSC9, ui.NotifyOSC777, ui.NotifyBell, ui.NotifyOff:
	default:
		return bad(toml.Key{"screen", "notify"}, string(c.Screen.Notify), "osc9, osc777, bell or off")
	}
	if c.Tools.Web.Search != "" {
		if err := tool.CheckSearch(c.Tools.Web.Search); err != nil {
			return fmt.Errorf("%s, line %d: tools.web.search: %w", path, lineOfKey(text, toml.Key{"tools", "web", "search"}), err)
		}
	}
	if c.Window.Tokens < 0 || c.Window.Reserve < 0 || c.Window.AskAbove < 0 || c.Files.MaxNote < 0 || c.Files.keepWrites() < 0 {
		return fmt.Errorf("%s: window.tokens, window.reserve, window.ask_above, files.max_note and files.keep_writes cannot be negative", path)
	}
	return nil
}

// lineOfKey finds the 1-based line on which a key stands, else the table that it is
// in, going by the table headers above it; 1 if neither can be found.
func lineOfKey(text string, key toml.Key) int {
	table := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table, _, _ = strings.Cut(line, "#")
			if table = keyWritten(strings.Trim(table, "[] \t")); table == key.String() {
				return i + 1
			}
			continue
		}
		left, _, ok := strings.Cut(line, "=")
		if ok && strings.TrimPrefix(table+"."+keyWritten(left), ".") == key.String() {
			return i + 1
		}
	}
	if len(key) > 1 {
		return lineOfKey(text, key[:len(key)-1])
	}
	return 1
}

// keyWritten is a key as toml.Key writes it, whose parts are quoted only if they
// have to be.
func keyWritten(text string) string {
	quote, key := rune(0), toml.Key{}
	parts := strings.FieldsFunc(text, func(r rune) bool {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
		return quote == 0 && r == '.'
	})
	for _, part := range parts {
		key = append(key, strings.Trim(strings.TrimSpace(part), `"'`))
	}
	return key.String()
}

// knownNear suggests the key that was probably meant.
func knownNear(key toml.Key) string {
	known := []string{
		"vault", "chats", "chats.folder", "chats.titles", "chats.title_model", "chats.save_thinking", "model", "base_url", "provider", "offline", "discover", "chain", "active", "system", "memory", "project", "prompts", "self_note",
		"cache.layout", "cache.lifetime", "cache.marks", "cache.kind", "cache.min", "cache.step", "cache.read", "cache.write", "window.tokens", "window.reserve", "window.ask_above", "files.follow_links", "files.ignore", "files.max_note", "files.remote_images", "files.keep_writes",
		"screen.theme", "screen.ascii", "screen.mouse", "screen.links", "screen.suggestions",
		"tools.read", "tools.set", "tools.off", "tools.rounds", "tools.calls", "tools.batch", "tools.time", "tools.tool", "tools.result", "tools.tokens",
		"tools.web.search", "tools.web.fetch",
	}
	if len(key) > 2 && key[0] == "providers" {
		for _, k := range []string{"kind", "base_url", "key_env", "key_command", "model", "headers", "extra", "temperature", "max_tokens", "effort", "first_text", "idle", "ca_file", "api_version", "marks", "prices", "window", "prices.input", "prices.cached", "prices.written", "prices.output"} {
			known = append(known, toml.Key{"providers", key[1]}.String()+"."+k)
		}
	}
	name := strings.ReplaceAll(strings.ToLower(key.String()), "-", "_")
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra knows which of its commands a word may have meant
	for _, k := range known {
		if strings.HasSuffix(k, "."+name) {
			return fmt.Sprintf("; did you mean %q?", k)
		}
		names.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	if near := names.SuggestionsFor(name); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	if strings.Contains(name, "key") && strings.HasPrefix(name, "providers.") {
		return "; keys are not kept in this file: name a variable in key_env or a command in key_command"
	}
	if strings.Contains(name, "key") {
		return "; keys of providers are not read from this file: set the environment variable, such as OPENAI_API_KEY"
	}
	return ""
}

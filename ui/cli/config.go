package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/ui/term"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// Config is the configuration file. Every key may be absent; flags and the
// environment win over it. It never holds a key of a provider. Beside its name each
// key has what it means, what it can be, what counts without it, and the flag and the
// variable that win over it: see [setting].
type Config struct {
	Vault    string `toml:"vault" flag:"vault" env:"IBID_VAULT" help:"folder of notes that is opened outside of any vault; a leading ~ is the home folder"`
	Model    string `toml:"model" flag:"model" env:"IBID_MODEL" help:"the model, as the provider spells it" default:"the one that answered last"`
	BaseURL  string `toml:"base_url" flag:"base-url" env:"OPENAI_BASE_URL" help:"address of an OpenAI-compatible server"`
	Provider string `toml:"provider" flag:"provider" help:"name of a provider, instead of an address"`
	Offline  bool   `toml:"offline" flag:"offline" help:"answer without a model, by quoting notes"`
	Discover *bool  `toml:"discover" default:"true" help:"look for model servers on this machine"`
	Chain    string `toml:"chain" flag:"chain" default:"as suits the model" help:"what a turn of a new chat sends: /chain says what each means"`
	Active   string `toml:"active" flag:"active" default:"follow" help:"off, follow, or a note that counts as open"`
	System   string `toml:"system" help:"your own system prompt"`
	Memory   string `toml:"memory" help:"note with what the model should always know"`
	Project  string `toml:"project" flag:"project" help:"folder whose note of the same name holds instructions"`
	Prompts  string `toml:"prompts" help:"folder of saved prompts, inside the vault"`
	SelfNote *bool  `toml:"self_note" default:"true" help:"let the model leave notes to itself"`

	Chats  ChatsConfig    `toml:"chats"` // or the folder alone
	Cache  connect.Cache  `toml:"cache"`
	Window connect.Window `toml:"window"`
	Files  FilesConfig    `toml:"files"`
	Tools  ToolsConfig    `toml:"tools"`
	Screen ScreenConfig   `toml:"screen"`

	Keys map[string]keyList `toml:"keys" default:"the usual ones" help:"other keys of the screen, as in keys.retry: ibid keys names the actions"`

	Providers map[string]connect.Settings `toml:"providers"` // by name
}

// WebConfig says what of the web a model may look up. Without it there is nothing.
type WebConfig struct {
	Search string `toml:"search" help:"address of a SearXNG server, for the tool webSearch"`
	Fetch  bool   `toml:"fetch" help:"the tool fetchUrl, for pages on public hosts"`
}

// ChatsConfig says where chats are kept and how they get their titles.
type ChatsConfig struct {
	Folder     string `toml:"folder" flag:"chats" help:"folder of the saved chats, inside the vault" default:"Chats, or where the vault has chats"`
	Titles     *bool  `toml:"titles" help:"ask the model for titles of new chats" default:"true for hosted models"`
	TitleModel string `toml:"title_model" help:"the model that is asked for titles" default:"the one that answers"`

	SaveThinking bool `toml:"save_thinking" help:"save what a model thinks in front of its reply; it is never sent back"`
}

// FilesConfig says which notes there are.
type FilesConfig struct {
	FollowLinks  bool     `toml:"follow_links" help:"read folders that are linked in from outside the vault"`
	Ignore       []string `toml:"ignore" help:"notes that are left out: beginnings of paths, /regular expressions/, #tags" default:"none"`
	MaxNote      int64    `toml:"max_note" help:"bytes above which a note is not read" default:"4194304"`
	RemoteImages bool     `toml:"remote_images" help:"hand the addresses of images on the web to the model"`
	KeepWrites   *int     `toml:"keep_writes" default:"30" help:"days for which a note is kept as it was before a change; 0 keeps nothing"`
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

	Theme  string `toml:"theme" default:"auto" help:"the colours: auto, dark, light or a name, with dark or light behind it"`
	ASCII  bool   `toml:"ascii" help:"draw with ASCII only"`
	Mouse  *bool  `toml:"mouse" default:"true" help:"the mouse selects, clicks and scrolls"`
	Vim    bool   `toml:"vim" help:"edit the prompt with the keys of vi"`
	Inline *bool  `toml:"inline" default:"false" help:"print what is said to the scrollback of the terminal; in Zellij unless it is false"`
	Links  *bool  `toml:"links" default:"true" help:"hyperlinks for the terminal"`
	Motion *bool  `toml:"motion" default:"true" unless:"NO_MOTION" help:"signs turn and text runs in while a reply comes; false: a still sign with seconds, and text in larger steps"`
	Images *bool  `toml:"images" default:"true" help:"draw the images of the vault that replies embed"`

	Suggestions *bool `toml:"suggestions" default:"true" help:"suggest notes for the next turn; without it what was used together is not kept"`

	Notify term.Notify `toml:"notify" values:"osc9|osc777|bell|off" default:"osc9" help:"how the end of a long reply is told while another window is in front"`
}

// ReadConfig reads the file. One that is not there is an empty configuration. A
// key that ibid does not know, or a value of the wrong type, is an error that
// names its line.
func ReadConfig(path string) (Config, error) {
	var c Config
	data, err := ownfile.Read(path)
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
		return c, fmt.Errorf("%s, %s", path, typeMismatch(err.Error()))
	}
	unknown := slices.DeleteFunc(meta.Undecoded(), func(key toml.Key) bool { // what is in extra is for the server
		return len(key) > 3 && key[0] == "providers" && key[2] == "extra" || key.String() == batchKey.String()
	})
	if len(unknown) > 0 {
		key := unknown[0]
		return c, fmt.Errorf("%s, line %d: unknown key %q%s", path, lineOfKey(string(data), key), key.String(), knownNear(key))
	}
	return c, c.check(path, string(data))
}

// batchKey was the number of calls of one reply, and means nothing any more.
var batchKey = toml.Key{"tools", "batch"}

// with puts what the environment names in place of what the file says.
func (c Config) with(getenv func(string) string) Config {
	c.Vault, c.Model = cmp.Or(getenv("IBID_VAULT"), c.Vault), cmp.Or(getenv("IBID_MODEL"), c.Model)
	return c
}

// typeError is how the decoder says that a value has the wrong type.
const typeError = `^toml: (line \d+) \(last key "([^"]+)"\): incompatible types: TOML value has type (\S+); destination has type (\S+)$`

// typeMismatch words what the decoder says for people.
func typeMismatch(said string) string {
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

// check refuses values that cannot mean anything. What is wrong is told with its line in
// the text of the file.
func (c *Config) check(path, text string) error {
	wrong := func(key toml.Key, format string, args ...any) error {
		return fmt.Errorf("%s, line %d: %s%w", path, lineOfKey(text, key), key, fmt.Errorf(format, args...))
	}
	for _, s := range settingsOf(c) {
		if what := s.misuse(); what != "" {
			return wrong(s.key, " %s", what)
		}
	}
	if c.Chain != "" && chains.ChainNamed(c.Chain) == nil {
		return wrong(toml.Key{"chain"}, " is %q; it can be %s", c.Chain, oneOf(chainNames()))
	}
	if p, err := vault.ParsePath(c.Prompts); err != nil || strings.HasPrefix(string(p), ".") {
		return wrong(toml.Key{"prompts"}, " is %q; it can be a folder inside the vault", c.Prompts)
	}
	for _, check := range []func(wrong wrongKey) error{c.Tools.check, c.checkProviders, c.checkKeys, c.checkThemes} {
		if err := check(wrong); err != nil {
			return err
		}
	}
	return nil
}

// wrongKey is the error that says of a key what is wrong with it.
type wrongKey func(key toml.Key, format string, args ...any) error

// lineOfKey finds the 1-based line on which a key stands, else the table that it is in;
// 1 if neither can be found.
func lineOfKey(text string, key toml.Key) int {
	for _, s := range statementsOf(strings.Split(text, "\n")) {
		if s.key == key.String() {
			return s.line + 1
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
	var sample Config
	if len(key) > 2 && key[0] == "providers" {
		sample.Providers = map[string]connect.Settings{key[1]: {Prices: &connect.Prices{}}}
	}
	known := []string{"chats"}
	for _, s := range settingsOf(&sample) {
		known = append(known, s.key.String())
	}
	name := strings.ReplaceAll(strings.ToLower(key.String()), "-", "_")
	for _, k := range known {
		if strings.HasSuffix(k, "."+name) {
			return fmt.Sprintf("; did you mean %q?", k)
		}
	}
	if near := nearest(name, known); near != "" {
		return near
	}
	if strings.Contains(name, "key") && strings.HasPrefix(name, "providers.") {
		return "; keys are not kept in this file: name a variable in key_env or a command in key_command"
	}
	if strings.Contains(name, "key") {
		return "; keys of providers are not read from this file: set the environment variable, such as OPENAI_API_KEY"
	}
	return ""
}

// nearest asks whether one of the known names was meant, "" if none looks like it.
func nearest(name string, known []string) string {
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra knows which of its commands a word may have meant
	for _, k := range known {
		names.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	if near := names.SuggestionsFor(name); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return ""
}

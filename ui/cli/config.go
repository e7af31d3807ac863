package cli

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/chains/desk"
	"ibid/ui"
	"ibid/ui/cli/config"
	"ibid/ui/keys"
	"ibid/ui/term"
	"ibid/ui/theme/colors"
	"ibid/vault"
)

// Config is the configuration file. Every key may be absent; flags and the environment win over it. It never holds a
// key of a provider, so that people can share the file. The tags are those of package config.
type Config struct {
	Vault string `toml:"vault" flag:"vault" env:"IBID_VAULT" help:"folder of notes that is opened outside of any vault; a leading ~ is the home folder"`

	connect.Config

	Chain   string `toml:"chain" flag:"chain" default:"as suits the model" help:"what a turn of a new chat sends: /chain says what each means"`
	Active  string `toml:"active" flag:"active" default:"follow" help:"off, follow, or a note that counts as open"`
	System  string `toml:"system" flag:"system" help:"your own system prompt" words:"instructions persona custom role"`
	Memory  string `toml:"memory" help:"note with what the model should always know" words:"remember facts"`
	Project string `toml:"project" flag:"project" help:"folder whose note of the same name holds instructions"`
	Prompts string `toml:"prompts" help:"folder of saved prompts, inside the vault" words:"templates custom commands"`

	StdinWait *time.Duration `toml:"stdin_wait" default:"1m" help:"how long ibid ask waits for the first byte of a pipe, such as 5m; 0 is for ever" words:"pipe standard input timeout hang"`

	SelfNote bool `toml:"self_note" default:"true" help:"let the model leave notes to itself"`

	Chats  ChatsConfig  `toml:"chats"` // a text is the folder
	Search SearchConfig `toml:"search"`
	Files  FilesConfig  `toml:"files"`
	Tools  ToolsConfig  `toml:"tools"`
	Screen ScreenConfig `toml:"screen"`

	Keys map[string][]string `toml:"keys" default:"the usual ones" alone:"true" empty:"no keys" help:"other keys of the screen, as in keys.retry: ibid keys names the actions"`
}

// SearchConfig configures searches of the vault.
type SearchConfig struct {
	Widen bool `toml:"widen" default:"true" help:"ask the model for other words of the question before the chain vault searches" words:"synonyms phrasings expand query"`

	Vectors string `toml:"vectors" help:"PROVIDER/MODEL that makes vectors of notes, such as ollama/nomic-embed-text, so that searches find them by their meaning, too; see ibid help search" default:"off" words:"embeddings semantic meaning similarity"`
}

// ChatsConfig configures saved chats.
type ChatsConfig struct {
	Folder string `toml:"folder" flag:"chats" help:"folder of the saved chats, inside the vault" default:"Chats, or where the vault has chats" words:"save location directory history"`

	connect.Chats
}

// FilesConfig decides which files of the vault are read.
type FilesConfig struct {
	FollowLinks  bool     `toml:"follow_links" help:"read folders that are linked in from outside the vault"`
	Ignore       []string `toml:"ignore" help:"notes that are left out: beginnings of paths, /regular expressions of JavaScript/, #tags" default:"none" words:"exclude private hide skip"`
	MaxNote      int64    `toml:"max_note" help:"bytes above which a note is not read" default:"4194304" words:"size limit large"`
	RemoteImages bool     `toml:"remote_images" help:"hand the addresses of images on the web to the model"`
	KeepWrites   *int     `toml:"keep_writes" default:"30" help:"days for which a note is kept as it was before a change; 0 keeps nothing"`
}

// keepWrites returns the setting or its default, in days. The field is a pointer because 0 means that nothing is kept.
func (f *FilesConfig) keepWrites() int {
	if f.KeepWrites == nil {
		return 30
	}
	return *f.KeepWrites
}

// stdinWait returns the setting or its default; 0 means for ever. The field is a pointer because 0 is a value.
func (c *Config) stdinWait() time.Duration {
	if c.StdinWait == nil {
		return time.Minute
	}
	return *c.StdinWait
}

// ScreenConfig configures the screen.
type ScreenConfig struct {
	Themes map[string]colors.Palette `toml:"themes"` // by name

	Theme  string `toml:"theme" default:"auto" help:"the colours: auto, dark, light or a name, with dark or light behind it" words:"colors appearance look" now:"true"`
	ASCII  bool   `toml:"ascii" help:"draw with ASCII only" words:"unicode glyphs symbols emoji font icons borders" now:"true"`
	Mouse  bool   `toml:"mouse" default:"true" help:"the mouse selects, clicks and scrolls" words:"click" now:"true"`
	Vim    bool   `toml:"vim" help:"edit the prompt with the keys of vi" words:"vi mode keybindings modal" now:"true"`
	Inline *bool  `toml:"inline" default:"false" help:"print what is said to the scrollback of the terminal; in Zellij unless it is false" words:"scrollback alternate"`
	Links  bool   `toml:"links" default:"true" help:"hyperlinks for the terminal" words:"url" now:"true"`
	Motion bool   `toml:"motion" default:"true" unless:"NO_MOTION" help:"signs turn and text runs in while a reply comes; false: a still sign with seconds, and text in larger steps" words:"animation spinner reduced accessibility" now:"true"`
	Images bool   `toml:"images" default:"true" help:"draw the images of the vault that replies embed" words:"pictures" now:"true"`

	Suggestions bool `toml:"suggestions" default:"true" help:"suggest notes for the next turn; without it what was used together is not kept" now:"true"`

	Notify term.Notify `toml:"notify" values:"osc9|osc777|bell|off" default:"osc9" help:"how the end of a long reply is told while another window is in front" words:"notifications sound alert desktop" now:"true"`
}

// with applies the variables that win over the file.
func (c *Config) with(getenv func(string) string) *Config {
	c.Vault, c.Model = cmp.Or(getenv("IBID_VAULT"), c.Vault), cmp.Or(getenv("IBID_MODEL"), c.Model)
	return c
}

// palettes returns the built-in themes and those of the file.
func (c *ScreenConfig) palettes() []colors.Palette {
	all, _, _ := colors.With(c.Themes) // the configuration was checked
	return all
}

// check returns an error for values that the tags alone cannot reject.
func (c *Config) check(wrong config.ErrorMaker) error {
	if c.Chain != "" && chains.ChainNamed(c.Chain) == nil {
		return wrong(config.Key{"chain"}, " is %q; it can be %s", c.Chain, config.OneOf(chainNames()))
	}
	if p, err := vault.ParsePath(c.Prompts); err != nil || strings.HasPrefix(string(p), ".") {
		return wrong(config.Key{"prompts"}, " is %q; it can be a folder inside the vault", c.Prompts)
	}
	all, bad, err := colors.With(c.Screen.Themes)
	if err != nil {
		return wrong(config.Key{"screen", "themes", bad}, ": %w", err)
	}
	if _, _, err := colors.Find(all, c.Screen.Theme); err != nil {
		return wrong(config.Key{"screen", "theme"}, ": %w", err)
	}
	if provider, model, _ := strings.Cut(c.Search.Vectors, "/"); c.Search.Vectors != "" &&
		(provider == "" || model == "") {
		return wrong(config.Key{"search", "vectors"},
			" is %q; it can be PROVIDER/MODEL, such as ollama/nomic-embed-text", c.Search.Vectors)
	}
	return cmp.Or(c.Tools.check(wrong), c.checkProviders(wrong), c.checkKeys(wrong))
}

func (a *app) configPath() string {
	return a.path(cmp.Or(a.flags.Config, a.folder.config))
}

func (a *app) configFile() config.File[Config] {
	return config.File[Config]{Path: a.configPath(), Check: (*Config).check, Env: a.env.Getenv, Flag: a.flagged}
}

// settings reads the configuration for a command, and checks the shared flags. On error the configuration holds what
// could be read.
func (a *app) settings() (*Config, error) {
	file := a.configFile()
	if _, err := os.Stat(file.Path); err != nil && a.flags.Config != "" {
		return new(Config), usagef("--config: there is no file %s", file.Path)
	}
	c, _, err := file.Read()
	if err != nil {
		return &c, err
	}
	if a.flags.Bare && a.flags.Active != "" && a.flags.Active != desk.Off {
		return &c, usagef("--bare and --active exclude each other: --note attaches a note")
	}
	return c.with(a.env.Getenv), cmp.Or(
		checkFlag("layout", a.flags.Layout, "auto", "strict", "append"),
		checkFlag("chain", a.flags.Chain, chainNames()...),
	)
}

// chainNames returns the values of --chain.
func chainNames() (names []string) {
	for _, c := range chains.Chains() {
		names = append(names, c.Name())
	}
	return names
}

// chain returns the chain of new chats: the flag, else the setting, else the one that suits the model with these
// options.
func (c *Config) chain(flag string, o chains.Options) chains.Chain {
	if chain := chains.ChainNamed(cmp.Or(flag, c.Chain)); chain != nil {
		return chain
	}
	if c.Tools.Read == chains.ReadOff {
		return chains.Chat{}
	}
	return o.Chain
}

// checkKeys returns an error for actions and keys that do not exist, with a suggestion.
func (c *Config) checkKeys(wrong config.ErrorMaker) error {
	if len(c.Keys) == 0 {
		return nil // the usual keys cost a millisecond of each start
	}
	all, _, err := ui.ListKeys(c.Keys)
	var bad *keys.Error
	if !errors.As(err, &bad) {
		return err
	}
	near := ""
	if bad.Unknown {
		var names []string
		for _, k := range all {
			names = append(names, k.Action)
		}
		near = config.NearestName(bad.Action, names)
	}
	return wrong(config.Key{"keys", bad.Action}, ": %w%s", bad, near)
}

// checkProviders returns the error of the first wrong table in alphabetical order, so that it is the same each time.
func (c *Config) checkProviders(wrong config.ErrorMaker) error {
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		key, what := p.Misuse(name)
		if what == "" {
			continue
		}
		at := config.Key{"providers", name}
		if key != "" {
			at = append(at, strings.Split(key, ".")...)
		}
		return wrong(at, " %s", what)
	}
	return nil
}

package connect

import (
	"cmp"
	"maps"
	"net/url"
	"strings"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/chains/connect/keystore"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/context/tokens"
)

// Config is the configuration of all providers. Variables that win over the file are already applied.
type Config struct {
	Model    string `toml:"model" flag:"model" env:"IBID_MODEL" help:"the model, as the provider spells it" default:"the one that answered last"`
	BaseURL  string `toml:"base_url" flag:"base-url" env:"OPENAI_BASE_URL" help:"address of an OpenAI-compatible server"`
	Provider string `toml:"provider" flag:"provider" help:"name of a provider, instead of an address"`
	Offline  bool   `toml:"offline" flag:"offline" help:"answer without a model, by quoting notes" words:"private network"`
	Discover bool   `toml:"discover" default:"true" help:"look for model servers on this machine" words:"autodetect ollama local"`

	Cache     Cache               `toml:"cache"`
	Window    Window              `toml:"window"`
	Providers map[string]Settings `toml:"providers"` // by name

	Chats Chats `toml:"chats"`
	Widen bool  // ask models for other words of a question before a search
}

// Chats configures requests beside the turns of chats.
type Chats struct {
	Titles     *bool  `toml:"titles" help:"ask the model for titles of new chats" default:"true for hosted models" words:"automatic names"`
	TitleModel string `toml:"title_model" help:"the model that is asked for titles" default:"the one that answers"`

	SaveThinking bool `toml:"save_thinking" help:"save what a model thinks in front of its reply; it is never sent back"`
}

// Settings is the table [providers.NAME]. Absent settings come from the table of hosts and the settings for all
// providers.
type Settings struct {
	Kind       string            `toml:"kind" values:"openai|anthropic|ollama|azure" help:"what is spoken" default:"as the address is known for, else openai"`
	BaseURL    string            `toml:"base_url" help:"its address; needed unless the name or the kind has one"`
	KeyEnv     string            `toml:"key_env" help:"the variable that holds the key" default:"the provider's own"`
	KeyCommand string            `toml:"key_command" private:"true" help:"a command that prints the key; no shell reads it"`
	Model      string            `toml:"model" help:"when the provider is chosen without one"`
	Headers    map[string]string `toml:"headers" private:"true" help:"of every request"`
	Extra      map[string]any    `toml:"extra" private:"true" help:"fields that are put into the request body as they are"` // see Misuse

	Temperature *float64 `toml:"temperature" help:"how much replies vary" default:"the model's"`
	MaxTokens   int      `toml:"max_tokens" help:"tokens of a reply" default:"the model's"`
	Effort      string   `toml:"effort" values:"off|minimal|low|medium|high|xhigh|max" help:"how much the model thinks; what it lacks becomes the nearest below" default:"the model's"`
	Protocol    string   `toml:"protocol" values:"responses|chat" help:"which of OpenAI's protocols is spoken" default:"responses at OpenAI and Azure's v1 address, else chat; the other where the server wants it"`

	FirstText  time.Duration `toml:"first_text" default:"10m" help:"longest wait for the first text"`
	Idle       time.Duration `toml:"idle" default:"5m" help:"longest wait between two pieces of a reply"`
	CAFile     string        `toml:"ca_file" help:"certificates in PEM that are trusted beside those of the system"`
	CertFile   string        `toml:"cert_file" help:"certificate in PEM that is shown to the server"`
	KeyFile    string        `toml:"key_file" help:"the key in PEM that belongs to cert_file" default:"in cert_file too"`
	APIVersion string        `toml:"api_version" help:"of Azure"`

	Images *bool   `toml:"images" help:"its models take images" default:"as the server says or is known"`
	Marks  *bool   `toml:"marks" help:"cache marks" default:"where they are known to work"`
	Prices *Prices `toml:"prices"` // nil if unknown
	Window int     `toml:"window" help:"in tokens, in place of window.tokens" default:"what the server says or is known"`

	ExplicitCache bool `toml:"explicit_cache" help:"Gemini is to keep the instructions and the library of chats, which costs by the hour"`
}

// Prices are the prices of a provider, in dollars per million tokens.
type Prices struct {
	Input   float64  `toml:"input" help:"dollars a million tokens"`
	Cached  *float64 `toml:"cached" help:"of tokens that the cache held" default:"as input"`
	Written *float64 `toml:"written" help:"of tokens that are written to the cache" default:"as input"`
	Output  float64  `toml:"output" help:"of tokens of replies"`
	Stored  *float64 `toml:"stored" help:"of tokens that the explicit cache keeps for an hour" default:"Google's price"`
}

// body returns the extra fields of request bodies.
func (c *Settings) body() map[string]any {
	all := map[string]any{}
	maps.Copy(all, c.Extra)
	if c.Temperature != nil {
		all["temperature"] = *c.Temperature
	}
	return all
}

// Misuse returns what is wrong with a table, "" if nothing is, and the key that is wrong.
func (c *Settings) Misuse(name string) (key, what string) {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r == '/' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}):
		return "", "is no name of a provider: it stands before the / in NAME/MODEL"
	case c.BaseURL == "" && c.known(name).BaseURL == "":
		return "", "needs a base_url: no address is known of " + name
	}
	if c.BaseURL != "" {
		base, _ := wire.RepairURL(c.BaseURL)
		if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "base_url", "is no address, such as https://models.example.com/v1"
		}
	}
	if c.KeyCommand != "" {
		if _, err := keystore.Words(c.KeyCommand); err != nil {
			return "key_command", "cannot be run: " + err.Error()
		}
	}
	for _, field := range []string{"messages", "model", "stream", "system", "tools"} {
		if c.Extra[field] != nil {
			return "extra." + field, "cannot be set: each request has its own"
		}
	}
	return "", ""
}

// price converts the prices; nil is unknown.
func (c *Prices) price() chains.Price {
	if c == nil {
		return chains.Price{}
	}
	return chains.Price{
		Known: true, Input: c.Input, Cached: *cmp.Or(c.Cached, &c.Input),
		Written: *cmp.Or(c.Written, &c.Input), Output: c.Output,
	}
}

// known returns the row of the table of hosts for the name of a provider, else for its kind.
func (c *Settings) known(name string) wire.Provider {
	p, ok := wire.FindProvider(name)
	if !ok || protocolOf(c.Kind).deployments {
		p, _ = wire.FindProvider(c.Kind)
	}
	return p
}

// Cache configures the layout of prompts for prefix caches, and corrects the table of caches.
type Cache struct {
	Layout   string        `toml:"layout" flag:"layout" values:"auto|strict|append" default:"auto" help:"when notes move into the cached part of the prompt"`
	Lifetime time.Duration `toml:"lifetime" help:"idle time after which the cache is cold" default:"the provider's"`
	Marks    *bool         `toml:"marks" help:"send cache marks and the conversation's key" default:"where they are known to be understood"`

	Kind  string  `toml:"kind" values:"steps|boundaries|blocks|requests|slot|none" help:"how the cache matches" default:"as is known of the provider"`
	Min   int     `toml:"min" help:"tokens below which nothing is cached" default:"as is known"`
	Step  int     `toml:"step" help:"tokens of which a match is a multiple" default:"as is known"`
	Read  float64 `toml:"read" help:"price of a cached token, in uncached ones" default:"as is known"`
	Write float64 `toml:"write" help:"price of a token that is written to the cache, in uncached ones" default:"as is known"`
}

// Window configures the window of models, in tokens.
type Window struct {
	Tokens   int `toml:"tokens" help:"the window of the model, in tokens" default:"what the server says or is known" words:"context length size limit"`
	Reserve  int `toml:"reserve" help:"tokens kept free for the reply, at most half of the window" default:"as the model needs" words:"max output length"`
	AskAbove int `toml:"ask_above" help:"new tokens above which enter asks first" default:"50000, or half the window if that is less"`
}

// budget returns the tokens that a prompt may have in a window.
func (c Window) budget(model string, window int) int {
	f := tokens.Lookup("", model)
	if f.Window = window; c.Reserve > 0 {
		return window - min(c.Reserve, window/2) - window/20
	}
	return tokens.Budget(f)
}

// at returns the configuration for a provider: its own settings win, but cannot turn on marks that are off for all.
func (c Config) at(e *endpoint) Config {
	if c.Cache.marked() {
		c.Cache.Marks = cmp.Or(e.settings.Marks, c.Cache.Marks)
	}
	c.Window.Tokens = cmp.Or(e.settings.Window, c.Window.Tokens)
	return c
}

// marked reports whether cache marks are sent to servers that accept them.
func (c Cache) marked() bool { return c.Marks == nil || *c.Marks }

// of returns the cache of a model at a provider: the row of the table, corrected by the configuration. Unknown
// providers get marks only if the user asked for that, since they may reject them. local tells that the server is near.
func (c Cache) of(p wire.Provider, model string, local bool) tokens.Cache {
	f, name, row := tokens.Lookup(p.Name, model), p.Name, protocolOf(p.Name)
	switch {
	case row.marks:
	case local && !p.Local():
		name = "localhost"
	case p.Foreign:
		name = ""
	}
	k := f.On(name).Cache
	if !c.marked() {
		k.Marks = ""
	} else if c.Marks != nil && p.Foreign {
		k.Marks = f.Cache.Marks
	}
	if row.longWrite > 0 && c.Lifetime >= time.Hour {
		k.Write = row.longWrite
	}
	if k.Kind == prompt.CacheBlocks && k.Marks == "" { // this kind caches only at marks
		k = tokens.Cache{Cache: prompt.Cache{Kind: prompt.CacheNone, Read: 1, Write: 1}}
	}
	k.Kind, k.Min, k.Step = cmp.Or(prompt.CacheKind(c.Kind), k.Kind), cmp.Or(c.Min, k.Min), cmp.Or(c.Step, k.Step)
	k.Read, k.Write, k.Lifetime = cmp.Or(c.Read, k.Read), cmp.Or(c.Write, k.Write), cmp.Or(c.Lifetime, k.Lifetime)
	return k
}

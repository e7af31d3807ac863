package cli

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/ui/cli/keystore"
)

// ProviderConfig is one table [providers.NAME]. What is absent is as the table of
// hosts has it, and as for every provider.
type ProviderConfig struct {
	Kind       protocol          `toml:"kind" values:"openai|anthropic|ollama|azure" help:"what is spoken" default:"as the address is known for, else openai"`
	BaseURL    string            `toml:"base_url" help:"its address; needed unless the name or the kind has one"`
	KeyEnv     string            `toml:"key_env" help:"the variable that holds the key" default:"the provider's own"`
	KeyCommand string            `toml:"key_command" private:"true" help:"a command that prints the key; no shell reads it"`
	Model      string            `toml:"model" help:"when the provider is chosen without one"`
	Headers    map[string]string `toml:"headers" private:"true" help:"of every request"`
	Extra      map[string]any    `toml:"extra" private:"true" help:"fields that are put into the request body as they are"` // none of ownFields

	Temperature *float64 `toml:"temperature" help:"how much replies vary" default:"the model's"`
	MaxTokens   int      `toml:"max_tokens" help:"tokens of a reply" default:"the model's"`
	Effort      string   `toml:"effort" values:"off|minimal|low|medium|high|xhigh|max" help:"how much the model thinks; what it lacks becomes the nearest below" default:"the model's"`
	Protocol    string   `toml:"protocol" values:"responses|chat" help:"which of OpenAI's protocols is spoken" default:"responses at OpenAI and Azure's v1 address, else chat; the other where the server wants it"`

	FirstText  duration `toml:"first_text" default:"10m" help:"longest wait for the first text"`
	Idle       duration `toml:"idle" default:"5m" help:"longest wait between two pieces of a reply"`
	CAFile     string   `toml:"ca_file" help:"certificates in PEM that are trusted beside those of the system"`
	APIVersion string   `toml:"api_version" help:"of Azure"`

	Images *bool         `toml:"images" help:"its models take images" default:"as the server says or is known"`
	Marks  *bool         `toml:"marks" help:"cache marks" default:"where they are known to work"`
	Prices *PricesConfig `toml:"prices"` // nil is unknown
	Window int           `toml:"window" help:"in tokens, in place of window.tokens" default:"what the server says or is known"`

	ExplicitCache bool `toml:"explicit_cache" help:"Gemini is to keep the instructions and the library of chats, which costs by the hour"`
}

// PricesConfig is what a provider takes, in dollars a million tokens.
type PricesConfig struct {
	Input   float64  `toml:"input" help:"dollars a million tokens"`
	Cached  *float64 `toml:"cached" help:"of tokens that the cache held" default:"as input"`
	Written *float64 `toml:"written" help:"of tokens that are written to the cache" default:"as input"`
	Output  float64  `toml:"output" help:"of tokens of replies"`
	Stored  *float64 `toml:"stored" help:"of tokens that the explicit cache keeps for an hour" default:"Google's price"`
}

// body is the fields that are put into every request body.
func (c *ProviderConfig) body() map[string]any {
	if c.Temperature == nil {
		return c.Extra
	}
	all := maps.Clone(c.Extra)
	if all == nil {
		all = map[string]any{}
	}
	all["temperature"] = *c.Temperature
	return all
}

// checkProviders refuses tables that cannot mean anything. The first is named, by
// the alphabet.
func (c *Config) checkProviders(wrong wrongKey) error {
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		key, what := p.misuse(name)
		if what == "" {
			continue
		}
		at := toml.Key{"providers", name}
		if key != "" {
			at = append(at, strings.Split(key, ".")...)
		}
		return wrong(at, " %s", what)
	}
	return nil
}

// misuse is what is wrong with a table, and with which of its keys; "" is nothing.
func (c *ProviderConfig) misuse(name string) (key, what string) {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || unicode.IsSpace(r) || !unicode.IsPrint(r) }):
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
	if c.ExplicitCache && !c.isGemini(name) {
		return "explicit_cache", "is for Gemini's own chat completions, whose address ends in /openai"
	}
	for _, field := range ownFields() {
		if c.Extra[field] != nil {
			return "extra." + field, "cannot be set: each request has its own"
		}
	}
	for name, value := range c.Headers {
		if name == "" || strings.ContainsFunc(name+value, unicode.IsControl) || strings.ContainsAny(name, " :") {
			return "headers", fmt.Sprintf("cannot hold %q", name)
		}
	}
	return "", ""
}

// ownFields is the fields of a request that are its contents: extra cannot put
// something else in their place.
func ownFields() []string { return []string{"messages", "model", "stream", "system", "tools"} }

// price is what the user says that models of the provider cost.
func (c *PricesConfig) price() chains.Price {
	if c == nil {
		return chains.Price{}
	}
	p := chains.Price{Known: true, Input: c.Input, Cached: c.Input, Written: c.Input, Output: c.Output}
	if c.Cached != nil {
		p.Cached = *c.Cached
	}
	if c.Written != nil {
		p.Written = *c.Written
	}
	return p
}

// isGemini reports whether a table is of Gemini, beside whose chat completions there
// is its native API.
func (c *ProviderConfig) isGemini(name string) bool {
	base := cmp.Or(c.BaseURL, c.known(name).BaseURL)
	return (c.Kind == "" || c.Kind == speaksOpenAI) && strings.HasSuffix(strings.TrimRight(base, "/"), "/openai")
}

// known is what the table of hosts has for a provider by its name, else its kind.
func (c *ProviderConfig) known(name string) wire.Provider {
	p, ok := wire.FindProvider(name)
	if !ok || c.Kind == speaksAzure {
		p, _ = wire.FindProvider(string(c.Kind))
	}
	return p
}

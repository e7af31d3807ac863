package cli

import (
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
	Kind       protocol          `toml:"kind"`        // openai, anthropic, ollama or azure
	BaseURL    string            `toml:"base_url"`    // needed unless the name or the kind has one
	KeyEnv     string            `toml:"key_env"`     // the variable that holds the key
	KeyCommand string            `toml:"key_command"` // prints the key; no shell reads it
	Model      string            `toml:"model"`       // when the provider is chosen without one
	Headers    map[string]string `toml:"headers"`     // of every request
	Extra      map[string]any    `toml:"extra"`       // fields of the request body, as they are; none of ownFields

	Temperature *float64 `toml:"temperature"`
	MaxTokens   int      `toml:"max_tokens"` // of a reply
	Effort      string   `toml:"effort"`     // low, medium, high or off

	FirstText  duration `toml:"first_text"`  // longest wait for the first text
	Idle       duration `toml:"idle"`        // and between two pieces of a reply
	CAFile     string   `toml:"ca_file"`     // certificates of authorities, in PEM, beside those of the system
	APIVersion string   `toml:"api_version"` // of Azure

	Marks  *bool         `toml:"marks"`  // cache marks; default: where they are known to work
	Prices *PricesConfig `toml:"prices"` // nil is unknown
	Window int           `toml:"window"` // in tokens
}

// PricesConfig is what a provider takes, in dollars a million tokens.
type PricesConfig struct {
	Input   float64  `toml:"input"`
	Cached  *float64 `toml:"cached"`  // of tokens that the cache held; nil is Input
	Written *float64 `toml:"written"` // of tokens that are written to the cache; nil is Input
	Output  float64  `toml:"output"`
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
func (c *Config) checkProviders(path, text string) error {
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
		return fmt.Errorf("%s, line %d: %s %s", path, lineOfKey(text, at), at, what)
	}
	return nil
}

// misuse is what is wrong with a table, and with which of its keys; "" is nothing.
func (c *ProviderConfig) misuse(name string) (key, what string) {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return "", "is no name of a provider: it stands before the / in NAME/MODEL"
	case !slices.Contains([]protocol{"", speaksOpenAI, speaksAnthropic, speaksOllama, speaksAzure}, c.Kind):
		return "kind", fmt.Sprintf("is %q; it can be openai, anthropic, ollama or azure", c.Kind)
	case !slices.Contains([]string{"", "low", "medium", "high", "off"}, c.Effort):
		return "effort", fmt.Sprintf("is %q; it can be low, medium, high or off", c.Effort)
	case c.FirstText < 0:
		return "first_text", "cannot be negative"
	case c.Idle < 0:
		return "idle", "cannot be negative"
	case c.MaxTokens < 0:
		return "max_tokens", "cannot be negative"
	case c.Window < 0:
		return "window", "cannot be negative"
	case c.Temperature != nil && *c.Temperature < 0:
		return "temperature", "cannot be negative"
	case c.Prices.negative():
		return "prices", "cannot be negative"
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

func (c *PricesConfig) negative() bool {
	return c != nil && (c.Input < 0 || c.Output < 0 || c.Cached != nil && *c.Cached < 0 || c.Written != nil && *c.Written < 0)
}

// price is what the person says that models of the provider cost.
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

// known is what the table of hosts has for a provider by its name, else its kind.
func (c *ProviderConfig) known(name string) wire.Provider {
	p, ok := wire.FindProvider(name)
	if !ok || c.Kind == speaksAzure {
		p, _ = wire.FindProvider(string(c.Kind))
	}
	return p
}

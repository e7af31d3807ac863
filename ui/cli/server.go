package cli

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/offline"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/tokens"
)

// endpoint is where a model answers, and the key to it. Without an address it is
// the offline model.
type endpoint struct {
	provider wire.Provider
	base     string
	key      string // "" sends none
	speaks   protocol
	repaired string // what was wrong with the address as it was given, "" for nothing
}

// server connects to an endpoint: one line a protocol. count counts tokens; it
// may be nil where no model will answer.
func (a *app) server(c Config, e endpoint, count func(string) int) (s chains.Server, err error) {
	var recorder *wire.Recorder
	if a.flags.record != "" {
		if recorder, err = wire.NewRecorder(a.path(a.flags.record)); err != nil {
			return nil, err
		}
	}
	to := wire.Options{
		BaseURL: e.base, Key: e.key, KeySource: "env " + e.provider.KeyVar, Name: e.provider.Name, Version: a.env.Version, Recorder: recorder, Refusals: learned{a, e.base},
		Thinks: func(model string) bool { return tokens.Lookup(model).Reasoning },
	}
	marks := c.Cache.Marks == nil || *c.Cache.Marks
	switch {
	case e.base == "":
		return offline.New(offline.Options{Delay: a.readingPace(), Count: count, Recorder: recorder}), nil
	case e.speaks == speaksOllama:
		s, err = ollama.New(ollama.Options{
			Options: to, Model: cmp.Or(a.flags.model, c.Model), KeepAlive: time.Duration(c.Cache.Lifetime), Window: c.Window.Tokens, Budget: c.Window.budget,
			Count: func(_, text string) int { return count(text) },
		})
	case e.provider.Name == "anthropic":
		s, err = anthropic.New(anthropic.Options{
			Options: to, Model: cmp.Or(a.flags.model, c.Model), Marks: marks, Lifetime: time.Duration(c.Cache.Lifetime),
			MaxTokens: func(model string) int { // fits beside the longest prompt that is sent
				if f := tokens.Lookup(model); f.Known {
					return tokens.Reserve(f)
				}
				return 0
			},
		})
	default:
		s, err = openai.New(openai.Options{
			Options: to, Model: cmp.Or(a.flags.model, c.Model), SendCacheKey: marks,
			Marks: func(model string) openai.Marks { return openai.Marks(c.Cache.of(e.provider, model, false).Marks) },
		})
	}
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// of is the cache in front of a model at a provider: what the table knows, with
// what the configuration says otherwise. Marks go to a provider that nobody knows
// only if they were asked for. local says that the server is near.
func (c CacheConfig) of(p wire.Provider, model string, local bool) tokens.Cache {
	f, name := tokens.Lookup(model), p.Name
	switch {
	case local && !p.Local():
		name = "localhost"
	case p.Foreign:
		name = ""
	}
	k := f.On(name).Cache
	if c.Marks != nil && !*c.Marks {
		k.Marks = ""
	} else if c.Marks != nil && p.Foreign {
		k.Marks = f.Cache.Marks
	}
	if p.Name == "anthropic" && time.Duration(c.Lifetime) >= time.Hour { // the mark that lives for an hour
		k.Write = 2
	}
	if k.Kind == tokens.MatchBlocks && k.Marks == "" { // nothing is cached without a mark
		k = tokens.Cache{Kind: tokens.MatchNone, Read: 1, Write: 1}
	}
	return tokens.Cache{
		Kind: cmp.Or(tokens.Match(c.Kind), k.Kind), Min: cmp.Or(c.Min, k.Min), Step: cmp.Or(c.Step, k.Step), Marks: k.Marks,
		Read: cmp.Or(c.Read, k.Read), Write: cmp.Or(c.Write, k.Write), Lifetime: cmp.Or(time.Duration(c.Lifetime), k.Lifetime),
	}
}

// readingPace is the pause between the words of the offline model, where a
// person reads along.
func (a *app) readingPace() time.Duration {
	if terminal(a.env.Stdout) {
		return 12 * time.Millisecond
	}
	return 0
}

// endpoint is the server that somebody named: what the flags name, else the
// environment, else the configuration, else OpenAI if there is a key for it.
// named is false if nobody did.
func (a *app) endpoint(c Config) (e endpoint, named bool, err error) {
	base, name := a.flags.baseURL, a.flags.provider
	if a.flags.offline || c.Offline && base == "" && name == "" {
		return e, true, nil
	}
	if base == "" && name == "" {
		base = a.env.Getenv("OPENAI_BASE_URL")
	}
	if base == "" && name == "" {
		base, name = c.BaseURL, c.Provider
	}
	if name != "" {
		known, ok := wire.FindProvider(name)
		if !ok {
			return e, false, usagef("--provider: %q is not known; it can be %s, or give --base-url", name, strings.Join(providerNames(), ", "))
		}
		if base == "" && known.Name == string(speaksOllama) {
			base = ollamaAddress(a.env.Getenv)
		}
		if base == "" {
			base = known.BaseURL
		}
		if base == "" {
			return e, false, usagef("%s has no address of its own: give yours with --base-url, such as https://NAME.openai.azure.com", known.Name)
		}
	}
	if base == "" && a.key("OPENAI_API_KEY") != "" {
		base = "https://api.openai.com/v1"
	}
	if base == "" {
		return e, false, nil
	}
	e.base, e.repaired = wire.RepairURL(base)
	e.provider = wire.ProviderAt(name, e.base)
	if e.provider.KeyVar != "" {
		e.key = a.key(e.provider.KeyVar)
	}
	return e, true, nil
}

func providerNames() []string {
	var names []string
	for _, p := range wire.Providers() {
		names = append(names, p.Name)
	}
	return names
}

// key is the key in an environment variable, without the blanks and quotes that
// come along when it is copied.
func (a *app) key(variable string) string {
	return strings.TrimFunc(a.env.Getenv(variable), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’", r)
	})
}

// remarks is what there is to say about an endpoint.
func (e endpoint) remarks(a *app) (said []string) {
	for _, s := range []string{e.repaired, a.foreignKey(e)} {
		if s != "" {
			said = append(said, s)
		}
	}
	return said
}

// foreignKey says where a key goes that belongs to another host, once a host;
// "" if there is nothing to say.
func (a *app) foreignKey(e endpoint) string {
	u, err := url.Parse(e.base)
	if err != nil || e.key == "" || !e.provider.Foreign || a.kept("keys.json")[u.Host] == e.provider.KeyVar {
		return ""
	}
	a.keep("keys.json", u.Host, e.provider.KeyVar)
	return fmt.Sprintf("the key in %s goes to %s, the address that you named; this is said once", e.provider.KeyVar, u.Host)
}

package cli

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"net/http"
	"time"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/offline"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/tokens"
	"ibid/vault/ownfile"
)

// server connects to an endpoint: one line a protocol. count counts tokens; it
// may be nil where no model will answer.
func (a *app) server(c Config, e endpoint, count func(string) int) (s chains.Server, err error) {
	to, err := a.wire(e)
	if err != nil {
		return nil, err
	}
	c = c.at(e)
	to.Facts = func(model string) wire.Facts {
		f := tokens.Lookup(e.provider.Name, model)
		most := e.settings.MaxTokens
		if f.Known && most == 0 {
			most = tokens.Reserve(f) // fits beside the longest prompt that is sent
		}
		return wire.Facts{
			MaxOutput: most, Thinks: f.Reasoning, Efforts: f.Efforts, Responses: f.Responses, Adaptive: f.Thinking == tokens.ThinkAdaptive,
			Marks: c.Cache.of(e.provider, model, false).Marks,
		}
	}
	marks := c.Cache.Marks == nil || *c.Cache.Marks
	switch {
	case e.base == "":
		return offline.New(offline.Options{Delay: a.wordDelay(), Count: count, Recorder: to.Recorder}), nil
	case e.speaks == speaksOllama:
		s, err = ollama.New(ollama.Options{
			Options: to, Model: e.model, KeepAlive: time.Duration(c.Cache.Lifetime), Window: c.Window.Tokens, Budget: c.Window.budget,
			Count: func(_, text string) int { return count(text) },
		})
	case e.speaks == speaksAnthropic:
		s, err = anthropic.New(anthropic.Options{
			Options: to, Model: e.model, Marks: marks, Lifetime: time.Duration(c.Cache.Lifetime),
		})
	default:
		s, err = openai.New(openai.Options{
			Options: to, Model: e.model, SendCacheKey: marks, AzureVersion: e.settings.APIVersion, Keeper: e.keeper, Protocol: openai.Protocol(e.settings.Protocol),
		})
	}
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// wire is how an endpoint is spoken to, whatever the protocol.
func (a *app) wire(e endpoint) (to wire.Options, err error) {
	var recorder *wire.Recorder
	if a.flags.record != "" {
		if recorder, err = wire.NewRecorder(a.path(a.flags.record)); err != nil {
			return to, err
		}
	}
	to = wire.Options{
		BaseURL: e.base, Provider: e.provider, Key: e.key, KeySource: e.source, KeyError: e.trouble, Name: e.name, Version: a.env.Version, Recorder: recorder, Refusals: learned{a, e.base},
		Extra:    e.settings.body(),
		Timeouts: wire.Timeouts{FirstByte: time.Duration(e.settings.FirstText), Idle: time.Duration(e.settings.Idle)},
	}
	for name, value := range e.settings.Headers {
		if to.Headers == nil {
			to.Headers = http.Header{}
		}
		to.Headers.Set(name, value)
	}
	if file := e.settings.CAFile; file != "" {
		if to.Authorities, err = certPool(a.path(file)); err != nil {
			return to, usagef("ca_file of %s: %w", e.name, err)
		}
	}
	return to, nil
}

// certPool holds the certificates of the system and those of a file.
func certPool(file string) (*x509.CertPool, error) {
	data, err := ownfile.Read(file)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", file)
	}
	return pool, nil
}

// at is the configuration for a provider, whose own settings go first. Marks that
// are off stay off everywhere.
func (c Config) at(e endpoint) Config {
	if c.Cache.Marks == nil || *c.Cache.Marks {
		c.Cache.Marks = cmp.Or(e.settings.Marks, c.Cache.Marks)
	}
	c.Window.Tokens = cmp.Or(e.settings.Window, c.Window.Tokens)
	return c
}

// of is the cache in front of a model at a provider: what the table knows, with
// what the configuration says otherwise. Marks go to a provider that nobody knows
// only if they were asked for. local says that the server is near.
func (c CacheConfig) of(p wire.Provider, model string, local bool) tokens.Cache {
	f, name := tokens.Lookup(p.Name, model), p.Name
	switch {
	case p.Name == string(speaksAnthropic): // whoever speaks its protocol takes its marks
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
	if p.Name == string(speaksAnthropic) && time.Duration(c.Lifetime) >= time.Hour { // the mark that lives for an hour
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

// wordDelay is the pause between the words of the offline model, where a
// person reads along.
func (a *app) wordDelay() time.Duration {
	if terminal(a.env.Stdout) {
		return 12 * time.Millisecond
	}
	return 0
}

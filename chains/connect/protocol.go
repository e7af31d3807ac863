package connect

import (
	"context"
	"slices"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
)

// protocol describes a protocol of servers. All differences between them are fields, so that no other code asks which
// one it is.
type protocol struct {
	kind  string // in the configuration; also the name of its provider in the table of hosts
	words string // for people
	open  func(p *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error)

	native      bool // the provider of this name speaks nothing else
	deployments bool // models are deployments with an address of their own

	marks     bool    // all its servers accept cache marks
	longWrite float64 // price of writing a token to a cache for an hour, in uncached ones; 0 changes nothing

	asks    bool // requests ask for the configured window, and the server grants what it can
	fixed   bool // a local server does not change the windows of models
	assumed int  // window if unknown, in tokens; 0 means that of most models

	at func(getenv func(string) string) string // returns the address here; nil takes that of the table of hosts

	test func(ctx context.Context, o wire.Options) (bool, error) // tells whether a server speaks it; nil cannot tell
}

// protocols returns all protocols. The first one is the default.
func protocols() []protocol {
	return []protocol{
		{kind: "openai", words: "chat completions", open: openOpenAI},
		{
			kind: "anthropic", words: "Anthropic Messages", open: openAnthropic,
			native: true, marks: true, longWrite: 2, fixed: true,
		},
		{
			kind: "ollama", words: "Ollama's own protocol", open: openOllama,
			asks: true, assumed: 8 << 10, at: ollama.Address, test: ollama.AnswersAt,
		},
		{kind: "azure", words: "chat completions", open: openOpenAI, deployments: true},
	}
}

// protocolOf returns the protocol of a kind, the default for an unknown one.
func protocolOf(kind string) protocol {
	all := protocols()
	return all[max(0, slices.IndexFunc(all, func(p protocol) bool { return p.kind == kind }))]
}

func openOpenAI(_ *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error) {
	return openai.New(openai.Options{
		Options: to, Model: e.model, SendCacheKey: c.Cache.marked(), AzureVersion: e.settings.APIVersion,
		Keeper: e.keeper, Protocol: openai.Protocol(e.settings.Protocol),
	})
}

func openAnthropic(_ *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error) {
	return anthropic.New(anthropic.Options{
		Options: to, Model: e.model, Marks: c.Cache.marked(), Lifetime: c.Cache.Lifetime,
	})
}

func openOllama(p *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error) {
	return ollama.New(ollama.Options{
		Options: to, Model: e.model, KeepAlive: c.Cache.Lifetime, Window: c.Window.Tokens, Budget: c.Window.budget,
		Count: p.count,
	})
}

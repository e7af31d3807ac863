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

// protocol is one way in which servers are spoken to. What is different about it stands
// in its row of the table, and nothing else asks which one it is.
type protocol struct {
	kind  string // in the configuration; the provider of the table of hosts that it is made for is called so
	words string // for people
	open  func(p *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error)

	native      bool // that provider speaks nothing else
	deployments bool // models are a person's own deployments, and so is the address
	keeps       bool // Gemini has a native API beside it, which keeps prompts

	marks     bool    // its servers take its cache marks, whoever they are
	longWrite float64 // price of writing to a cache that lives for an hour, in uncached tokens; 0 is as ever

	asks    bool // a request asks for the window of the settings, so that a server grants what it can
	fixed   bool // models have their own windows at a server of the local network too
	pulls   bool // its servers fetch models from a library
	assumed int  // window, in tokens, where nobody says one; 0 is that of most models

	at   func(getenv func(string) string) string                 // where its server is on this machine; nil is as the table of hosts has it
	test func(ctx context.Context, o wire.Options) (bool, error) // whether a server speaks it; nil where nobody can tell
}

// protocols is the table. The first is spoken where nothing else is known.
func protocols() []protocol {
	return []protocol{
		{kind: "openai", words: "chat completions", open: openOpenAI, keeps: true},
		{kind: "anthropic", words: "Anthropic Messages", open: openAnthropic, native: true, marks: true, longWrite: 2, fixed: true},
		{kind: "ollama", words: "Ollama's own protocol", open: openOllama, asks: true, pulls: true, assumed: 8 << 10, at: ollama.Address, test: ollama.AnswersAt},
		{kind: "azure", words: "chat completions", open: openOpenAI, deployments: true},
	}
}

// protocolOf is the protocol of a kind, the first for one that is not in the table.
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
	return anthropic.New(anthropic.Options{Options: to, Model: e.model, Marks: c.Cache.marked(), Lifetime: c.Cache.Lifetime})
}

func openOllama(p *Providers, e *endpoint, to wire.Options, c Config) (chains.Server, error) {
	return ollama.New(ollama.Options{
		Options: to, Model: e.model, KeepAlive: c.Cache.Lifetime, Window: c.Window.Tokens, Budget: c.Window.budget,
		Count: p.count,
	})
}

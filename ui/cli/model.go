package cli

import (
	"context"
	"time"

	"ibid/chains"
	"ibid/chains/offline"
)

// chosen is the model that answers, and the way to others.
type chosen struct {
	options  chains.Options // what a session needs to know about the model
	provider string         // for people: "openai", "Ollama at 127.0.0.1:11434", "offline"
	notices  []string
	other    func(ctx context.Context, name string) (chains.Options, error)
	names    func(ctx context.Context) ([]string, error)
}

// offlineModel is the model that needs nothing.
func (a *app) offlineModel(delay time.Duration) chosen {
	return chosen{
		provider: "offline",
		options: chains.Options{
			Model: offline.New(offline.Options{Delay: delay}), ModelName: offline.Name,
			Cache: chains.CacheRule{None: true},
		},
	}
}

// choose decides which model answers. ask says whether servers may be asked
// which models they have.
func (a *app) choose(ctx context.Context, p *place, ask bool) (chosen, error) {
	return a.offlineModel(0), nil
}

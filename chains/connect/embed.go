package connect

import (
	"context"
	"strings"

	"ibid/chains"
)

// embedder is a server that makes vectors of texts.
type embedder interface {
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// Embedder returns the model PROVIDER/MODEL for vectors of texts. The server is asked, and the key looked up, with the
// first texts.
func (p *Providers) Embedder(ctx context.Context, name string) (chains.Embedder, error) {
	from := p.selection(ctx)
	if e, named, err := from.pick(); err == nil && named && e.base == "" {
		return chains.Embedder{}, misuse("%s is not asked: the offline model answers", name)
	}
	provider, model, _ := strings.Cut(name, "/")
	e := from.keyless(provider, from.config.Providers[provider])
	if e.base == "" {
		return chains.Embedder{},
			misuse("search.vectors: there is no provider %s; `ibid provider` lists those that there are", provider)
	}
	l, err := p.open(e)
	if err != nil {
		return chains.Embedder{}, err
	}
	return chains.Embedder{
		Place: e.place(), Here: e.onThisMachine(), Price: l.price(model),
		Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
			e, _ := p.selection(ctx).find(provider)
			l, err := p.link(ctx, e)
			if err != nil {
				return nil, err
			}
			s, ok := l.server.(embedder)
			if !ok {
				return nil, misuse("search.vectors: %s makes no vectors of texts", l.name)
			}
			return s.Embed(ctx, model, texts)
		},
	}, nil
}

// LocalEmbedder returns the name of a model for [Providers.Embedder] on a server of this machine, "" if none is known.
// It asks no server, and knows those that the start found and the one that answers.
func (p *Providers) LocalEmbedder(found []Server) string {
	if l := p.at(""); l != nil && l.onThisMachine() {
		found = append(found, Server{Name: l.name, Models: keptList(p.Hints, l.base)})
	}
	for _, s := range found {
		for _, m := range s.Models {
			if !m.Chat && strings.Contains(strings.ToLower(m.ID), "embed") {
				return s.Name + "/" + strings.TrimSuffix(m.ID, ":latest")
			}
		}
	}
	return ""
}

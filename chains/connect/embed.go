package connect

import (
	"context"
	"net/url"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/tokens"
)

// embedder is a server that makes vectors of texts.
type embedder interface {
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// Embedder finds a model that makes vectors of texts, named PROVIDER/MODEL. It sends none.
func (p *Providers) Embedder(ctx context.Context, name string) (chains.Embedder, error) {
	from := p.selection(ctx)
	if e, named, err := from.pick(); err == nil && named && e.base == "" {
		return chains.Embedder{}, misuse("%s is not asked: the offline model answers", name)
	}
	provider, model, _ := strings.Cut(name, "/")
	e, ok := from.find(provider)
	if !ok {
		return chains.Embedder{}, misuse("%s: there is no provider %s", name, provider)
	}
	e = e.ready(ctx)
	s, err := p.server(&e)
	if err != nil {
		return chains.Embedder{}, err
	}
	asked, ok := s.(embedder)
	if !ok {
		return chains.Embedder{}, misuse("%s makes no vectors of texts", e.name)
	}
	at, _ := url.Parse(e.base) // the server was made with it
	info, _ := s.Known(model)
	if !info.Price.Known {
		info.Price = chains.Price(tokens.Lookup(e.provider.Name, model).Price)
	}
	return chains.Embedder{
		Place: e.place(), Here: wire.Loopback(at.Host), Price: info.Price,
		Embed: func(ctx context.Context, texts []string) ([][]float32, error) { return asked.Embed(ctx, model, texts) },
	}, nil
}

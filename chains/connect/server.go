package connect

import (
	"cmp"
	"context"
	"crypto/tls"
	"net/http"
	"sync"

	"ibid/chains"
	"ibid/chains/connect/keystore"
	"ibid/chains/offline"
	"ibid/chains/wire"
	"ibid/context/tokens"
)

// server returns the server of an endpoint, which it does not ask.
func (p *Providers) server(e *endpoint) (s chains.Server, err error) {
	to, err := p.wire(e)
	if err != nil {
		return nil, err
	}
	c := p.Config.at(e)
	to.Facts = func(model string) wire.Facts {
		f := tokens.Lookup(e.provider.Name, model)
		most := e.settings.MaxTokens
		if f.Known && most == 0 {
			most = tokens.Reserve(f) // room that the longest prompt leaves
		}
		return wire.Facts{
			MaxOutput: most, Thinks: f.Reasoning, Efforts: f.Efforts, Responses: f.Responses,
			Adaptive: f.Thinking == tokens.ThinkAdaptive, Marks: c.Cache.of(e.provider, model, false).Marks,
		}
	}
	if e.base == "" {
		return offline.New(offline.Options{Delay: p.Delay, Count: p.count, Recorder: to.Recorder}), nil
	}
	s, err = e.protocol().open(p, e, to, c)
	if err != nil {
		return nil, misuse("%w", err)
	}
	return s, nil
}

// wire returns the options that all protocols share.
func (p *Providers) wire(e *endpoint) (to wire.Options, err error) {
	var recorder *wire.Recorder
	if p.Record != "" {
		if recorder, err = wire.NewRecorder(p.Record); err != nil {
			return to, err
		}
	}
	to = wire.Options{
		BaseURL: e.base, Provider: e.provider, Key: e.key, KeySource: e.source, KeyError: e.trouble, Name: e.name,
		Version: p.Version, Recorder: recorder, Refusals: refusalStore{p.Hints, e.base},
		Extra:    e.settings.body(),
		Headers:  http.Header{},
		Timeouts: wire.Timeouts{FirstByte: e.settings.FirstText, Idle: e.settings.Idle},
		Log:      p.Log,
	}
	base := e.base
	to.Lists.Last = sync.OnceValue(func() []chains.ModelInfo { return keptList(p.Hints, base) })
	to.Lists.Keep = func(list []chains.ModelInfo) { keepList(p.Hints, base, list) }
	for name, value := range e.settings.Headers {
		to.Headers.Set(name, value)
	}
	if e.source == inCommand {
		to.NewKey = func(ctx context.Context) (string, error) { return keystore.Run(ctx, e.settings.KeyCommand) }
	}
	if file, key := e.settings.CertFile, e.settings.KeyFile; cmp.Or(file, key) != "" {
		cert, err := tls.LoadX509KeyPair(p.Path(file), p.Path(cmp.Or(key, file)))
		if err != nil {
			return to, misuse("cert_file of %s: %w", e.name, err)
		}
		to.Certificate = &cert
	}
	if file := e.settings.CAFile; file != "" {
		if err = to.Trust(p.Path(file)); err != nil {
			return to, misuse("ca_file of %s: %w", e.name, err)
		}
	}
	return to, nil
}

package connect

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/vault/routine"
)

// Server is a model server that was found on this machine.
type Server struct {
	Name, BaseURL string
	Models        []chains.ModelInfo
	None          error // reason why it lists no models, for the user: none was pulled

	at endpoint
}

// Discover returns the model servers of this machine that answer. It asks all at once, for about 3 s at most, and sends
// no keys: any program may listen there.
func (p *Providers) Discover(ctx context.Context) (there []Server) {
	if !p.Config.Discover {
		return nil
	}
	known := wire.Providers()
	there = make([]Server, len(known))
	var asking routine.Group
	for i, at := range known {
		if at.Local() {
			asking.Go(func() {
				there[i] = p.look(ctx, at, strings.Replace(addressOf(at, p.Getenv), "localhost", "127.0.0.1", 1))
			})
		}
	}
	asking.Wait()
	return slices.DeleteFunc(there, func(s Server) bool { return s.Name == "" })
}

// lookTime limits how long a server may take to answer.
const lookTime = 3 * time.Second

// look asks the known address of a provider. The result has no name if no model server answers.
func (p *Providers) look(ctx context.Context, at wire.Provider, base string) (s Server) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	e, recognized := recognizeServer(ctx, base, "")
	if !recognized {
		e = endpoint{name: at.Name, base: base, provider: at}
	}
	server, err := p.server(&e)
	if err != nil {
		return s
	}
	if s.Models, s.None = server.Models(ctx); s.None != nil && !recognized {
		return Server{}
	}
	s.Name, s.BaseURL, s.at = e.name, e.base, e
	return s
}

// recognizeServer returns the server at an address whose answers tell its protocol. A server of that name that does not
// run counts too, as it may start later. No key is sent.
func recognizeServer(ctx context.Context, base, name string) (e endpoint, ok bool) {
	for _, row := range protocols() {
		if row.test == nil {
			continue
		}
		if is, err := row.test(ctx, wire.Options{BaseURL: base}); is || err != nil && name == row.kind {
			return row.endpoint(base), true
		}
	}
	return e, false
}

// endpoint returns a server at an address that speaks the protocol, without a key.
func (row protocol) endpoint(base string) endpoint {
	p, _ := wire.FindProvider(row.kind)
	return endpoint{name: p.Name, base: base, provider: p, speaks: row.kind}
}

// addressOf returns the known address of a provider, which a variable may change.
func addressOf(p wire.Provider, getenv func(string) string) string {
	if row := protocolOf(p.Name); row.at != nil {
		return row.at(getenv)
	}
	return p.BaseURL
}

// chooseServer returns the first server with a model that can chat. why is the advice if there is none.
func chooseServer(servers []Server) (e endpoint, why string) {
	for _, s := range servers {
		if _, ok := chains.FirstChat(s.Models); ok {
			return s.at, ""
		}
		why = cmp.Or(why, wire.ErrorOf(s.None).Message)
	}
	return endpoint{}, why
}

// completeEndpoint adds the protocol to an endpoint, if its server is on this machine or network and tells it.
func completeEndpoint(ctx context.Context, e endpoint) endpoint {
	at, err := wire.New(wire.Options{BaseURL: e.base, Name: e.provider.Name})
	if err != nil || e.speaks != "" || !at.Local() && !e.provider.Local() {
		return e
	}
	there, ok := recognizeServer(ctx, e.base, e.provider.Name)
	if !ok {
		return e
	}
	if e.name == e.provider.Name {
		e.name = there.name
	}
	if !e.own { // the key is for another service
		e.key, e.source = "", ""
	}
	e.provider, e.speaks = there.provider, there.speaks
	return e
}

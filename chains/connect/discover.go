package connect

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"strings"

	"ibid/chains"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/vault/routine"
)

// Kind is how a server is spoken to.
type Kind string

// The protocols. "" is chat completions, unless the server turns out to speak
// another one; Azure's are those of its addresses.
const (
	speaksOpenAI    Kind = "openai"
	speaksAnthropic Kind = "anthropic"
	speaksOllama    Kind = "ollama"
	speaksAzure     Kind = "azure"
)

// Server is a model server that was found on this machine.
type Server struct {
	Name, BaseURL string
	Models        []chains.ModelInfo
	None          error // why it has no models, in words for people
	Pulls         bool  // it can fetch models

	at endpoint
}

// Discover asks the model servers of this machine whether they are there, all at
// once, and gives those that are. No key goes to them. It takes about 3 s at most.
func (p *Providers) Discover(ctx context.Context) (there []Server) {
	if on := p.Config.Discover; on != nil && !*on {
		return nil
	}
	addresses := []string{ollamaAddress(p.Getenv)}
	for _, known := range wire.Providers() {
		if known.Local() && known.Name != string(speaksOllama) {
			addresses = append(addresses, strings.Replace(known.BaseURL, "localhost", "127.0.0.1", 1))
		}
	}
	all := make([]*Server, len(addresses))
	var wg routine.Group
	for i, base := range addresses {
		wg.Go(func() { all[i] = p.look(ctx, base) })
	}
	wg.Wait()
	for _, s := range all {
		if s != nil {
			there = append(there, *s)
		}
	}
	return there
}

// look asks one address, nil if no model server answers there.
func (p *Providers) look(ctx context.Context, base string) *Server {
	if is, err := ollama.At(ctx, wire.Options{BaseURL: base}); err != nil {
		return nil
	} else if is {
		e := ollamaAt(base)
		s := &Server{Name: e.provider.Name, BaseURL: base, Pulls: true, at: e}
		if server, err := p.server(&e); err == nil {
			s.Models, s.None = server.Models(ctx)
		}
		return s
	}
	found, ok := openai.Probe(ctx, base)
	if !ok {
		return nil
	}
	known, ok := wire.FindProvider(found.Name)
	if !ok {
		known = wire.Provider{Name: found.Name}
	}
	return &Server{Name: known.Name, BaseURL: found.BaseURL, Models: found.Models, at: endpoint{name: known.Name, base: found.BaseURL, provider: known}}
}

// ollamaAt is Ollama at an address. No key goes there.
func ollamaAt(base string) endpoint {
	p, _ := wire.FindProvider(string(speaksOllama))
	return endpoint{name: p.Name, base: base, provider: p, speaks: speaksOllama}
}

// found is the first server on this machine that has a model to chat with; why
// says what to do about those that have none.
func found(servers []Server) (e endpoint, why string) {
	for _, s := range servers {
		if _, ok := chains.FirstChat(s.Models); ok {
			return s.at, ""
		}
		var failed *chains.ProviderError
		if errors.As(s.None, &failed) {
			why = cmp.Or(why, failed.Message)
		}
	}
	return endpoint{}, why
}

// known is e with the protocol that its server speaks: an address of this machine
// or its network that answers as Ollama does is Ollama.
func known(ctx context.Context, e endpoint) endpoint {
	at, err := wire.New(wire.Options{BaseURL: e.base, Name: e.provider.Name})
	if err != nil || e.speaks != "" || !at.Local() && !e.provider.Local() {
		return e
	}
	is, err := ollama.At(ctx, wire.Options{BaseURL: e.base})
	if !is && (err == nil || e.provider.Name != string(speaksOllama)) { // which may be started later
		return e
	}
	p := ollamaAt(e.base)
	if e.name == e.provider.Name {
		e.name = ""
	}
	if !e.own { // the key is for another service
		e.key, e.source = "", ""
	}
	e.name, e.provider, e.speaks = cmp.Or(e.name, p.name), p.provider, p.speaks
	return e
}

// ollamaAddress is where Ollama listens: where OLLAMA_HOST says, as its own
// programs read it.
func ollamaAddress(getenv func(string) string) string {
	const port = "11434"
	said := strings.Trim(strings.TrimSpace(getenv("OLLAMA_HOST")), `"'`)
	if said == "" {
		return "http://127.0.0.1:" + port + "/v1"
	}
	scheme, host, ok := strings.Cut(said, "://")
	if !ok {
		scheme, host = "http", said
	}
	host, path, _ := strings.Cut(host, "/")
	name, at, err := net.SplitHostPort(host)
	if err != nil {
		name, at = strings.Trim(host, "[]"), port
		if ok { // a URL without a port has the one of its scheme
			at = map[string]string{"http": "80", "https": "443"}[scheme]
		}
	}
	if name == "" || name == "0.0.0.0" || name == "::" { // where a server listens, and nobody can go
		name = "127.0.0.1"
	}
	u := url.URL{Scheme: scheme, Host: net.JoinHostPort(name, cmp.Or(at, port)), Path: strings.TrimRight("/"+path, "/")}
	return u.String()
}

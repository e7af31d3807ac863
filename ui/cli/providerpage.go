package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ibid/chains/wire"
	"ibid/ui"
)

// providerPage is the commands about providers for the page of the screen: what they
// print comes back as text, and nothing is asked at the terminal.
type providerPage struct{ app *app }

var _ ui.Providers = providerPage{}

// run runs a command, with a key on its standard input if there is one.
func (p providerPage) run(key string, command func(providerTools) error) (said string, err error) {
	var out strings.Builder
	quiet := *p.app
	quiet.env.Stdin, quiet.out, quiet.env.Stderr = strings.NewReader(key+"\n"), standardOut{Writer: &out}, &out
	quiet.flags.json, quiet.flags.model, quiet.flags.baseURL, quiet.flags.provider = false, "", "", ""
	err = command(providerTools{&quiet})
	var status exit
	if errors.As(err, &status) {
		err = errors.New("it is not added")
	}
	return out.String(), err
}

// List implements ui.Providers: those that are configured or have a key, and then those
// of the table of hosts that have an address.
func (p providerPage) List(ctx context.Context) ([]ui.Provider, error) {
	cfg, err := p.app.settings()
	if err != nil {
		return nil, err
	}
	s := p.app.selection(ctx, cfg)
	now, named, err := s.pick()
	var list []ui.Provider
	for _, e := range s.all() {
		state, text := e.state()
		list = append(list, ui.Provider{
			Name: e.name, Address: e.base, State: text, Ready: state == "ready",
			Answers: named && e.name == now.name && now.base != "",
		})
	}
	for _, known := range wire.Providers() {
		if known.BaseURL != "" && !slices.ContainsFunc(list, func(o ui.Provider) bool { return o.Name == known.Name }) {
			list = append(list, ui.Provider{Name: known.Name, Address: known.BaseURL, Known: true})
		}
	}
	return list, err
}

// Add implements ui.Providers.
func (p providerPage) Add(ctx context.Context, what, key string, test bool) (string, error) {
	return p.run(key, func(t providerTools) error {
		return t.add(ctx, what, adding{stdin: key != "", untested: !test})
	})
}

// Test implements ui.Providers.
func (p providerPage) Test(ctx context.Context, name string) (string, error) {
	said, err := p.run("", func(t providerTools) error { return t.test(ctx, name) })
	if err != nil && said != "" {
		err = errors.New(name + " does not answer as it should")
	}
	return said, err
}

// Remove implements ui.Providers.
func (p providerPage) Remove(ctx context.Context, name string) (string, error) {
	return p.run("", func(t providerTools) error { return t.remove(ctx, name) })
}

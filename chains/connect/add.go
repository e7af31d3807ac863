package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"ibid/chains/connect/keystore"
	"ibid/chains/wire"
)

// Provider is a row of the list of providers.
type Provider struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	BaseURL    string `json:"base_url"`
	Key        string `json:"key"`   // origin of the key, "" for none
	State      string `json:"state"` // ready, no_key or wrong
	Text       string `json:"text"`  // the state in words
	Configured bool   `json:"configured"`
	Answers    bool   `json:"answers"`
}

// Ready reports whether a provider can be asked.
func (p *Provider) Ready() bool { return p.State == "ready" }

// List returns the providers that are configured or have a key, and a note about which of them answers. It asks no
// server and runs no command, so that it is quick and shows nothing to anybody.
func (p *Providers) List(ctx context.Context) (list []Provider, note string, err error) {
	s := p.selection(ctx)
	all := s.all()
	now, named, err := s.pick()
	if err == nil && named && now.base != "" &&
		!slices.ContainsFunc(all, func(o endpoint) bool { return o.name == now.name }) {
		all = append(all, now)
	}
	for _, e := range all {
		row := Provider{
			Name: e.name, Kind: e.protocol().kind, BaseURL: e.base, Key: e.keySource(),
			Configured: s.has(e.name), Answers: named && e.name == now.name && now.base != "",
		}
		row.State, row.Text = e.state()
		list = append(list, row)
	}
	switch note = now.why; {
	case len(all) == 0:
		note = "no provider is configured, and none has a key: `ibid provider add NAME` adds one, such as openai, anthropic or openrouter"
	case named && now.base == "":
		note = "the offline model answers, as the settings say"
	}
	return list, note, err
}

// Names returns the names that --provider takes.
func (p *Providers) Names(ctx context.Context) []string { return p.selection(ctx).names() }

// state returns the State and Text of a row.
func (e *endpoint) state() (state, text string) {
	switch {
	case e.trouble != nil:
		return StateWrong, e.trouble.Error()
	case e.source != "":
		return "ready", "its key is from " + e.keySource()
	case e.provider.Needed():
		return "no_key", fmt.Sprintf("no key: set %s, or `ibid provider add %s`",
			cmp.Or(e.settings.KeyEnv, e.provider.KeyVar), e.name)
	}
	return "ready", "no key"
}

// Addition describes a provider to add, and the ways to ask the user about it.
type Addition struct {
	What     string   // a name or an address
	Name     string   // "" takes it from What
	Settings Settings // further settings
	Untested bool     // skips the test

	Key func() (string, error) // returns the key; nil looks elsewhere, then asks by Type

	Type func(ctx context.Context, label string) (string, error) // asks the user to type a key; nil if nobody can
}

// Add tests a provider, and saves it and its key. If it is configured already, only the key is replaced. text describes
// the result for the user.
func (p *Providers) Add(ctx context.Context, a Addition, how CheckOptions) (added Provider, text string, err error) {
	name, err := a.place()
	if err != nil {
		return added, "", err
	}
	s, own := p.selection(ctx), &a.Settings
	old := s.has(name)
	if old && cmp.Or(own.BaseURL, own.Kind, own.KeyEnv, own.KeyCommand, own.Model) != "" {
		return added, "", misuse("%s is configured already: change %s, or `ibid provider remove %s` first",
			name, p.Tables.Place(name), name)
	}
	if old {
		a.Settings = s.config.Providers[name]
	}
	if key, wrong := own.Misuse(name); wrong != "" {
		return added, "", misuse("provider add %s: %s", name, strings.TrimSpace(key+" "+wrong))
	}
	s.config.Providers = maps.Collect(maps.All(s.config.Providers))
	s.config.Providers[name] = a.Settings
	e := s.withKey(name, a.Settings)
	e.model = cmp.Or(p.Flags.Model, own.Model)
	if err := a.typeKey(ctx, &e); err != nil {
		return added, "", err
	}
	if !a.Untested && !p.check(ctx, e, "it can be added", how) {
		return added, "", fmt.Errorf("%s is not added; `ibid provider add %s --untested` adds it without a test", name, name)
	}
	if text = e.name + " is added"; old {
		text = "the key of " + e.name + " is replaced"
	}
	added = Provider{Name: e.name, BaseURL: e.base, Key: e.keySource()}
	typed := e.source == givenKey
	if typed {
		if added.Key, err = p.Keys.Put(ctx, e.name, e.key); err != nil {
			return added, "", err
		}
		text += "; its key is in " + added.Key
	} else if added.Key != "" {
		text += "; its key is from " + added.Key
	}
	if !old {
		if err = p.Tables.AddProvider(e.name, &e.settings); err != nil && typed { // no one would look for the key again
			err = errors.Join(err, p.Keys.Remove(ctx, e.name))
		}
	}
	return added, text, err
}

// place puts What into the settings if it is an address, and returns the name of the provider.
func (a *Addition) place() (name string, err error) {
	if _, known := wire.FindProvider(a.What); !strings.ContainsAny(a.What, ":/") &&
		(known || !strings.Contains(a.What, ".")) {
		return cmp.Or(a.Name, a.What), nil
	}
	own := &a.Settings
	if own.BaseURL != "" {
		return "", misuse("provider add: %s is an address, and --base-url names another", a.What)
	}
	own.BaseURL, _ = wire.RepairURL(a.What)
	name = own.BaseURL
	if p := wire.ProviderAt("", own.BaseURL); !p.Foreign {
		name = p.Name
	} else if u, err := url.Parse(own.BaseURL); err == nil {
		name = strings.ReplaceAll(u.Host, ":", "-")
	}
	return cmp.Or(a.Name, name), nil
}

// givenKey is the source of a key that is not saved yet.
const givenKey = "the key that you gave"

// typeKey sets the given key. Without one it leaves the key of the environment or a command, else it asks the user.
func (a *Addition) typeKey(ctx context.Context, e *endpoint) (err error) {
	fromEnv := strings.HasPrefix(e.source, "env ") && (e.own || !e.provider.Foreign)
	key := ""
	switch {
	case a.Key != nil:
		key, err = a.Key()
	case a.Settings.KeyEnv != "" && !fromEnv:
		return misuse("key_env: %s is not set, so nothing can be tested; --key-stdin or a prompt would keep a key",
			a.Settings.KeyEnv)
	case fromEnv, e.source == inCommand:
		return nil
	case a.Type != nil:
		key, err = a.Type(ctx, "key for "+e.name+" (not shown; enter alone for none): ")
	case e.provider.Needed():
		return misuse("%s needs a key: give it with --key-stdin, or set %s", e.name, e.provider.KeyVar)
	}
	key = keystore.Clean(key)
	if strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return misuse("the key has blanks or line breaks in it: copy it again")
	}
	if err == nil && key != "" {
		e.key, e.source, e.own = key, givenKey, true
	}
	return err
}

// Test checks a provider and reports whether nothing is wrong. It first forgets what the server has refused, so that
// everything is tried again.
func (p *Providers) Test(ctx context.Context, name string, how CheckOptions) (ok bool, err error) {
	s := p.selection(ctx)
	e, ok := s.find(name)
	if !ok {
		return false, misuse("provider test: %q is not known; it can be %s", name, strings.Join(s.names(), ", "))
	}
	p.Forget(e.base)
	e.model = p.Flags.Model
	return p.check(ctx, e, "it can be chosen", how), nil
}

// Remove removes the saved key of a provider, and its table from the configuration. text describes the result.
func (p *Providers) Remove(ctx context.Context, name string) (text string, err error) {
	configured := p.selection(ctx).has(name)
	key, where, err := p.Keys.Find(ctx, name)
	switch {
	case err != nil:
		return "", err
	case configured:
		err = p.Tables.RemoveProvider(name)
	case key == "":
		err = misuse(
			"provider remove: %q is not configured, and no key of it is kept; `ibid provider` lists what there is",
			name)
	}
	if err != nil {
		return "", err
	}
	if text = name + " is removed"; key != "" {
		text += ", and its key from " + where
	}
	return text, p.Keys.Remove(ctx, name)
}

package connect

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/connect/keystore"
	"ibid/chains/offline"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/tokens"
)

// endpoint is the address of a server with its key. Without an address it is the offline model.
type endpoint struct {
	name     string // for messages, and before the / in NAME/MODEL
	provider wire.Provider
	base     string
	speaks   string // kind of its protocol, "" if unknown
	repaired string // notice about a repair of the address, "" for none

	key    string // "" sends none
	source string // where the key was found, or can be asked for; "" if there is none
	own    bool   // the key was given for this provider, and not only for its service

	settings Settings
	model    string // chosen by the user, "" if none is
	why      string // notice why it was chosen, "" for none
	trouble  error  // error of looking for the key

	keeper openai.Keeper // keeps beginnings of prompts; nil keeps none
}

// inCommand is the source of a key that a command prints. The command runs only when the key is needed.
const inCommand = "key_command"

// selection decides which providers there are, and which of them answers. It depends on its fields alone.
type selection struct {
	config Config
	flags  Flags
	getenv func(string) string
	stored func(name string) (key, source string, err error) // returns the saved key of a provider

	list func(base string) []chains.ModelInfo // returns the last list of models of the server at an address
	last string                               // the provider that answered last
}

// withKey returns a provider with its key.
func (s *selection) withKey(name string, c Settings) endpoint {
	e := s.keyless(name, c)
	s.findKey(&e, true)
	return e
}

// keyless returns a provider without looking for its key. If the settings have no address, the table of hosts does.
func (s *selection) keyless(name string, c Settings) endpoint {
	known := c.known(name)
	e := endpoint{settings: c, speaks: c.Kind}
	e.base, e.repaired = wire.RepairURL(cmp.Or(c.BaseURL, addressOf(known, s.getenv)))
	e.provider = wire.ProviderAt(known.Name, e.base)
	if e.name = e.provider.Name; s.has(name) {
		e.name = name
	}
	if row := protocolOf(e.provider.Name); e.speaks == "" && row.native {
		e.speaks = row.kind
	}
	return e
}

// protocol returns the protocol of the server.
func (e *endpoint) protocol() protocol { return protocolOf(e.speaks) }

// has reports whether the configuration has a provider of this name.
func (s *selection) has(name string) bool { _, ok := s.config.Providers[name]; return ok }

// findKey finds the key of a provider: in the environment, from a command, and with kept in the saved keys. If one of
// these fails it does not go on, as the next key would be one that the user did not mean. The variable of another
// service comes last; its key is sent only because the user named the address. A key from anywhere counts as own only
// at the host that it is for.
func (s *selection) findKey(e *endpoint, kept bool) {
	switch {
	case s.variable(e, e.settings.KeyEnv):
	case !e.provider.Foreign && s.variable(e, e.provider.KeyVar):
		return
	case e.settings.KeyCommand != "":
		e.source = inCommand
	case kept:
		e.key, e.source, e.trouble = s.stored(e.name)
	}
	if e.own = e.source != "" && s.atHome(e); e.source == "" {
		s.variable(e, e.provider.KeyVar)
	}
}

// atHome reports whether the address of a provider is on the host that its key is for: the one in its settings, else
// the one in the table of hosts.
func (s *selection) atHome(e *endpoint) bool {
	own, configured := s.config.Providers[e.name]
	home, _ := url.Parse(s.keyless(e.name, own).base)
	now, err := url.Parse(e.base)
	return err == nil && (home != nil && home.Host == now.Host ||
		!configured && (own.known(e.name).Name == "" || !e.provider.Foreign))
}

// variable sets the key from an environment variable, and reports whether it has one.
func (s *selection) variable(e *endpoint, name string) bool {
	if name == "" {
		return false
	}
	key := keystore.Clean(s.getenv(name))
	if key != "" {
		e.key, e.source = key, "env "+name
	}
	return key != ""
}

// hasKey reports whether a provider has a key of its own or of its service.
func (e *endpoint) hasKey() bool { return e.source != "" && (e.own || !e.provider.Foreign) }

// place describes the provider for the user, with the address unless the name tells it.
func (e *endpoint) place() string {
	if strings.Contains(e.base, e.name) {
		return e.name
	}
	return e.name + " at " + e.base
}

func (e *endpoint) onThisMachine() bool {
	at, err := url.Parse(e.base)
	return err == nil && wire.Loopback(at.Host)
}

// keySource describes where the key was found, "" if there is none.
func (e *endpoint) keySource() string {
	if name, ok := strings.CutPrefix(e.source, "env "); ok {
		return name + " in the environment"
	}
	return e.source
}

// all returns the providers that can be asked: the configured ones, then those of the table of hosts with a key. A key
// that a configured provider of the same service has does not count again.
func (s *selection) all() []endpoint {
	var list []endpoint
	for _, name := range slices.Sorted(maps.Keys(s.config.Providers)) {
		list = append(list, s.withKey(name, s.config.Providers[name]))
	}
	mine := list
	for _, p := range wire.Providers() {
		if p.Local() || p.BaseURL == "" || s.has(p.Name) {
			continue
		}
		e := s.keyless(p.Name, Settings{})
		s.findKey(&e, false)
		if e.hasKey() && !slices.ContainsFunc(mine, func(c endpoint) bool {
			return c.provider.Name == p.Name && c.source == e.source
		}) {
			list = append(list, e)
		}
	}
	return list
}

// others returns e followed by all other providers that can be asked. Nobody chose these, so each key goes to one
// address only, and to no service that it is not for.
func (s *selection) others(e endpoint) []endpoint {
	list := []endpoint{e}
	for _, o := range s.all() {
		if o.name == e.name || o.base == e.base && o.source == e.source ||
			o.source != "" && !o.own && o.source == e.source && !o.provider.Foreign {
			continue
		}
		if !o.own && o.provider.Foreign {
			o.key, o.source = "", ""
		}
		list = append(list, o)
	}
	return list
}

// find returns the provider of a name, from the configuration or the table of hosts.
func (s *selection) find(name string) (e endpoint, ok bool) {
	e, err := s.named(name, "")
	return e, err == nil
}

// chosen reports whether a user chose the provider, and not only a model.
func (s *selection) chosen() bool {
	return cmp.Or(s.flags.BaseURL, s.flags.Provider, s.getenv("OPENAI_BASE_URL"),
		s.config.BaseURL, s.config.Provider) != ""
}

// pick returns the provider that answers, by the flags, else the environment, else the configuration, else the name in
// front of the model, else the keys. named is false if none of them tells.
func (s *selection) pick() (e endpoint, named bool, err error) {
	base, name := s.flags.BaseURL, s.flags.Provider
	flag := base != "" || name != ""
	// The name of the offline model must send nothing to a server.
	if s.flags.Offline || !flag && (s.config.Offline || cmp.Or(s.flags.Model, s.config.Model) == offline.Name) {
		return e, true, nil
	}
	if !flag {
		base = s.getenv("OPENAI_BASE_URL")
	}
	if base == "" && name == "" {
		base, name = s.config.BaseURL, s.config.Provider
	}
	switch {
	case name != "":
		e, err = s.named(name, base)
	case base != "":
		e = s.withKey("", Settings{BaseURL: base})
	default:
		if e, named = s.unnamed(); !named {
			return e, false, nil
		}
	}
	if err == nil && e.model == "" {
		e.model = s.model(e, flag)
		if o, ok := s.prefixed(e.model); ok && s.has(o.name) && !s.lists(&e, e.model) {
			e = o
		}
	}
	return e, err == nil, err
}

// named returns the provider of a name; base, unless "", is its address.
func (s *selection) named(name, base string) (endpoint, error) {
	if c, ok := s.config.Providers[name]; ok {
		if base != "" && (s.flags.BaseURL != "" || c.BaseURL == "") {
			c.BaseURL = base
		}
		return s.withKey(name, c), nil
	}
	known, ok := wire.FindProvider(name)
	switch {
	case !ok:
		return endpoint{}, misuse("--provider: %q is not known; it can be %s, or give --base-url",
			name, strings.Join(s.names(), ", "))
	case base == "" && known.BaseURL == "":
		return endpoint{}, misuse(
			"%s has no address of its own: give yours with --base-url, such as https://NAME.openai.azure.com",
			known.Name)
	}
	return s.withKey(known.Name, Settings{BaseURL: base}), nil
}

// names returns the names that --provider takes.
func (s *selection) names() []string {
	names := slices.Sorted(maps.Keys(s.config.Providers))
	for _, p := range wire.Providers() {
		if !s.has(p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// model returns the model that the user chose for a provider. The one that the configuration names for all providers
// yields to the own one of a provider that a flag names, and so does the offline model.
func (s *selection) model(e endpoint, flag bool) string {
	first, last := s.getenv("IBID_MODEL"), s.config.Model
	switch {
	case !flag:
		first = last
	case last == offline.Name: // the configuration has the value of the variable by now
		first, last = "", ""
	}
	return cmp.Or(s.flags.Model, first, e.settings.Model, last)
}

// prefixed returns the provider in front of a model, if it is configured or has a key: slashes are also part of names
// of models.
func (s *selection) prefixed(model string) (e endpoint, ok bool) {
	name, rest, cut := strings.Cut(model, "/")
	if !cut || rest == "" {
		return e, false
	}
	if e, ok = s.find(name); !ok {
		return e, false
	}
	e.model = rest
	return e, s.has(name) || e.hasKey()
}

// lists reports whether the catalogue or the last list of a provider has a model of exactly this name.
func (s *selection) lists(e *endpoint, model string) bool {
	return tokens.InCatalogue(e.provider.Name, model) || place(s.list(e.base), model) >= 0
}

// unnamed returns the provider that answers if none is named: the last one, else the first with a key.
func (s *selection) unnamed() (e endpoint, ok bool) {
	if e, ok := s.prefixed(cmp.Or(s.flags.Model, s.config.Model)); ok {
		return e, true
	}
	list := s.all()
	if keyed := slices.DeleteFunc(slices.Clone(list), func(e endpoint) bool {
		return !e.hasKey() && (e.name != s.last || e.settings.KeyEnv != "") // the last one works without a key
	}); len(keyed) > 0 {
		list = keyed
	}
	if len(list) == 0 {
		return e, false
	}
	order := func(e endpoint) int {
		switch at := slices.IndexFunc(wire.Providers(), func(p wire.Provider) bool { return p.Name == e.provider.Name }); {
		case e.name == s.last:
			return -2
		case e.source == "env OPENAI_API_KEY":
			return -1
		case at >= 0 && !e.provider.Foreign:
			return at
		}
		return len(wire.Providers())
	}
	e = slices.MinFunc(list, func(a, b endpoint) int { return order(a) - order(b) })
	if e.name != s.last && len(list) > 1 {
		var names []string
		for _, o := range list {
			names = append(names, o.name)
		}
		e.why = fmt.Sprintf("%s answers: it is the first of %s; --provider chooses another", e.name,
			strings.Join(names, ", "))
	}
	return e, true
}

// ready completes an endpoint with the key of a command and the protocol, before it is used.
func (e endpoint) ready(ctx context.Context) endpoint {
	if e.source == inCommand && e.key == "" {
		e.key, e.trouble = keystore.Run(ctx, e.settings.KeyCommand)
	}
	return completeEndpoint(ctx, e)
}

// remarks returns notices about an endpoint. That a key goes to another host than its own is told once for a key and
// host.
func (p *Providers) remarks(e *endpoint) (said []string) {
	const file = "keys.json"
	for _, s := range []string{e.why, e.repaired} {
		if s != "" {
			said = append(said, s)
		}
	}
	u, err := url.Parse(e.base)
	from := strings.TrimPrefix(e.source, "env ")
	if err != nil || e.key == "" || e.own || !e.provider.Foreign && from == e.provider.KeyVar ||
		p.Hints.Read(file)[u.Host] == from {
		return said
	}
	p.Hints.Set(file, u.Host, from)
	return append(said, fmt.Sprintf("the key in %s goes to %s, the address that you named; this is said once",
		from, u.Host))
}

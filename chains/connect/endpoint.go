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

// endpoint is where a model answers, and the key to it. Without an address it is
// the offline model.
type endpoint struct {
	name     string // as messages call it, and as it stands in front of a model
	provider wire.Provider
	base     string
	speaks   string // the kind of the protocol, "" for none that is known
	repaired string // what was wrong with the address as it was given, "" for nothing

	key    string // "" sends none
	source string // where the key was found, or is to be asked for; "" is nowhere
	own    bool   // the key was given to this provider, and not to its service alone

	settings Settings
	model    string // that the user chose for it, "" for none
	why      string // why it answers, for people; "" if that needs no words
	trouble  error  // why no key was found where one may be

	keeper openai.Keeper // of the beginning of prompts, nil for none
}

// inCommand is the source of a key that a command prints.
const inCommand = "key_command"

// selection knows which providers there are, and which of them answers. It is made
// of values alone; all else is decided by them.
type selection struct {
	config Config
	flags  Flags
	getenv func(string) string
	stored func(name string) (key, source string, err error) // the key of a provider that is kept, and where
	list   func(base string) []chains.ModelInfo              // the last list that the server at an address gave
	last   string                                            // the provider that answered last
}

// withKey is a provider with its key.
func (s *selection) withKey(name string, c Settings) endpoint {
	e := s.keyless(name, c)
	s.findKey(&e, true)
	return e
}

// keyless is a provider whose key is not looked for. Without an address it is at the one
// that the table of hosts has.
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

// protocol is how the server is spoken to.
func (e *endpoint) protocol() protocol { return protocolOf(e.speaks) }

// has reports whether the configuration has a provider of this name.
func (s *selection) has(name string) bool { _, ok := s.config.Providers[name]; return ok }

// findKey finds the key of a provider: in the environment, in what a command prints,
// and, if kept, in what is stored. Where one of these fails no other key is looked for:
// it would be one that the user did not mean. The variable of another service, whose key goes
// there only because a user named the address, is last. Wherever a key is from, it is of
// this provider only at the host that it is for.
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

// atHome reports whether a provider is at the host that its own key is for: that of its
// table, else one that the table of hosts has.
func (s *selection) atHome(e *endpoint) bool {
	own, configured := s.config.Providers[e.name]
	known := own.known(e.name)
	base, _ := wire.RepairURL(cmp.Or(own.BaseURL, addressOf(known, s.getenv)))
	home, _ := url.Parse(base)
	now, err := url.Parse(e.base)
	return err == nil && (home != nil && home.Host == now.Host || !configured && (known.Name == "" || !e.provider.Foreign))
}

// variable takes the key of an environment variable, if it holds one.
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

// hasKey says that a provider has a key of its own or its service's.
func (e *endpoint) hasKey() bool { return e.source != "" && (e.own || !e.provider.Foreign) }

// place is the provider for people, with the address that its name does not say.
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

// keySource is where the key was found, for people; "" if there is none.
func (e *endpoint) keySource() string {
	if name, ok := strings.CutPrefix(e.source, "env "); ok {
		return name + " in the environment"
	}
	return e.source
}

// all is every provider that can be asked: those of the configuration, then those
// of the table of hosts that have a key, in its order. A key of a variable that a
// configured provider of the same service has is no second one.
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
		if e.hasKey() && !slices.ContainsFunc(mine, func(c endpoint) bool { return c.provider.Name == p.Name && c.source == e.source }) {
			list = append(list, e)
		}
	}
	return list
}

// others is a provider, and then every other one that can be asked. A key that is
// used goes to one place only, and none goes to a service that it is not for: nobody
// chose these.
func (s *selection) others(e endpoint) []endpoint {
	list := []endpoint{e}
	for _, o := range s.all() {
		if o.name == e.name || o.base == e.base && o.source == e.source || o.source != "" && !o.own && o.source == e.source && !o.provider.Foreign {
			continue
		}
		if !o.own && o.provider.Foreign {
			o.key, o.source = "", ""
		}
		list = append(list, o)
	}
	return list
}

// find is the provider of this name, of the configuration or of the table of hosts.
func (s *selection) find(name string) (e endpoint, ok bool) {
	e, err := s.named(name, "")
	return e, err == nil
}

// chosen reports whether a user chose the provider, and not only a model.
func (s *selection) chosen() bool {
	return cmp.Or(s.flags.BaseURL, s.flags.Provider, s.getenv("OPENAI_BASE_URL"), s.config.BaseURL, s.config.Provider) != ""
}

// pick is the provider that answers, and whether there is one: what the flags name,
// else the environment, else the configuration, else the one in front of the model,
// else what has a key.
func (s *selection) pick() (e endpoint, named bool, err error) {
	base, name := s.flags.BaseURL, s.flags.Provider
	flag := base != "" || name != ""
	// The offline model has no server: its name alone sends nothing to the one with a key.
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

// named is the provider of a name, at an address of its own if that is not "".
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
		return endpoint{}, misuse("--provider: %q is not known; it can be %s, or give --base-url", name, strings.Join(s.names(), ", "))
	case base == "" && known.BaseURL == "":
		return endpoint{}, misuse("%s has no address of its own: give yours with --base-url, such as https://NAME.openai.azure.com", known.Name)
	}
	return s.withKey(known.Name, Settings{BaseURL: base}), nil
}

// names are the names that a provider can be chosen by.
func (s *selection) names() []string {
	names := slices.Sorted(maps.Keys(s.config.Providers))
	for _, p := range wire.Providers() {
		if !s.has(p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// model is the model that the user chose for a provider. What the configuration
// says for all of them is not meant for one that a flag names, if that has its own, and
// nor is the offline model.
func (s *selection) model(e endpoint, flag bool) string {
	first, last := s.getenv("IBID_MODEL"), s.config.Model
	switch {
	case !flag:
		first = last
	case last == offline.Name: // which is what the variable says, if it says anything
		first, last = "", ""
	}
	return cmp.Or(s.flags.Model, first, e.settings.Model, last)
}

// prefixed is the provider that stands in front of a model, which is one of the
// configuration, or has a key.
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

// lists reports whether a provider is known to have a model of this very name: the
// catalogue or its last list says so.
func (s *selection) lists(e *endpoint, model string) bool {
	return tokens.InCatalogue(e.provider.Name, model) || place(s.list(e.base), model) >= 0
}

// unnamed is the provider that answers where none was named.
func (s *selection) unnamed() (e endpoint, ok bool) {
	if e, ok := s.prefixed(cmp.Or(s.flags.Model, s.config.Model)); ok {
		return e, true
	}
	list := s.all()
	if keyed := slices.DeleteFunc(slices.Clone(list), func(e endpoint) bool {
		return !e.hasKey() && (e.name != s.last || e.settings.KeyEnv != "") // who answered last needs none
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
		e.why = fmt.Sprintf("%s answers: it is the first of %s; --provider chooses another", e.name, namesOf(list))
	}
	return e, true
}

// namesOf lists the names of providers.
func namesOf(list []endpoint) string {
	var names []string
	for _, e := range list {
		names = append(names, e.name)
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " and " + names[n]
}

// ready is e with its key, and with the protocol that its server speaks.
func (e endpoint) ready(ctx context.Context) endpoint {
	if e.source == inCommand && e.key == "" {
		e.key, e.trouble = keystore.Run(ctx, e.settings.KeyCommand)
	}
	return completeEndpoint(ctx, e)
}

// remarks is what there is to say about an endpoint, and that a key goes to another host
// than its own, once a key and host.
func (p *Providers) remarks(e *endpoint) (said []string) {
	const file = "keys.json"
	for _, s := range []string{e.why, e.repaired} {
		if s != "" {
			said = append(said, s)
		}
	}
	u, err := url.Parse(e.base)
	from := strings.TrimPrefix(e.source, "env ")
	if err != nil || e.key == "" || e.own || !e.provider.Foreign && from == e.provider.KeyVar || p.Hints.Read(file)[u.Host] == from {
		return said
	}
	p.Hints.Set(file, u.Host, from)
	return append(said, fmt.Sprintf("the key in %s goes to %s, the address that you named; this is said once", from, u.Host))
}

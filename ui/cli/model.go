package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/tokens"
)

// chosen is the model that answers, and the way to others.
type chosen struct {
	options  chains.Options // what a session needs to know about the model
	provider string         // for people: "openai", "ollama", "offline"
	source   string         // where the server and its key were found, for people
	why      string         // how the model was chosen: "named", "used last", "first of the server's list"
	notices  []string
	servers  []openai.Server // local servers that answered, if they were looked for
	other    func(ctx context.Context, name string) (chains.Options, error)
	names    func(ctx context.Context) ([]string, error)
}

// endpoint is a server and the key to it.
type endpoint struct {
	provider wire.Provider
	base     string
	key      string // "" sends none
}

// choose decides which model answers: what the flags name, else the
// environment, else the configuration, else OpenAI if there is a key for it,
// else a server on this machine that answers, else the offline model. ask says
// whether servers may be asked which models they have.
func (a *app) choose(ctx context.Context, p *place, ask bool) (chosen, error) {
	counter := tokens.NewCounter(tokens.Options{})
	if a.flags.offline || p.config.Offline && a.flags.baseURL == "" && a.flags.provider == "" {
		return a.offlineModel(counter)
	}
	e, named, err := a.endpoint(p.config)
	if err != nil {
		return chosen{}, err
	}
	var servers []openai.Server
	if !named && ask && (p.config.Discover == nil || *p.config.Discover) {
		servers = openai.Discover(ctx, openai.LocalHosts())
		e, named = found(servers)
	}
	if !named {
		c, err := a.offlineModel(counter)
		c.servers = servers
		if ask && err == nil {
			c.notices = append(c.notices, "no language model is connected: the offline model answers by quoting. Set OPENAI_API_KEY, start Ollama or LM Studio, or give --base-url")
		}
		return c, err
	}
	c, err := a.connect(ctx, p, e, counter, ask)
	c.servers = servers
	return c, err
}

// found is the first server on this machine that has a model to chat with.
func found(servers []openai.Server) (endpoint, bool) {
	for _, s := range servers {
		if _, ok := chains.FirstChat(s.Models); ok {
			return endpoint{base: s.BaseURL, provider: wire.Provider{Name: s.Name, BaseURL: s.BaseURL}}, true
		}
	}
	return endpoint{}, false
}

// endpoint is the server that somebody named; named is false if nobody did.
func (a *app) endpoint(c Config) (e endpoint, named bool, err error) {
	base, name := a.flags.baseURL, a.flags.provider
	if base == "" && name == "" {
		base = a.env.Getenv("OPENAI_BASE_URL")
	}
	if base == "" && name == "" {
		base, name = c.BaseURL, c.Provider
	}
	if name != "" {
		known, ok := wire.FindProvider(name)
		if !ok {
			var names []string
			for _, p := range wire.Providers() {
				names = append(names, p.Name)
			}
			return e, false, usagef("--provider: %q is not known; it can be %s, or give --base-url", name, strings.Join(names, ", "))
		}
		if base == "" {
			base = known.BaseURL
		}
		if base == "" {
			return e, false, usagef("%s has no address of its own: give yours with --base-url, such as https://NAME.openai.azure.com", known.Name)
		}
	}
	if base == "" && a.key("OPENAI_API_KEY") != "" {
		base = "https://api.openai.com/v1"
	}
	if base == "" {
		return e, false, nil
	}
	e.base = strings.TrimRight(base, "/")
	e.provider = wire.ProviderAt(name, e.base)
	if e.provider.KeyVar != "" {
		e.key = a.key(e.provider.KeyVar)
	}
	return e, true, nil
}

// key is the key in an environment variable, without the blanks and quotes that
// come along when it is copied.
func (a *app) key(variable string) string {
	return strings.Trim(a.env.Getenv(variable), " \t\r\n\"'")
}

// foreignKey says where a key goes that belongs to another host, once a host;
// "" if there is nothing to say.
func (a *app) foreignKey(e endpoint) string {
	u, err := url.Parse(e.base)
	if err != nil || e.key == "" || !e.provider.Foreign || a.kept("keys.json")[u.Host] == e.provider.KeyVar {
		return ""
	}
	a.keep("keys.json", u.Host, e.provider.KeyVar)
	return fmt.Sprintf("the key in %s goes to %s, the address that you named; this is said once", e.provider.KeyVar, u.Host)
}

// client makes the connection to an endpoint.
func (a *app) client(c Config, e endpoint) (*openai.Client, error) {
	o := openai.Options{BaseURL: e.base, Key: e.key, KeySource: "env " + e.provider.KeyVar, Name: e.provider.Name}
	if a.flags.record != "" {
		r, err := wire.NewRecorder(a.folder.expand(a.flags.record, a.env.Dir))
		if err != nil {
			return nil, err
		}
		o.Recorder = r
	}
	if c.Cache.Marks {
		o.SendCacheKey = true
		o.Marks = func(model string) openai.Marks {
			switch tokens.Lookup(model).Cache.Kind {
			case tokens.MatchBlock:
				return openai.MarkCacheControl
			case tokens.MatchBoundary:
				return openai.MarkBreakpoint
			}
			return openai.MarkNone
		}
	}
	client, err := openai.New(o)
	if err != nil {
		return nil, usageError{err}
	}
	return client, nil
}

// connect makes the model of an endpoint. A server that does not answer is no
// error here: the first turn says so, and the message is kept.
func (a *app) connect(ctx context.Context, p *place, e endpoint, counter *tokens.Counter, ask bool) (chosen, error) {
	client, err := a.client(p.config, e)
	if err != nil {
		return chosen{}, err
	}
	calibration, err := tokens.OpenCalibration(filepath.Join(a.folder.state, "calibration.json"))
	if err != nil {
		p.log.Warn("token calibration", "err", err)
	}
	l := &link{app: a, place: p, client: client, base: e.base, counter: counter, calibration: calibration}
	c := chosen{provider: client.Name(), why: "named", source: e.base}
	if e.key != "" {
		c.source = e.provider.KeyVar + " in the environment, for " + client.Name()
	}
	model := first(a.flags.model, p.config.Model)
	if model == "" {
		model, c.why = a.lastModel(e.base), "used last"
	}
	if ask {
		if said := a.foreignKey(e); said != "" {
			c.notices = append(c.notices, said)
		}
	}
	// A local server says how large a window it has given the model; nobody else knows.
	if ask && (model == "" || client.Local()) {
		list, err := client.Models(ctx)
		if model == "" {
			model, c.why = l.firstModel(list, err), "first of the server's list"
			if model != "" {
				c.notices = append(c.notices, fmt.Sprintf("answering with %s, the first chat model of %s; --model chooses another", model, client.Name()))
			}
		}
	}
	c.options, c.other, c.names = l.options(model), l.other, l.names
	return c, nil
}

// link is a connection to one server, over which several models can answer.
type link struct {
	app         *app
	place       *place
	client      *openai.Client
	base        string
	counter     *tokens.Counter
	calibration *tokens.Calibration
	broken      error // why no model could be found
}

// firstModel is the first model of the server's list that can chat; without one
// the turn will say why.
func (l *link) firstModel(list []chains.ModelInfo, err error) string {
	info, ok := chains.FirstChat(list)
	switch {
	case err != nil:
		l.broken = err
	case !ok:
		l.broken = &chains.ProviderError{Kind: chains.ErrConfig, Message: fmt.Sprintf("%s has no model that can chat: load one there, or name one with --model", l.client.Name())}
	}
	return info.ID
}

// other goes on with another model of the server.
func (l *link) other(ctx context.Context, name string) (chains.Options, error) {
	l.broken = nil
	if _, err := l.client.Models(ctx); err != nil {
		l.place.log.Warn("list models", "err", err) // the model may answer all the same
	}
	l.app.remember(l.base, name)
	return l.options(name), nil
}

// names lists the models of the server that can chat.
func (l *link) names(ctx context.Context) ([]string, error) {
	list, err := l.client.Models(ctx)
	var names []string
	for _, m := range list {
		if m.Chat {
			names = append(names, m.ID)
		}
	}
	return names, err
}

// facts is what is known about a model here, the nearest source first: the
// configuration, the server's own list, a window that an error named, the table.
func (l *link) facts(model string) tokens.Facts {
	f := tokens.Lookup(model).On(l.client.Name())
	if l.client.Local() {
		// The server decides the window, whatever the model was made for; and what is in its memory stays there.
		f.Window = 0
		f.Cache = tokens.Cache{Kind: tokens.MatchSlot, Min: 1}
	}
	if f.Cache.Kind == tokens.MatchBlock && !l.place.config.Cache.Marks {
		f.Cache = tokens.Cache{None: true} // nothing is cached without a mark
	}
	if n, err := strconv.Atoi(l.app.kept("windows.json")[l.base+" "+model]); err == nil {
		f.Window = n
	}
	if info, ok := l.client.Known(model); ok {
		if info.Window > 0 {
			f.Window = info.Window
		}
		if info.MaxOutput > 0 {
			f.MaxOutput = info.MaxOutput
		}
		f.Images = f.Images || info.Images
	}
	if w := l.place.config.Window.Tokens; w > 0 {
		f.Window = w
	}
	if life := time.Duration(l.place.config.Cache.Lifetime); life > 0 {
		f.Cache.Lifetime = life
	}
	return f
}

// options are what a session needs to know about one model of the server.
func (l *link) options(model string) chains.Options {
	name, facts := l.client.Name(), l.facts(model)
	o := chains.Options{
		Model: &answering{link: l, model: model}, ModelName: model,
		Window: facts.Window, Reserve: facts.Window - tokens.Budget(facts), Vision: facts.Images,
		Cache: chains.CacheRule{Min: facts.Cache.Min, Step: facts.Cache.Step, Lifetime: facts.Cache.Lifetime, None: facts.Cache.None},
		Count: exactly(l.counter), Summarize: true,
		Learn: func(window int) { l.app.keep("windows.json", l.base+" "+model, strconv.Itoa(window)) },
	}
	if r := l.place.config.Window.Reserve; r > 0 {
		o.Reserve = r
	}
	if l.calibration != nil {
		o.Factor = func() float64 { return l.calibration.Factor(name, model) }
		o.Observe = func(counted, reported int) {
			if err := l.calibration.Observe(name, model, counted, reported); err != nil {
				l.place.log.Warn("token calibration", "err", err)
			}
		}
		o.Truncated = func(counted, reported int) bool {
			return l.client.Local() && l.calibration.Truncated(name, model, counted, reported)
		}
	}
	return o
}

// answering is the model of a session: it tells thinking from saying, and
// remembers a model that has answered.
type answering struct {
	link  *link
	model string
	known bool
}

// Stream implements chains.Model.
func (m *answering) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		if m.link.broken != nil && m.model == "" {
			yield(chains.Delta{}, m.link.broken)
			return
		}
		var split wire.ThinkSplitter
		for d, err := range m.link.client.Stream(ctx, r) {
			if err == nil && d.Text != "" {
				said, thought := split.Add(d.Text)
				d.Text, d.Reasoning = said, d.Reasoning+thought
				m.answered()
			}
			if err != nil || d.Finish != "" {
				said, thought := split.Close()
				if !yield(chains.Delta{Text: said, Reasoning: thought}, nil) {
					return
				}
			}
			if !yield(d, err) {
				return
			}
		}
		if said, thought := split.Close(); said != "" || thought != "" {
			yield(chains.Delta{Text: said, Reasoning: thought}, nil)
		}
	}
}

func (m *answering) answered() {
	if !m.known {
		m.known = true
		m.link.app.remember(m.link.base, m.model)
	}
}

// offlineModel is the model that needs nothing.
func (a *app) offlineModel(counter *tokens.Counter) (chosen, error) {
	delay := time.Duration(0)
	if terminal(a.env.Stdout) {
		delay = 12 * time.Millisecond // a person reads along
	}
	var m chains.Model = offline.New(offline.Options{Delay: delay, Count: exactly(counter)})
	if a.flags.record != "" {
		to, err := wire.NewRecorder(a.folder.expand(a.flags.record, a.env.Dir))
		if err != nil {
			return chosen{}, err
		}
		m = to.Recorded(m)
	}
	return chosen{
		provider: "offline", why: "no server", source: "none: the offline model answers",
		options: chains.Options{
			Model: m, ModelName: offline.Name,
			Cache: chains.CacheRule{None: true}, Count: exactly(counter),
		},
	}, nil
}

// exactly counts with the vocabulary from the first text on. Unfolding it takes
// some 30 ms, once, in the goroutine that counts first; the screen never does.
func exactly(c *tokens.Counter) func(string) int {
	return func(text string) int {
		c.Load()
		return c.Count(text)
	}
}

// lastModel is the model that answered last at a server, "" if none did.
func (a *app) lastModel(base string) string { return a.kept("models.json")[base] }

// remember keeps which model answered at a server.
func (a *app) remember(base, model string) { a.keep("models.json", base, model) }

// kept reads a small file of the state folder: hints for the next time.
func (a *app) kept(name string) map[string]string {
	hints := map[string]string{}
	data, err := os.ReadFile(filepath.Join(a.folder.state, name))
	if err != nil || json.Unmarshal(data, &hints) != nil {
		return map[string]string{} // nothing is known yet, as far as anybody can tell
	}
	return hints
}

// keep adds to a small file of the state folder. Failing to is no reason to
// bother anybody.
func (a *app) keep(name, key, value string) {
	hints := a.kept(name)
	if hints[key] == value {
		return
	}
	hints[key] = value
	data, err := json.MarshalIndent(hints, "", "  ")
	if err != nil || os.MkdirAll(a.folder.state, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(a.folder.state, name+"-*")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(a.folder.state, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

package connect

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/connect/keystore"
	"ibid/chains/gemini"
	"ibid/chains/offline"
	"ibid/context/tokens"
	"ibid/vault/ownfile"
	"ibid/vault/routine"
)

// Flags are the flags about providers.
type Flags struct {
	Model    string `flag:"model,m" values:"MODEL" help:"ask the model <NAME>, as the provider spells it"`
	BaseURL  string `flag:"base-url" values:"" help:"ask the OpenAI-compatible server at <URL>"`
	Provider string `flag:"provider" values:"NAME" help:"ask the provider <NAME>, such as openai, openrouter or ollama"`
	Offline  bool   `flag:"offline" help:"answer without a model, by quoting the attached notes"`
}

// Options configure the providers of a run.
type Options struct {
	Config  Config
	Reload  func() (map[string]Settings, error) // reads the configured providers again; nil if they cannot change
	Flags   Flags
	Getenv  func(string) string
	Keys    keystore.Store
	Tables  Tables
	Hints   ownfile.Hints
	Path    func(name string) string // makes a path of the configuration absolute
	Record  string                   // folder for recordings of requests and replies, "" for none
	Version string
	Delay   time.Duration // between the words of the offline model
	Log     *slog.Logger  // nil for none
	Screen  bool          // for the screen, on which chats get titles
	OneTurn bool          // the conversation ends after one turn
}

// Tables changes the tables of providers in the configuration.
type Tables interface {
	AddProvider(name string, s *Settings) error
	RemoveProvider(name string) error
	Place(name string) string // describes the place of a table for the user
}

// Providers are the providers of one run, with the links to them. New makes it.
type Providers struct {
	Options
	count       func(string) int // counts the tokens of a text
	calibration *tokens.Calibration

	start  *start // nil before Choose, or if it may ask no server
	asking routine.Group
	pool   pool
}

// pool holds the links that were made.
type pool struct {
	mu    sync.Mutex
	links map[string]*link // by provider
	kept  []*gemini.Cache  // caches at Gemini, to be deleted at the end
	now   string           // provider of the current model
}

// New returns the providers of a run. It asks no server.
func New(o Options) *Providers {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Providers{Options: o, pool: pool{links: map[string]*link{}}, count: tokens.NewCounter().Count}
}

// Files of the state folder with what answered last.
const (
	providersFile = "providers.json"
	lastProvider  = "last"
	modelsFile    = "models.json" // last model, by address
)

// selection returns the providers as they are configured now, since the user may have added some.
func (p *Providers) selection(ctx context.Context) *selection {
	config := p.Config
	if p.Reload != nil {
		if now, err := p.Reload(); err == nil {
			config.Providers = now
		}
	}
	return &selection{
		config: config, flags: p.Flags, getenv: p.Getenv, last: p.Hints.Read(providersFile)[lastProvider],
		stored: func(name string) (key, source string, err error) { return p.Keys.Find(ctx, name) },
		list:   func(base string) []chains.ModelInfo { return keptList(p.Hints, base) },
	}
}

// at returns the link to a provider, else the link to the current one, nil if there is none.
func (p *Providers) at(name string) *link {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	return cmp.Or(p.pool.links[name], p.pool.links[p.pool.now])
}

// link returns the link to a provider. It makes a new one if the settings changed.
func (p *Providers) link(ctx context.Context, e endpoint) (*link, error) {
	if was := p.at(e.name); was != nil && was.trouble == nil && was.same(&e) {
		return was, nil
	}
	l, err := p.openKeeping(e.ready(ctx))
	if err != nil {
		return nil, err
	}
	l.unsaid, l.later = p.remarks(l.endpoint), true
	p.add(l, false)
	return l, nil
}

// add adds a link to the pool, and with chosen makes its provider the current one.
func (p *Providers) add(l *link, chosen bool) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	if p.pool.links[l.name] = l; chosen {
		p.pool.now = l.name
	}
}

// open makes a link to an endpoint. It asks no server.
func (p *Providers) open(e endpoint) (*link, error) {
	server, err := p.server(&e)
	return &link{endpoint: &e, of: p, config: p.Config.at(&e), server: server}, err
}

// openKeeping makes a link for chats. If the settings want it, and more than one turn can come, Gemini keeps the
// beginnings of prompts.
func (p *Providers) openKeeping(e endpoint) (l *link, err error) {
	if !e.settings.ExplicitCache || p.OneTurn {
		return p.open(e)
	}
	to, err := p.wire(&e)
	if err != nil {
		return nil, err
	}
	o := gemini.Options{
		Options: to, Count: p.count,
		Least: func(model string) int { return l.facts(strings.TrimPrefix(model, "models/")).Cache.Min },
	}
	if at := e.settings.Prices; at != nil {
		o.Storage = at.Stored
	}
	keeps, err := gemini.New(o)
	if err != nil {
		return nil, misuse("%w", err)
	}
	p.pool.mu.Lock()
	p.pool.kept = append(p.pool.kept, keeps)
	p.pool.mu.Unlock()
	e.keeper = keeps
	l, err = p.open(e)
	return l, err
}

// Drop deletes the caches of a chat at providers, by its cache key.
func (p *Providers) Drop(ctx context.Context, chat string) {
	p.pool.mu.Lock()
	all := slices.Clone(p.pool.kept)
	p.pool.mu.Unlock()
	for _, k := range all {
		k.Drop(ctx, chat)
	}
}

// Close deletes the caches of this run at providers, which cost money. Those that it cannot delete expire.
func (p *Providers) Close(ctx context.Context) {
	if p.asking.Stop != nil {
		p.asking.Stop()
	}
	p.asking.Wait()
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	for _, k := range p.pool.kept {
		k.Close(ctx)
	}
	p.pool.kept = nil
}

// same reports whether two endpoints have the same address, key and settings. A key that was not read yet equals any.
func (e *endpoint) same(as *endpoint) bool {
	return e.name == as.name && e.base == as.base && e.source == as.source &&
		(e.key == as.key || as.key == "") && reflect.DeepEqual(e.settings, as.settings)
}

// find returns the link and the model for a name of the user. at is the provider of the chat.
func (p *Providers) find(ctx context.Context, at, name string) (*link, string, error) {
	p.settled(ctx)
	now := p.at(at)
	from := p.selection(ctx)
	e, ok := from.prefixed(name)
	switch {
	// NAME/ is more likely part of the name of a model if the user chose the provider
	case now != nil && (!ok || from.chosen() && !from.has(e.name) || from.lists(now.endpoint, name)):
		return now, name, nil
	case ok && now != nil && e.name == now.name && now.trouble == nil:
		return now, e.model, nil
	case ok:
		l, err := p.link(ctx, e)
		return l, e.model, err
	default:
		return nil, "", errors.New("no provider is connected: NAME/MODEL names one; `ibid provider` lists those that there are, and `ibid provider add` adds one")
	}
}

// Model makes a model the current one, also of another provider, or the offline one. Whether there is one of that name
// the next turn will tell.
func (p *Providers) Model(ctx context.Context, at, name string) (chains.Options, error) {
	return p.with(ctx, at, name, func(l *link, _ context.Context, model string) (chains.Options, error) {
		p.add(l, true)
		l.remember(model)
		return l.options(model), nil
	})
}

// Once returns the options of a model for one turn, also of another provider, or the offline one.
func (p *Providers) Once(ctx context.Context, at, name string) (chains.Options, error) {
	return p.with(ctx, at, name, (*link).once)
}

// with calls use with the model for a name. The offline one needs no server.
func (p *Providers) with(ctx context.Context, at, name string,
	use func(*link, context.Context, string) (chains.Options, error),
) (o chains.Options, err error) {
	if name == offline.Name {
		l, err := p.open(endpoint{})
		if err != nil {
			return o, err
		}
		return l.offline(), nil
	}
	l, model, err := p.find(ctx, at, name)
	if err != nil {
		return o, err
	}
	return use(l, ctx, model)
}

// Effort sets the level of reasoning of a provider, unless level is "", and returns the options of a model with it.
func (p *Providers) Effort(at, model, level string) (chains.Effort, error) {
	l := p.at(at)
	if l == nil || at == "" && model == offline.Name {
		return chains.Effort{}, errors.New("the offline model does not think")
	}
	if level != "" {
		l.effort.Store(level)
	}
	return chains.Effort{Options: l.options(model), Now: l.thinking(), Levels: l.facts(model).Levels()}, nil
}

// Pull has a server download a model: the current or named one, else the Ollama of this machine.
func (p *Providers) Pull(ctx context.Context, name string) iter.Seq2[chains.Progress, error] {
	server, err := p.puller(ctx)
	if err != nil {
		return func(yield func(chains.Progress, error) bool) { yield(chains.Progress{}, err) }
	}
	return server.Pull(ctx, name)
}

// puller is a server that downloads models.
type puller interface {
	Pull(ctx context.Context, name string) iter.Seq2[chains.Progress, error]
}

func (p *Providers) puller(ctx context.Context) (puller, error) {
	l := p.at("")
	if l == nil {
		from := p.selection(ctx)
		e, named, err := from.pick()
		if err == nil && (!named || e.base == "") {
			e, err = from.named("ollama", "")
		}
		if err != nil {
			return nil, err
		}
		if l, err = p.open(e.ready(ctx)); err != nil {
			return nil, err
		}
	}
	if server, ok := l.server.(puller); ok {
		return server, nil
	}
	return nil, misuse("%s pulls no models: that is for Ollama, which --provider ollama names", l.server.Name())
}

// Models asks the named provider, else all at once, for their models. notes are notices about the providers.
func (p *Providers) Models(ctx context.Context) (list []chains.Offer, notes []string, err error) {
	from := p.selection(ctx)
	e, named, err := from.pick()
	if err != nil {
		return nil, nil, err
	}
	if !named {
		e, _ = chooseServer(p.Discover(ctx))
	}
	all := []endpoint{e}
	if named && e.base != "" && p.Flags.Provider == "" && p.Flags.BaseURL == "" {
		all = from.others(e)
	}
	list, said := make([]chains.Offer, len(all)), make([][]string, len(all))
	var asking routine.Group
	for i, e := range all {
		asking.Go(func() {
			l, err := p.open(e.ready(ctx))
			list[i] = chains.Offer{
				Provider: e.name, Now: len(all) == 1,
				Last: cmp.Or(p.Hints.Read(modelsFile)[e.base], offline.Name), Err: err,
			}
			if err == nil {
				said[i] = p.remarks(l.endpoint)
				list[i].Models, list[i].Err = l.server.Models(ctx)
				l.describe(list[i].Models)
			}
		})
	}
	asking.Wait()
	return list, slices.Concat(said...), ctx.Err()
}

// Offers asks all providers at once for their models, and yields each answer when it comes. A provider gets the key of
// another service only if the user chose it.
func (p *Providers) Offers(ctx context.Context) iter.Seq[chains.Offer] {
	return func(yield func(chains.Offer) bool) {
		p.settled(ctx)
		now, first := p.at(""), endpoint{}
		if now != nil {
			first = *now.endpoint
		}
		all := p.selection(ctx).others(first)
		if now == nil {
			all = all[1:]
		}
		answers := make(chan chains.Offer, len(all))
		ctx, cancel := context.WithCancel(ctx)
		asking := routine.Group{Stop: cancel}
		defer asking.Wait()
		defer cancel()
		for _, e := range all {
			asking.Go(func() { answers <- p.offer(ctx, e, now) })
		}
		for range all {
			select {
			case o := <-answers:
				if !yield(o) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// offer asks a provider for its models. now is the link to the current one.
func (p *Providers) offer(ctx context.Context, e endpoint, now *link) chains.Offer {
	l, o := now, chains.Offer{Provider: e.name, Now: now != nil && e.name == now.name}
	switch {
	case o.Now:
	case !e.own && e.provider.Foreign:
		l, o.Err = p.open(e.ready(ctx))
	default:
		l, o.Err = p.link(ctx, e)
	}
	if o.Err == nil {
		o.Models, o.Err = l.chats(ctx)
	}
	return o
}

// lastList returns the models to choose from if the server does not answer: its last list, else the default of the
// catalogue.
func (l *link) lastList() []chains.ModelInfo {
	list := keptList(l.of.Hints, l.base)
	if model := l.preset(); model != "" && len(list) == 0 {
		list = append(list, chains.ModelInfo{ID: model, Chat: true})
	}
	return list
}

// describe completes a list with the windows, abilities and prices from other sources.
func (l *link) describe(list []chains.ModelInfo) {
	for i := range list {
		m := &list[i]
		f := l.facts(m.ID)
		if m.Window, m.Images, m.Tools = f.Window, f.Images, m.Tools || f.Tools; l.settings.Prices != nil {
			m.Price = l.settings.Prices.price()
		}
	}
}

// chats returns the models that can chat, the default of the catalogue first. With an error they are those of lastList.
func (l *link) chats(ctx context.Context) ([]chains.ModelInfo, error) {
	if l.trouble != nil {
		return nil, l.trouble
	}
	list, err := l.server.Models(ctx)
	if err != nil {
		list = l.lastList()
	}
	list = slices.DeleteFunc(list, func(m chains.ModelInfo) bool { return !m.Chat })
	if i := place(list, l.preset()); i > 0 {
		list = slices.Concat(list[i:i+1], list[:i], list[i+1:])
	}
	l.describe(list)
	return list, err
}

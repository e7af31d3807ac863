package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"ibid/chains"
	"ibid/chains/gemini"
	"ibid/chains/offline"
	"ibid/chains/ollama"
	"ibid/context/tokens"
	"ibid/vault/routine"
)

// connections are the links of one run to providers. A link is made when something
// first asks for a model of its provider, or for what all of them have.
type connections struct {
	app         *app
	parts       *parts
	count       func(string) int
	calibration *tokens.Calibration
	chosen      bool // a user chose the provider: NAME/ in front of a model is a provider only if that has the model

	mu    sync.Mutex
	links map[string]*link // by the names of providers; mu is held
	kept  []keeping        // mu is held
	now   string           // the provider that was chosen last; mu is held
}

// keeping is what an endpoint keeps of prompts.
type keeping struct {
	at    *endpoint
	cache *gemini.Cache
}

// selection is what there is to choose from now: providers may have been added.
func (c *connections) selection(ctx context.Context) *selection {
	config := c.parts.config
	if now, err := c.app.settings(); err == nil {
		config.Providers = now.Providers
	}
	return c.app.selection(ctx, config)
}

// at is the link to a provider, to the one that was chosen last if there is none of
// that name; nil if none was chosen.
func (c *connections) at(name string) *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return cmp.Or(c.links[name], c.links[c.now])
}

// link gives the link to a provider, which is made again if its settings are others.
func (c *connections) link(ctx context.Context, e endpoint) (*link, error) {
	c.mu.Lock()
	was := c.links[e.name]
	c.mu.Unlock()
	if was != nil && was.same(e) {
		return was, nil
	}
	l, err := c.open(e.ready(ctx))
	if err != nil {
		return nil, err
	}
	l.unsaid, l.later = l.remarks(c.app), true
	c.add(l)
	return l, nil
}

func (c *connections) add(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.links == nil {
		c.links = map[string]*link{}
	}
	c.links[l.name] = l
}

// choose makes a provider the one that was chosen last.
func (c *connections) choose(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = l.name
}

// open connects to an endpoint.
func (c *connections) open(e endpoint) (*link, error) {
	l := &link{endpoint: &e, app: c.app, parts: c.parts, config: c.parts.config.at(e), count: c.count, calibration: c.calibration}
	if err := c.keep(l); err != nil {
		return nil, err
	}
	e.keeper = l.keeper
	var err error
	l.server, err = c.app.server(c.parts.config, e, c.count)
	return l, err
}

// keep has Gemini keep the beginning of prompts, where the settings say so and more
// than one turn is to come.
func (c *connections) keep(l *link) error {
	if !l.settings.ExplicitCache || c.parts.once {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kept {
		if k.at.base == l.base && k.at.key == l.key && reflect.DeepEqual(k.at.settings, l.settings) {
			l.keeper = k.cache
			return nil
		}
	}
	to, err := c.app.wire(*l.endpoint)
	if err != nil {
		return err
	}
	o := gemini.Options{
		Options: to, Count: c.count, Storage: -1,
		Least: func(model string) int { return l.facts(strings.TrimPrefix(model, "models/")).Cache.Min },
		Price: func(model string) chains.Price {
			return (&priced{link: l, name: strings.TrimPrefix(model, "models/")}).Price()
		},
		Log: func(what string, err error) { c.parts.log.Warn(what, "err", err) },
	}
	if p := l.settings.Prices; p != nil && p.Stored != nil {
		o.Storage = *p.Stored
	}
	keeps, err := gemini.New(o)
	if err != nil {
		return usageError{err}
	}
	l.keeper = keeps
	c.kept = append(c.kept, keeping{l.endpoint, keeps})
	return nil
}

// drop deletes what providers keep of a chat, by its cache key.
func (c *connections) drop(ctx context.Context, chat string) {
	c.mu.Lock()
	all := slices.Clone(c.kept)
	c.mu.Unlock()
	for _, k := range all {
		k.cache.Drop(ctx, chat)
	}
}

// end deletes what providers keep of the chats of this run. What is left ends with its
// time.
func (c *connections) end(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kept {
		k.cache.Close(ctx)
	}
	c.kept = nil
}

// same reports whether a link goes where e does, with the same key and settings. A
// key that could not be had is tried again.
func (l *link) same(e endpoint) bool {
	return l.trouble == nil && l.base == e.base && l.source == e.source && (l.key == e.key || e.key == "") && reflect.DeepEqual(l.settings, e.settings)
}

// find is the link and the model that a user means by a name, where the provider
// of a chat is at.
func (c *connections) find(ctx context.Context, at, name string) (*link, string, error) {
	now := c.at(at)
	if now != nil && now.has(ctx, name) {
		return now, name, nil
	}
	e, ok := c.selection(ctx).prefixed(name)
	switch {
	case ok && now != nil && e.name == now.name && now.trouble == nil:
		return now, e.model, nil
	case ok:
		l, err := c.link(ctx, e)
		if err != nil || !c.chosen || l.has(ctx, e.model) {
			return l, e.model, err
		}
	}
	if now == nil {
		return nil, "", errors.New("no provider is connected: NAME/MODEL names one; `ibid provider` lists those that there are, and `ibid provider add` adds one")
	}
	return now, name, nil
}

// has asks the server for its list and reports whether a model is on it.
func (l *link) has(ctx context.Context, model string) bool {
	if _, err := l.server.Models(ctx); err != nil {
		l.parts.log.Warn("list models", "err", err) // the model may answer all the same
	}
	_, ok := l.server.Known(model)
	return ok
}

// misses reports whether the server names its models, and this is none of them.
func (l *link) misses(ctx context.Context, model string) bool {
	list, err := l.server.Models(ctx)
	_, ok := l.server.Known(model)
	return err == nil && len(list) > 0 && !ok
}

// unlisted is the provider that was chosen last if it names its models and this is none
// of them, else "". The offline model needs no list.
func (c *connections) unlisted(ctx context.Context, model string) string {
	if l := c.at(""); l != nil && model != offline.Name && l.misses(ctx, model) {
		return l.name
	}
	return ""
}

// offline is the model that answers without a server.
func (c *connections) offline() (chains.Options, error) {
	l, err := c.open(endpoint{})
	if err != nil {
		return chains.Options{}, err
	}
	return l.offline(), nil
}

// other goes on with another model, which may be another provider's, or the offline
// one. Words that no list has are no name.
func (c *connections) other(ctx context.Context, at, name string) (chains.Options, error) {
	if name == offline.Name {
		return c.offline()
	}
	l, model, err := c.find(ctx, at, name)
	if err != nil {
		return chains.Options{}, err
	}
	if strings.ContainsAny(model, " \t") && l.misses(ctx, model) {
		return chains.Options{}, fmt.Errorf("no provider lists a model %q; /model alone lists those that there are", name)
	}
	c.choose(l)
	l.remember(model)
	return l.options(model), nil
}

// once answers a turn with another model, which may be another provider's, or the
// offline one.
func (c *connections) once(ctx context.Context, at, name string) (chains.Options, error) {
	if name == offline.Name {
		return c.offline()
	}
	l, model, err := c.find(ctx, at, name)
	if err != nil {
		return chains.Options{}, err
	}
	return l.once(ctx, model)
}

// effort goes on with a model that thinks as much as level says, "" as it does.
func (c *connections) effort(at, model, level string) (chains.Effort, error) {
	l := c.at(at)
	if l == nil || at == "" && model == offline.Name {
		return chains.Effort{}, errors.New("the offline model does not think")
	}
	if level != "" {
		l.effort.Store(level)
	}
	return chains.Effort{Options: l.options(model), Now: l.thinking(), Levels: l.facts(model).Levels()}, nil
}

// pull has the Ollama that was chosen fetch a model.
func (c *connections) pull(ctx context.Context, name string) iter.Seq2[chains.Progress, error] {
	if l := c.at(""); l != nil {
		if from, ok := l.server.(*ollama.Client); ok {
			return from.Pull(ctx, name)
		}
	}
	return func(yield func(chains.Progress, error) bool) {
		yield(chains.Progress{}, errors.New("no Ollama is connected: only that pulls models"))
	}
}

// offers asks all providers for their models, at once, and gives each answer when it
// comes. A key of another service goes to a provider only once that was chosen.
func (c *connections) offers(ctx context.Context) iter.Seq[chains.Offer] {
	return func(yield func(chains.Offer) bool) {
		now, first := c.at(""), endpoint{}
		if now != nil {
			first = *now.endpoint
		}
		all := c.selection(ctx).others(first)
		if now == nil {
			all = all[1:]
		}
		answers := make(chan chains.Offer)
		ctx, cancel := context.WithCancel(ctx)
		asking := routine.Group{Stop: cancel}
		defer asking.Wait()
		defer cancel()
		for _, e := range all {
			asking.Go(func() {
				l, offer := now, chains.Offer{Provider: e.name}
				switch offer.Now = now != nil && e.name == now.name; {
				case offer.Now:
				case !e.own && e.provider.Foreign:
					l, offer.Err = c.open(e.ready(ctx))
				default:
					l, offer.Err = c.link(ctx, e)
				}
				if offer.Err == nil {
					offer.Models, offer.Err = l.chats(ctx)
				}
				select {
				case answers <- offer:
				case <-ctx.Done():
				}
			})
		}
		for range all {
			select {
			case offer := <-answers:
				if !yield(offer) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// chats is the models of the server that can chat, with what is known about them.
func (l *link) chats(ctx context.Context) ([]chains.ModelInfo, error) {
	if l.trouble != nil {
		return nil, l.trouble
	}
	list, err := l.server.Models(ctx)
	list = slices.DeleteFunc(list, func(m chains.ModelInfo) bool { return !m.Chat })
	for i := range list {
		list[i].Window, _ = l.window(list[i].ID)
		if p := l.settings.Prices.price(); p.Known {
			list[i].Price = p
		}
	}
	return list, err
}

// firstLink is the link of a run that begins.
func (c *connections) firstLink(e endpoint) (*link, error) {
	l, err := c.open(e)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", e.name, err)
	}
	if e.base != "" {
		c.add(l)
		c.choose(l)
	}
	return l, nil
}

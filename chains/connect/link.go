package connect

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/context/tokens"
)

// link is a connection to one server, over which several models can answer.
type link struct {
	*endpoint
	of     *Providers
	config Config // for the endpoint
	server chains.Server
	broken error        // why no model could be found when the program began
	effort atomic.Value // a string: how much models are to think from now on; nil is as the settings say
	levels sync.Map     // efforts that a model lacks, of which that was said
	start  *start       // what the start still asks, for a link that was made without an answer
	later  bool         // it is another provider than the one that the program began with
	unsaid []string     // what there is to say about the provider, before its first reply
	saying sync.Once
}

// first is the model to begin with: what the user or the address named, else what
// answered last, else the catalogue's choice for the provider, else, of a server whose
// models are a person's own, the first of its list that can chat; without one the turn
// will say why.
func (l *link) first(ctx context.Context, ask bool, c *Choice) string {
	model, why := l.begins()
	switch {
	case model == "" && !ask:
		return ""
	case model == "":
		if model, l.broken = l.choose(ctx); l.broken != nil {
			return ""
		}
	case why != byCatalogue:
		if ask && l.server.Local() { // which says how large a window it has given the model; nobody else knows
			_, _ = l.server.Models(ctx) // the turn says what is wrong with it
		}
		return model
	}
	c.Notices = append(c.Notices, l.answers(model))
	return model
}

// choose is the model of a server that was told none, by its list. What a vendor lists
// has an order of its own, which chooses nothing.
func (l *link) choose(ctx context.Context) (model string, err error) {
	problem := ""
	switch {
	case protocolOf(l.provider.Name).deployments:
		problem = "%s answers by the names of your deployments: name one with --model or /model"
	case !l.personal():
		problem = "no model of %s is chosen: name one with --model or /model; `ibid models` lists them"
	default:
		list, err := l.server.Models(ctx)
		if err != nil {
			return "", err
		}
		if info, ok := chains.FirstChat(list); ok {
			return info.ID, nil
		}
		problem = "%s has no model that can chat: load one there, or name one with --model"
	}
	return "", &chains.ProviderError{Kind: chains.ErrConfig, Message: fmt.Sprintf(problem, l.server.Name())}
}

// personal reports whether the models that the server lists are a person's own, so that
// the first of them may answer.
func (l *link) personal() bool {
	return (l.provider.Foreign || l.server.Local()) && !protocolOf(l.provider.Name).deployments
}

// byCatalogue is why a model answers that nobody chose.
const byCatalogue = "none was chosen, and the catalogue begins with it"

// begins is the model that answers without a look at the list, and why; "" for none.
func (l *link) begins() (model, why string) {
	if named, _ := l.server.Known(""); named.ID != "" {
		return named.ID, "it was named"
	}
	if last := l.of.Hints.Read(modelsFile)[l.base]; last != "" {
		return last, "it was used last"
	}
	return l.preset(), byCatalogue
}

// preset is the catalogue's choice for the provider, "" if it has none. Where the last
// list of the server does not have it, the newest of its family there takes its place.
func (l *link) preset() string {
	if l.provider.Foreign || protocolOf(l.provider.Name).deployments {
		return ""
	}
	model := tokens.Default(l.provider.Name)
	list := keptList(l.of.Hints, l.base)
	if model == "" || len(list) == 0 || place(list, model) >= 0 {
		return model
	}
	const digits = "0123456789"
	family, newest := model[:max(strings.IndexAny(model, digits), 0)], ""
	for _, m := range list {
		if rest, ok := strings.CutPrefix(m.ID, family); ok && m.Chat && rest != "" &&
			strings.Contains(digits, rest[:1]) {
			newest = max(newest, m.ID)
		}
	}
	return newest
}

// answers returns the notice that names the model in use, if none was chosen, and its price.
func (l *link) answers(model string) string {
	costs := ""
	if p := l.price(model); p.Known {
		costs = " (" + p.PerMillion() + ")"
	}
	return fmt.Sprintf("answering with %s of %s%s, since none was chosen; --model or /model chooses another",
		model, l.server.Name(), costs)
}

// remember keeps that a model answered, and at which provider.
func (l *link) remember(model string) {
	l.of.Hints.Set(modelsFile, l.base, model)
	l.of.Hints.Set(providersFile, lastProvider, l.name)
	l.of.Hints.Touch(recentFile, l.name+"/"+model)
}

// once answers a turn with another model, which the server has: its last list decides,
// whatever the case of the name, else the catalogue. Only a server that gave no list is asked.
// The next start does not begin with it.
func (l *link) once(ctx context.Context, name string) (o chains.Options, err error) {
	list := keptList(l.of.Hints, l.base)
	if len(list) == 0 {
		if list, err = l.server.Models(ctx); err != nil {
			return o, fmt.Errorf("%s does not say which models it has: %w", l.server.Name(), err)
		}
	}
	info := chains.ModelInfo{ID: name, Chat: true}
	if i := slices.IndexFunc(list, func(m chains.ModelInfo) bool { return strings.EqualFold(m.ID, name) }); i >= 0 {
		info = list[i]
	} else if !tokens.InCatalogue(l.provider.Name, name) {
		return o, fmt.Errorf("%s has none of that name", l.server.Name())
	}
	if !info.Chat {
		return o, fmt.Errorf("%s does not chat", info.ID)
	}
	o = l.options(info.ID)
	o.Model.(*linkModel).known.Store(true)
	return o, nil
}

// thinking returns the effort of models, "" for the default of the provider.
func (l *link) thinking() string {
	if level, ok := l.effort.Load().(string); ok {
		return level
	}
	return l.settings.Effort
}

// facts returns the facts about a model here. The nearest source counts: the configuration, the server's own list, a
// window that an error named, the table.
func (l *link) facts(model string) tokens.Facts {
	f := tokens.Lookup(l.provider.Name, model)
	f.Cache = l.config.Cache.of(l.provider, model, l.server.Local())
	f.Window, _ = l.window(model)
	if info, ok := l.server.Known(model); ok {
		if info.MaxOutput > 0 {
			f.MaxOutput = info.MaxOutput
		}
		f.Images = f.Images || info.Images
	}
	if own := l.settings.Images; own != nil {
		f.Images = *own
	}
	return f
}

// window returns the window of a model here and its source; 0 if it is unknown.
func (l *link) window(model string) (n int, from string) {
	info, _ := l.server.Known(model)
	own, table := l.config.Window.Tokens, tokens.Lookup(l.provider.Name, model).Window
	if l.protocol().asks {
		own = 0
	}
	if l.server.Local() && !l.protocol().fixed { // the server decides, whatever the model was made for
		table = 0
	}
	value, day := l.learned().fact(model, "window")
	learned, _ := strconv.Atoi(value)
	switch {
	case own > 0:
		return own, "the settings say"
	case info.Window > 0:
		return info.Window, "the server says"
	case learned > 0:
		return learned, "an error of the server said on " + day
	case table > 0:
		return table, "models of this name have"
	}
	return 0, ""
}

// options returns the options of a session for one model of the server.
func (l *link) options(model string) chains.Options {
	name, facts := l.server.Name(), l.facts(model)
	o := chains.Options{
		Model: &linkModel{link: l, name: model, effort: l.thinking()}, ModelName: model,
		Chain:  l.chain(model, facts),
		Window: facts.Window, Reserve: facts.Window - tokens.Budget(facts), Vision: facts.Images,
		Cache: chains.CacheRule{At: l.name, Cache: facts.Cache.Cache, Lifetime: facts.Cache.Lifetime},
		Tools: l.calling(model, facts),
		Count: l.of.count,
		Background: chains.Background{
			Summaries: true, Titles: l.titles(), Widen: l.config.Widen, Thinks: l.thinks, Stops: l.stops,
		},
		SaveThinking: l.config.Chats.SaveThinking,
	}
	if r := l.config.Window.Reserve; r > 0 {
		o.Reserve = r
	}
	o.Calibrate.Window = func(window int) { l.learned().keep(model, "window", strconv.Itoa(window)) }
	if l.of.calibration != nil {
		o.Calibrate.Factor = func() float64 { return l.of.calibration.Factor(name, model) }
		o.Calibrate.Observe = func(counted, reported int) {
			if err := l.of.calibration.Observe(name, model, counted, reported); err != nil {
				l.of.Log.Warn("token calibration", "err", err)
			}
		}
		o.Calibrate.Truncated = func(counted, reported int) bool {
			return l.server.Local() && l.of.calibration.Truncated(name, model, counted, reported)
		}
	}
	return o
}

// titles returns the settings for titles of chats: they are made only on the screen, and by a local server, for
// which another request is work, only if the settings ask for them. A later provider may lack the model that the
// settings name for titles; then its own model makes them.
func (l *link) titles() chains.Titles {
	c := &l.config.Chats
	if !l.of.Screen || c.Titles != nil && !*c.Titles {
		return chains.Titles{}
	}
	t := chains.Titles{Ask: true, Auto: c.Titles != nil || !l.server.Local()}
	_, has := l.server.Known(c.TitleModel)
	if c.TitleModel != "" && (has || !l.later) {
		t.Model, t.Name = l.modelNamed(c.TitleModel), c.TitleModel
	}
	return t
}

// thinks reports whether a model is known to think before its answer.
func (l *link) thinks(model string) bool {
	info, _ := l.server.Known(model)
	return info.Thinks || tokens.Lookup(l.provider.Name, model).Reasoning
}

// stops reports whether thinking can be turned off for a model.
func (l *link) stops(model string) bool {
	return slices.Contains(l.facts(model).Levels(), tokens.EffortOff)
}

// offline returns the options for the model without a server: it has no window, no cache and no count of its own,
// costs nothing and writes no titles.
func (l *link) offline() chains.Options {
	return chains.Options{
		Model: l.server.Model(offline.Name), ModelName: offline.Name, Chain: chains.Vault{},
		Cache: chains.CacheRule{Cache: prompt.Cache{Kind: prompt.CacheNone}}, Count: l.of.count,
		Tools: chains.Toolbox{Calling: chains.CallsNothing},
		Large: chains.LargePolicy{AskAbove: -1},
	}
}

// linkModel is a model of a server. That it answered is remembered, and it says what a
// request has cost where the server does not.
type linkModel struct {
	link   *link
	name   string
	effort string
	known  atomic.Bool // that it answers is remembered, or not to be
}

// modelNamed is the model of this name, which is not remembered.
func (l *link) modelNamed(name string) *linkModel {
	m := &linkModel{link: l, name: name}
	m.known.Store(true)
	return m
}

// Stream implements chains.Model.
func (m *linkModel) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		l, name := m.link, m.name
		r.Effort = cmp.Or(r.Effort, m.effort)
		if l.start != nil {
			if o, ok := l.start.await(ctx, m, yield); ok {
				o.Model.Stream(ctx, r)(yield)
			}
			return
		}
		var unsaid []string
		l.saying.Do(func() { unsaid = l.unsaid })
		if !say(yield, unsaid...) {
			return
		}
		if name == "" && l.broken != nil { // the server may answer by now
			var err error
			if name, err = l.choose(ctx); err != nil {
				yield(chains.Delta{}, err)
				return
			}
			o := l.options(name)
			found := chains.Delta{Model: &o}
			if !m.known.Load() {
				found.Notice = l.answers(name)
			}
			if !yield(found, nil) {
				return
			}
		}
		said := ""
		if r.Effort, said = l.level(name, r.Effort); said != "" && !say(yield, said) {
			return
		}
		r.MaxTokens = cmp.Or(r.MaxTokens, l.settings.MaxTokens)
		for d, err := range l.server.Model(name).Stream(ctx, r) {
			if d.Usage != nil {
				u := *d.Usage
				u.Cost = l.price(name).Of(u)
				d.Usage = &u
			}
			if d.Text != "" && !m.known.Swap(true) {
				l.remember(name)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// say gives notices, and reports whether more is wanted.
func say(yield func(chains.Delta, error) bool, notices ...string) bool {
	return !slices.ContainsFunc(notices, func(text string) bool { return !yield(chains.Delta{Notice: text}, nil) })
}

// level is the level of effort that a model takes in place of another one, and what
// there is to say about that, once.
func (l *link) level(model, effort string) (level, said string) {
	f := l.facts(model)
	level = f.Level(effort)
	if level != effort {
		if _, known := l.levels.LoadOrStore(model+" "+effort, true); !known {
			said = fmt.Sprintf("%s has no effort %q (%s): %s", model, effort, strings.Join(f.Levels(), ", "), level)
		}
	}
	return level, said
}

// Price implements chains.Pricer.
func (m *linkModel) Price() chains.Price { return m.link.price(m.name) }

// loopFrom is the window, in tokens, from which on there is room for a model to look
// things up in several rounds.
const loopFrom = 16_000

// chain is the chain that suits a model, where none was chosen: the model looks
// things up by itself if it can and has the room, else the vault is searched for it.
func (l *link) chain(model string, facts tokens.Facts) chains.Chain {
	if cmp.Or(facts.Window, l.protocol().assumed, tokens.AssumedWindow) < loopFrom || l.callsNone(model, facts) {
		return chains.Vault{}
	}
	return chains.Agent{}
}

// callsNone reports whether a model is known to call no tools: the server says so,
// or the table, if the server does not say otherwise.
func (l *link) callsNone(model string, facts tokens.Facts) bool {
	info, _ := l.server.Known(model)
	return info.NoTools || !info.Tools && facts.Known && !facts.Tools
}

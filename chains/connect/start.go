package connect

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/context/tokens"
)

// Choice is the model that answers when a program begins.
type Choice struct {
	Options   chains.Options // what a session needs to know about the model
	Provider  string         // for people: "openai", "ollama", "offline"
	Source    string         // where the server and its key were found, for people
	Notices   []string
	Servers   []Server // local servers that answered, if they were looked for
	Undecided bool     // several providers could answer, and none was ever chosen
	Settled   bool     // the settings say that no provider is asked, so that there are no other models
	Searching bool     // Found tells who answers: until then it is a guess
}

// How long the start of a screen waits for servers before it goes on with what it knows,
// and a turn before it says that it waits.
const (
	patience = 50 * time.Millisecond
	quiet    = time.Second
)

// start is what a start finds out about who answers, beside everything else.
type start struct {
	ready chan struct{} // closed once the provider can be asked
	done  chan struct{} // closed once it is known which model answers

	link    *link    // from ready on
	notices []string // from ready on: what there is to say about the provider
	err     error    // from ready on
	choice  Choice   // from done on

	saying sync.Once
}

// Choose decides which model answers: that of the server that the user named,
// else of one on this machine that answers, else the offline model. ask says
// whether servers may be asked which models they have. The screen hardly waits
// for them and for the keyring, and a question half a second for a list: what they have
// not said by then, and that one does not answer, is for the first turn.
func (p *Providers) Choose(ctx context.Context, ask bool) (c Choice, err error) {
	if p.calibration, err = tokens.OpenCalibration(filepath.Join(string(p.Hints), "calibration.json")); err != nil {
		p.Log.Warn("token calibration", "err", err)
	}
	if !ask {
		s := p.begin(ctx, false, nil)
		return s.choice, s.err
	}
	ctx, p.asking.Stop = context.WithCancel(ctx)
	p.start = p.begin(ctx, true, nil)
	most := patience
	if !p.Screen { // the turn comes next, which needs the provider
		select {
		case <-p.start.ready:
		case <-time.After(quiet):
		}
		most = 10 * patience
	}
	select {
	case <-p.start.done:
		return p.start.choice, p.start.err
	case <-time.After(most):
	}
	guess := p.begin(ctx, false, p.start)
	guess.choice.Searching = true
	return guess.choice, guess.err
}

// Found waits for what a start found out that went on with a guess. It is false where
// that was an error, which the turn says that needs the model, or ctx ends before.
func (p *Providers) Found(ctx context.Context) (c Choice, ok bool) {
	select {
	case <-p.start.done:
	case <-ctx.Done():
		return c, false
	}
	if c = p.start.choice; p.start.err != nil || c.Options.ModelName == "" {
		return c, false
	}
	c.Notices = nil
	p.start.saying.Do(func() { c.Notices = p.start.choice.Notices })
	return c, true
}

// begin finds the provider and the model of a start: in a goroutine of its own if servers
// are asked. later is what is asked meanwhile, where this is a guess.
func (p *Providers) begin(ctx context.Context, ask bool, later *start) *start {
	s := &start{ready: make(chan struct{}), done: make(chan struct{})}
	run := func() {
		defer close(s.done)
		s.err = p.connect(ctx, s, ask, later)
		close(s.ready)
		if s.err == nil {
			s.choose(ctx, ask)
		}
	}
	if ask {
		p.asking.Go(run)
	} else {
		run()
	}
	return s
}

// connect opens the link to the provider of a start.
func (p *Providers) connect(ctx context.Context, s *start, ask bool, later *start) error {
	from := p.selection(ctx)
	if later != nil { // the keyring may hang
		from.stored = func(string) (key, source string, err error) { return "", "", nil }
	}
	e, named, err := from.pick()
	if err != nil {
		return err
	}
	c := &s.choice
	c.Undecided = e.why != "" && from.last == ""
	if later == nil {
		p.chosen = named && from.chosen()
	}
	switch {
	case named && ask:
		e = e.ready(ctx)
	case ask:
		c.Servers = p.Discover(ctx)
		why := ""
		if e, why = chooseServer(c.Servers); why != "" {
			s.notices = append(s.notices, why)
		}
		e.model = cmp.Or(p.Flags.Model, p.Config.Model)
	}
	if s.link, err = p.openKeeping(e); err != nil {
		return fmt.Errorf("connect to %s: %w", e.name, err)
	}
	s.link.start = later
	if e.base != "" && (later == nil || p.at("") == nil) {
		p.add(s.link, true)
	}
	if ask {
		s.notices = append(s.notices, p.remarks(&e)...)
	}
	c.Settled, c.Provider, c.Notices = named && e.base == "", s.link.server.Name(), s.notices
	return nil
}

// choose finds the model of the provider.
func (s *start) choose(ctx context.Context, ask bool) {
	c, l := &s.choice, s.link
	if l.base == "" {
		c.Source, c.Options = "none: the offline model answers", l.offline()
		if ask {
			c.Notices = append(c.Notices, offline.Notice)
		}
		if l.start != nil {
			c.Options.Model = &linkModel{link: l, name: offline.Name}
		}
		return
	}
	if c.Source = l.base; l.key != "" {
		c.Source = l.keySource() + ", for " + c.Provider
	}
	c.Options = l.options(l.first(ctx, ask, c))
}

// settled waits until the provider of the start can be asked, or ctx ends.
func (p *Providers) settled(ctx context.Context) {
	if p.start == nil {
		return
	}
	select {
	case <-p.start.ready:
	case <-ctx.Done():
	}
}

// await is who answers in place of a model that was a guess, once that is known. A model
// that was named needs its provider alone, and no list.
func (s *start) await(ctx context.Context, m *linkModel, yield func(chains.Delta, error) bool) (o chains.Options, ok bool) {
	named := m.name != "" && m.link.base != ""
	until, place := s.done, "the servers of this machine"
	if named {
		until = s.ready
	}
	if m.link.base != "" {
		place = m.link.place()
	}
	asked := false
	for said := time.After(quiet); ; {
		select {
		case <-until:
		case <-said:
			if asked = true; !say(yield, "waiting for "+place) {
				return o, false
			}
			continue
		case <-ctx.Done():
			yield(chains.Delta{}, ctx.Err())
			return o, false
		}
		break
	}
	notices := s.notices
	err := s.err
	switch {
	case err != nil:
	case named:
		o = s.link.options(m.name)
	default:
		o, notices = s.choice.Options, s.choice.Notices
		if asked && o.ModelName == "" { // it was asked just now
			err = s.link.broken
		}
	}
	if err != nil {
		yield(chains.Delta{}, err)
		return o, false
	}
	var unsaid []string
	s.saying.Do(func() { unsaid = notices })
	return o, say(yield, unsaid...) && yield(chains.Delta{Model: &o}, nil)
}

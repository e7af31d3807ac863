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
}

// How long the start of a screen waits for servers before it goes on with what it knows,
// and a turn before it says that it waits.
const (
	patience = 50 * time.Millisecond
	quiet    = time.Second
)

// start is what a start finds out about who answers, beside everything else.
type start struct {
	place string        // of the provider, for people
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
// for them, and a question half a second for a list: what they have not said by then, and
// that one does not answer, is for the first turn.
func (p *Providers) Choose(ctx context.Context, ask bool) (Choice, error) {
	from := p.selection(ctx)
	e, named, err := from.pick()
	if err != nil {
		return Choice{}, err
	}
	p.chosen = named && from.chosen()
	if p.calibration, err = tokens.OpenCalibration(filepath.Join(string(p.Hints), "calibration.json")); err != nil {
		p.Log.Warn("token calibration", "err", err)
	}
	begin := func(ctx context.Context, ask bool, later *start) *start {
		s := &start{place: e.place(), ready: make(chan struct{}), done: make(chan struct{})}
		if !named {
			s.place = "the servers of this machine"
		}
		s.choice.Undecided = e.why != "" && from.last == ""
		run := func() {
			defer close(s.done)
			p.begin(ctx, s, e, named, ask, later)
		}
		if ask {
			p.asking.Go(run)
		} else {
			run()
		}
		return s
	}
	if !ask {
		s := begin(ctx, false, nil)
		return s.choice, s.err
	}
	ctx, p.asking.Stop = context.WithCancel(ctx)
	p.start = begin(ctx, true, nil)
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
	guess := begin(ctx, false, p.start)
	return guess.choice, guess.err
}

// begin opens the link to the provider of a start and finds the model. later is what is
// asked meanwhile, where this is a guess.
func (p *Providers) begin(ctx context.Context, s *start, e endpoint, named, ask bool, later *start) {
	c := &s.choice
	switch {
	case named && ask:
		e = e.ready(ctx)
	case ask:
		c.Servers = p.Discover(ctx)
		why := ""
		if e, why = found(c.Servers); why != "" {
			s.notices = append(s.notices, why)
		}
		e.model = cmp.Or(p.Flags.Model, p.Config.Model)
	}
	l, err := p.open(e)
	if err != nil {
		s.err = fmt.Errorf("connect to %s: %w", e.name, err)
		close(s.ready)
		return
	}
	l.start, s.link = later, l
	if e.base != "" && (later == nil || p.at("") == nil) {
		p.add(l, true)
	}
	if ask {
		s.notices = append(s.notices, p.remarks(&e)...)
	}
	close(s.ready)
	c.Settled, c.Provider, c.Notices = named && e.base == "", l.server.Name(), s.notices
	if e.base == "" {
		c.Source, c.Options = "none: the offline model answers", l.offline()
		if later != nil {
			c.Options.Model = &answering{link: l, name: offline.Name}
		}
		return
	}
	if c.Source = e.base; e.key != "" {
		c.Source = e.keySource() + ", for " + c.Provider
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
func (s *start) await(ctx context.Context, m *answering, yield func(chains.Delta, error) bool) (o chains.Options, ok bool) {
	named := m.name != "" && m.link.base != ""
	until := s.done
	if named {
		until = s.ready
	}
	said := time.NewTimer(quiet)
	defer said.Stop()
	asked := false
	for waits := true; waits; {
		select {
		case <-until:
			waits = false
		case <-said.C:
			asked = true
			if !yield(chains.Delta{Notice: "waiting for " + s.place}, nil) {
				return o, false
			}
		case <-ctx.Done():
			yield(chains.Delta{}, ctx.Err())
			return o, false
		}
	}
	if s.err != nil {
		yield(chains.Delta{}, s.err)
		return o, false
	}
	notices := s.notices
	if named {
		o = s.link.options(m.name)
	} else {
		o, notices = s.choice.Options, s.choice.Notices
		if asked && o.ModelName == "" { // it was asked just now
			yield(chains.Delta{}, s.link.broken)
			return o, false
		}
	}
	var unsaid []string
	s.saying.Do(func() { unsaid = notices })
	for _, text := range unsaid {
		if !yield(chains.Delta{Notice: text}, nil) {
			return o, false
		}
	}
	return o, yield(chains.Delta{Model: &o}, nil)
}

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

// Choice is the model that answers at the start.
type Choice struct {
	Options   chains.Options // for sessions with the model
	Provider  string         // for people: "openai", "ollama", "offline"
	Source    string         // describes where the server and its key were found
	Notices   []string
	Servers   []Server // servers of this machine, if the start looked for them
	Undecided bool     // several providers could answer, and none was ever used
	Settled   bool     // the settings allow the offline model only
	Searching bool     // the model is a guess until Found returns
}

// How long the start of the screen waits for servers before it takes a guess, and how long a turn waits before its
// start does so, or it tells the user.
const (
	patience = 50 * time.Millisecond
	quiet    = time.Second
)

// start finds the provider and the model in the background.
type start struct {
	ready chan struct{} // closed when the provider is known
	done  chan struct{} // closed when the model is known

	link    *link    // valid from ready on
	notices []string // valid from ready on
	err     error    // valid from ready on
	choice  Choice   // valid from done on

	saying sync.Once
}

// Choose decides which model answers: one of the provider that the user named, else of a server of this machine, else
// the offline model. With ask it may ask servers for their models. Servers and the keyring may be slow: the screen
// hardly waits for them, and a question a second. Then Choose returns a guess, and the first turn waits.
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
	if !p.Screen { // a turn follows at once
		most = quiet
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

// Found waits for the model after a guess. ok is false if ctx ended or the start failed, which the next turn reports.
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

// begin finds the provider and the model, with ask in a goroutine. If it makes a guess, later is the start that goes on
// meanwhile, else nil.
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

// connect makes the link to the provider.
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

// choose sets the model of the choice.
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

// settled waits until the provider of the start is known, or ctx ends.
func (p *Providers) settled(ctx context.Context) {
	if p.start == nil {
		return
	}
	select {
	case <-p.start.ready:
	case <-ctx.Done():
	}
}

// await waits for the model that replaces a guess, and yields it with its notices. A model that the user named needs
// only its provider, and no list.
func (s *start) await(ctx context.Context, m *linkModel,
	yield func(chains.Delta, error) bool,
) (o chains.Options, ok bool) {
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

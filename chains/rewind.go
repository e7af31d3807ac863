package chains

import (
	"context"
	"iter"
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// Retry runs the last turn again, with what its references hold now. What was
// withdrawn since then stays withdrawn. A whole reply that was there is replaced,
// in the file too, only by another whole one, and one that had broken off by
// whatever comes of the new one: otherwise everything is as it was.
func (s *Session) Retry(ctx context.Context) iter.Seq2[Event, error] {
	return s.events(ctx, func() (*Pending, error) { return s.planRetry(ctx) })
}

// planRetry prepares the last turn to run again; busy is held.
func (s *Session) planRetry(ctx context.Context) (*Pending, error) {
	s.takeSummary(0, true)
	last, err := s.lastTurn(ctx)
	if err != nil {
		return nil, err
	}
	p := &Pending{s: s, in: last.in, text: s.chat.Messages[last.at].Text, earlier: s.chat, conv: last.conv, stale: last.stale}
	p.earlier.Messages = s.chat.Messages[:last.at:last.at]
	p.again = &attempt{at: last.at}
	if next := last.at + 1; next < len(s.chat.Messages) {
		p.again.whole = s.chat.Messages[next].Status == ""
	}
	if it, question, ok := inlinedIn(&s.chat, last.at); ok {
		p.in.Text = question
		if !slices.Contains(s.chat.Forgotten, it.Ref) {
			p.again.inline = []prompt.Item{it}
		}
	}
	p.given = p.in
	for _, c := range s.changes {
		if c.change.Refresh {
			p.conv = p.conv.Refresh()
		}
	}
	p.prepare(ctx, true)
	return p, nil
}

// Undone is what Undo took back: a change of the context, or a turn.
type Undone struct {
	Change string // what the change was, "" for a turn
	Turn   Input  // what the turn had sent, so that it can be edited
}

// Undo takes back what was done last: a change since the last turn, else the
// turn, which goes from the file too. Redo brings it back until something else
// is done.
func (s *Session) Undo(ctx context.Context) (Undone, []history.Warning, error) {
	if !s.busy.TryLock() {
		return Undone{}, nil, ErrBusy
	}
	defer s.busy.Unlock()
	if err := s.writable(); err != nil {
		return Undone{}, nil, err
	}
	now, edits := s.mark(), s.edits
	now.changes = s.changes
	u, err := s.undo(ctx)
	if err != nil {
		return Undone{}, nil, err
	}
	warnings, err := s.saveAgain()
	switch {
	case s.edits > edits: // somebody wrote into the chat: there is no way back past that
	case err != nil:
		s.restore(now)
		s.changes = now.changes
	default:
		s.redo = &now
	}
	if err != nil {
		return Undone{}, nil, err
	}
	return u, warnings, nil
}

func (s *Session) undo(ctx context.Context) (Undone, error) {
	s.version++
	if n := len(s.changes); n > 0 {
		was := s.changes[n-1]
		s.restore(was)
		s.changes = s.changes[:n-1]
		return Undone{Change: was.change.String()}, nil
	}
	p, err := s.lastTurn(ctx)
	if err != nil {
		return Undone{}, err
	}
	s.chat.Messages = slices.Clone(s.chat.Messages[:p.at])
	// What was forgotten before the turn named it again is forgotten again.
	s.chat.Forgotten = append(without(s.chat.Forgotten, p.forgotten), p.forgotten...)
	s.conv, s.stale, s.unanswered = p.conv, p.stale, false
	return Undone{Turn: p.in}, nil
}

// Redo brings back what Undo took away last.
func (s *Session) Redo() ([]history.Warning, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	if s.redo == nil {
		return nil, ErrNothing
	}
	was := *s.redo
	s.redo = nil
	s.restore(was)
	s.changes = was.changes
	return s.saveAgain()
}

// checkpoint is the state of a session at one time.
type checkpoint struct {
	chat       history.Chat
	conv       prompt.Conversation
	opts       Options
	unanswered bool
	stale      bool
	change     *Change      // what was done then
	changes    []checkpoint // what could be undone then
}

func (s *Session) mark() checkpoint {
	m := checkpoint{chat: s.chat, conv: s.conv, opts: s.opts, unanswered: s.unanswered, stale: s.stale}
	m.chat.Messages = slices.Clone(s.chat.Messages)
	return m
}

// restore returns to a checkpoint. What belongs to the file and not to the
// conversation stays as it is: its name, and what is known to be in it.
func (s *Session) restore(m checkpoint) {
	s.version++
	c, was := &s.chat, &m.chat
	c.Messages, c.Muted, c.Forgotten = was.Messages, was.Muted, was.Forgotten
	c.Layout, c.Model, c.ModelKey, c.Project = was.Layout, was.Model, was.ModelKey, was.Project
	s.conv, s.opts, s.unanswered, s.stale = m.conv, m.opts, m.unanswered, m.stale
}

// past is the last turn, and what was before it.
type past struct {
	at int // index of its message
	turnStart
}

// lastTurn finds the last turn. The state from then is at hand for turns of this
// session; for older ones it is rebuilt. What was withdrawn or muted since then
// is so in that state too.
func (s *Session) lastTurn(ctx context.Context) (past, error) {
	p := past{at: -1}
	for i := range s.chat.Messages {
		if s.chat.Messages[i].Role == history.User {
			p.at = i
		}
	}
	if p.at < 0 {
		return past{}, ErrNothing
	}
	known := false
	if p.turnStart, known = s.starts[s.chat.Turns()]; !known {
		rest := s.chat
		rest.Messages = s.chat.Messages[:p.at:p.at]
		r, err := s.rebuild(ctx, &rest, false)
		if err != nil {
			return past{}, err
		}
		p.turnStart = turnStart{conv: r.conv, stale: len(r.unread) > 0, in: inputOf(&s.chat.Messages[p.at])}
	}
	for _, r := range s.chat.Forgotten {
		p.conv = p.conv.Forget(r.ID)
	}
	p.conv = s.unnamed(p.conv, s.chat.Forgotten)
	muted := func(id string) bool {
		return slices.ContainsFunc(s.chat.Muted, func(r prompt.Ref) bool { return r.ID == id })
	}
	for _, k := range s.chat.Library() {
		p.conv = p.conv.Mute(k.Ref.ID, muted(k.Ref.ID))
	}
	for _, r := range s.chat.Muted {
		p.conv = p.conv.Mute(r.ID, true)
	}
	return p, nil
}

// inputOf is what a saved message was sent with. The text of one that a session
// has sent is not read again: what it named is written down, and what was pasted
// into it is not.
func inputOf(m *history.Message) Input {
	in := Input{Text: m.Text}
	if !m.Foreign() {
		in.Spans = []Span{{To: len(m.Text)}}
	}
	for _, r := range m.Refs() {
		switch {
		case r.Kind == prompt.Note && r.ID == m.Context.Active:
			in.Active, in.Open = r, r
		case r.Kind == prompt.Note && slices.Contains(m.Context.Pins, r.ID):
			in.Pins = append(in.Pins, r)
		default:
			in.Attach = append(in.Attach, r)
		}
	}
	in.Pinned = in.Pins
	return in
}

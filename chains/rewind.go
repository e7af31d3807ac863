package chains

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/history"
)

// Retry runs the last turn again, with what its references hold now. What was
// withdrawn since then stays withdrawn. In the place of a whole reply only another
// whole one is shown, in the place of one that had broken off whatever comes of
// the new one. The other stays in the chat as a variant.
func (s *Session) Retry(ctx context.Context) iter.Seq2[Event, error] {
	return RetryWith(ctx, s, nil)
}

// RetryWith is Retry with a model that answers this once: the chat keeps its own.
func RetryWith(ctx context.Context, s *Session, model *Options) iter.Seq2[Event, error] {
	return s.events(ctx, func() (*PendingTurn, error) { return s.planRetry(ctx, model) })
}

// planRetry prepares the last turn to run again, see [RetryWith]; busy is held.
func (s *Session) planRetry(ctx context.Context, model *Options) (*PendingTurn, error) {
	s.takeSummary(0, true)
	at, last, err := s.lastTurn(ctx)
	if err != nil {
		return nil, err
	}
	model = cmp.Or(model, last.in.Model)
	defer setModel(s, model)()
	p := &PendingTurn{
		s: s, in: last.in, text: s.chat.Messages[at].Text, earlier: s.chat, conv: last.conv,
		stale: last.stale,
	}
	p.earlier.Messages = s.chat.Messages[:at:at]
	p.again = &attempt{at: at, stale: s.stale}
	if next := at + 1; next < len(s.chat.Messages) {
		p.again.whole = s.chat.Messages[next].Status.Whole()
	}
	if it, question, ok := inlinedIn(&s.chat, at); ok {
		p.in.Text = question
		if !slices.Contains(s.chat.Forgotten, it.Ref) {
			p.again.inline = []prompt.Item{it}
		}
	}
	for _, ref := range []prompt.Ref{VaultRef(), WebRef(), ComposerRef(), MemoryRef()} {
		if strings.Contains(p.in.Text, ref.ID) && !s.chat.Messages[at].Foreign() &&
			slices.Contains(p.in.Spans, Span{To: len(p.in.Text)}) {
			p.in.Attach = append(slices.Clip(p.in.Attach), ref) // which a text that is not read again does not say
		}
	}
	p.given = p.in
	p.given.Model = model
	p.prepare(ctx, true)
	return p, nil
}

// UndoneStep describes the change of the context, or the turn, that Undo took back.
type UndoneStep struct {
	Change string // what the change was, "" for a turn
	Other  bool   // the change had put another end of the last turn into the chat
	Turn   Input  // what the turn had sent, so that it can be edited
}

// Undo takes back what was done last: a change since the last turn, that it was
// answered anew, else the turn. Redo brings it back until something else is done.
// The text stays in the file, as a variant of the turn that will be in its place.
func (s *Session) Undo(ctx context.Context) (UndoneStep, []history.Warning, error) {
	return s.back(ctx, false)
}

// TakeBack takes the last turn back, to be edited, whatever was changed since:
// what was withdrawn stays so. Redo brings it back.
func (s *Session) TakeBack(ctx context.Context) (UndoneStep, []history.Warning, error) {
	return s.back(ctx, true)
}

// back takes back the last change, if there is one and it is not the turn that is
// wanted, else the turn, and saves.
func (s *Session) back(ctx context.Context, turn bool) (u UndoneStep, warnings []history.Warning, err error) {
	if !s.busy.TryLock() {
		return u, nil, ErrBusy
	}
	defer s.busy.Unlock()
	if err := s.writable(); err != nil {
		return u, nil, err
	}
	now, edits := s.mark(), s.edits
	if n := len(s.changes); n > 0 && !turn {
		was := s.changes[n-1]
		u.Change, u.Other = was.change.String(), was.change.Variant > 0
		s.restore(was)
	} else {
		_, p, err := s.lastTurn(ctx)
		if err != nil {
			return u, nil, err
		}
		u.Turn = p.in
		s.version++
		s.chat.TakeBack()
		s.changes = nil
		// What was forgotten before the turn named it again is forgotten again.
		s.chat.Forgotten = append(withoutRefs(s.chat.Forgotten, p.forgotten), p.forgotten...)
		s.conv, s.stale, s.unanswered = p.conv, p.stale, false
	}
	warnings, err = s.saveAgain()
	switch {
	case s.edits > edits: // somebody wrote into the chat: there is no way back past that
	case err != nil:
		s.restore(now)
	default:
		s.redo = &now
	}
	if err != nil {
		return UndoneStep{}, nil, err
	}
	return u, warnings, nil
}

// Redo brings back what Undo took away last.
func (s *Session) Redo() ([]history.Warning, error) {
	return whenIdle(s, func() ([]history.Warning, error) {
		if s.redo == nil {
			return nil, ErrNothing
		}
		s.restore(*s.redo)
		s.redo = nil
		return s.saveAgain()
	})
}

// lastTurn is the index of the last question and what its turn began with. That is at
// hand for turns of this session; for older ones it is rebuilt. What was withdrawn or
// muted since then is so in that state too.
func (s *Session) lastTurn(ctx context.Context) (at int, began turnState, err error) {
	if at = s.chat.LastTurn(); at < 0 {
		return 0, began, ErrNothing
	}
	began, known := s.turns.begun[s.chat.Turns()]
	if !known {
		rest := s.chat
		rest.Messages = s.chat.Messages[:at:at]
		r, err := s.rebuild(ctx, &rest, false)
		if err != nil {
			return 0, began, err
		}
		began = turnState{conv: r.conv, stale: len(r.unread) > 0, in: inputOf(&s.chat.Messages[at])}
	}
	if end, ok := s.turns.ended.lastShown(&s.chat); ok {
		began.in = end.in
	} else if m := &s.chat.Messages[at]; began.in.Text != m.Text {
		began.in = inputOf(m)
	}
	began.conv = s.asNow(began.conv)
	return at, began, nil
}

// asNow is another state of the conversation, in which is withdrawn, muted and
// refreshed what is so now.
func (s *Session) asNow(conv prompt.Conversation) prompt.Conversation {
	for _, r := range s.chat.Forgotten {
		conv = conv.Forget(r.ID)
	}
	conv = forgetRefs(conv, s.chat.Forgotten, s.opts.Count)
	muted := func(id string) bool {
		return slices.ContainsFunc(s.chat.Muted, func(r prompt.Ref) bool { return r.ID == id })
	}
	for _, k := range s.chat.Library() {
		conv = conv.Mute(k.Ref.ID, muted(k.Ref.ID))
	}
	for _, r := range s.chat.Muted {
		conv = conv.Mute(r.ID, true)
	}
	for _, m := range s.changes {
		if m.change.Refresh {
			conv = conv.Refresh()
		}
	}
	return conv
}

// inputOf makes the input again with which a saved message was sent. The text of one that a session
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

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

// RetryWith runs the last turn again, with the current text of its references. What was withdrawn since then stays
// withdrawn. A complete reply is replaced only by another complete one, a broken one by any. The other reply stays
// in the chat as a variant. A model that is not nil answers this turn; the chat keeps its own.
func RetryWith(ctx context.Context, s *Session, model *Options) iter.Seq2[Event, error] {
	return s.events(ctx, func() (*PendingTurn, error) { return s.planRetry(ctx, model) })
}

// planRetry prepares the last turn to run again, see [RetryWith]. The caller holds busy.
func (s *Session) planRetry(ctx context.Context, model *Options) (*PendingTurn, error) {
	s.takeSummary(0, true)
	at, last, err := s.lastTurn(ctx)
	if err != nil {
		return nil, err
	}
	model = cmp.Or(model, last.in.Model)
	defer setModel(s, model)()
	p := &PendingTurn{s: s, turnState: last, text: s.chat.Messages[at].Text, earlier: s.chat}
	p.earlier.Messages = s.chat.Messages[:at:at]
	p.retry = &attempt{at: at, stale: s.stale, complete: len(s.chat.Messages[at].Notes) > 0}
	if next := at + 1; next < len(s.chat.Messages) {
		p.retry.complete = s.chat.Messages[next].Status.Whole()
	}
	if it, question, ok := inlinedIn(&s.chat, at); ok {
		p.in.Text = question
		if !slices.Contains(s.chat.Forgotten, it.Ref) {
			p.retry.inline = []prompt.Item{it}
		}
	}
	for _, ref := range wishes {
		if strings.Contains(p.in.Text, ref.ID) && !s.chat.Messages[at].Foreign() &&
			slices.Contains(p.in.Spans, Span{To: len(p.in.Text)}) {
			p.in.Attach = append(slices.Clip(p.in.Attach), ref) // the span of a sent message hides its words
		}
	}
	p.given = p.in
	p.given.Model = model
	p.prepare(ctx, true)
	return p, nil
}

// UndoneStep describes what Undo took back: a change of the context, or a turn.
type UndoneStep struct {
	Change string // description of the change, "" for a turn
	Other  bool   // the change had shown another variant of the last turn
	Turn   Input  // input of the turn, so that it can be edited
}

// Undo takes back the last step: a change since the last turn, a retry of it, or else the turn. Until something
// else is done, Redo restores it. The text of a turn stays in the file, as a variant of the turn that replaces it.
func (s *Session) Undo(ctx context.Context) (UndoneStep, error) {
	return s.takeBackLast(ctx, false)
}

// TakeBack takes back the last turn, so that it can be edited, whatever was changed since. What was withdrawn stays
// withdrawn. Redo restores the turn.
func (s *Session) TakeBack(ctx context.Context) (UndoneStep, error) {
	return s.takeBackLast(ctx, true)
}

// takeBackLast takes back the last change, unless turn is set or there is none; else the last turn. It saves the chat.
func (s *Session) takeBackLast(ctx context.Context, turn bool) (UndoneStep, error) {
	return whenIdle(s, func() (u UndoneStep, err error) {
		if err := s.writable(); err != nil {
			return u, err
		}
		now, edits := s.mark(), s.edits
		if n := len(s.changes); n > 0 && !turn {
			was := s.changes[n-1]
			u.Change, u.Other = cmp.Or(was.change.Done, "a change"), was.change.Variant > 0
			s.restore(was)
		} else {
			_, p, err := s.lastTurn(ctx)
			if err != nil {
				return u, err
			}
			u.Turn = p.in
			u.Turn.Attach = s.withoutUnattached(u.Turn.Attach)
			s.version++
			s.chat.TakeBack()
			s.changes = nil
			// What had been forgotten before the turn named it is forgotten again.
			s.chat.Forgotten = append(withoutRefs(s.chat.Forgotten, p.forgotten), p.forgotten...)
			s.conv, s.stale, s.unanswered = p.conv, p.stale, false
		}
		err = s.saveAgain()
		switch {
		case s.edits > edits: // another program wrote into the chat: earlier states are gone
		case err != nil:
			s.restore(now)
		default:
			s.redo = &now
		}
		return u, err
	})
}

// Redo restores what the last Undo took back. It returns ErrNothing if there is nothing to restore.
func (s *Session) Redo() error {
	return s.changeAndSave(func() error {
		if s.redo == nil {
			return ErrNothing
		}
		s.restore(*s.redo)
		s.redo = nil
		return nil
	})
}

// lastTurn returns the index of the last question and the state at the start of its turn, which it rebuilds for a
// turn from before this session. What was withdrawn or muted since then is so in that state, too. It returns
// ErrNothing if the chat has no turn.
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
	began.conv = s.withCurrentChanges(began.conv)
	return at, began, nil
}

// withCurrentChanges returns another state of the conversation with what is withdrawn, muted and refreshed now.
func (s *Session) withCurrentChanges(conv prompt.Conversation) prompt.Conversation {
	conv = forgetRefs(conv, s.chat.Forgotten, s.opts.Count)
	muted := func(id string) bool {
		return slices.ContainsFunc(s.chat.Muted, func(r prompt.Ref) bool { return r.ID == id })
	}
	for _, k := range s.chat.Library() {
		conv = conv.Mute(k.Ref.ID, muted(k.Ref.ID))
	}
	conv = muteRefs(conv, s.chat.Muted, true)
	for _, m := range s.changes {
		if m.change.Refresh {
			conv = conv.Refresh()
		}
	}
	return conv
}

// inputOf reconstructs the input of a saved message. The text of a message that a session sent is not searched for
// references again: those that it named are recorded, and those in pasted text do not count.
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

package chains

import (
	"context"
	"iter"
	"slices"

	"ibid/context/prompt"
	"ibid/history"
)

// Retry runs the last turn again, with what its references hold now. The reply
// that was there is replaced only once something of the new one has come: if
// nothing comes, everything is as it was.
func (s *Session) Retry(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if !s.busy.TryLock() {
			yield(nil, ErrBusy)
			return
		}
		defer s.busy.Unlock()
		was := s.mark()
		in, err := s.rewind(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		answered := len(was.chat.Messages) > 0 && was.chat.Messages[len(was.chat.Messages)-1].Role != history.User
		done := false
		s.run(ctx, in, func(e Event, err error) bool {
			if d, ok := e.(Done); ok && !done {
				done = true
				last := s.chat.Messages[len(s.chat.Messages)-1]
				if answered && last.Role == history.User && d.Finish != FinishStop {
					s.back(was)
				}
			}
			if err != nil {
				s.back(was)
			}
			return yield(e, err)
		})
	}
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
	now := s.mark()
	var u Undone
	if n := len(s.changes); n > 0 {
		was := s.changes[n-1]
		now.changes = s.changes
		u.Change = was.change.String()
		s.restore(was)
		s.changes = s.changes[:n-1]
	} else {
		in, err := s.rewind(ctx)
		if err != nil {
			return Undone{}, nil, err
		}
		u.Turn = in
	}
	warnings, err := s.saveAgain()
	if err != nil {
		s.restore(now)
		return Undone{}, nil, err
	}
	s.redo = &now
	return u, warnings, nil
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

// moment is the state of a session at one time.
type moment struct {
	chat    history.Chat
	conv    prompt.Conversation
	opts    Options
	stale   bool
	change  *Change  // what was done at this moment
	changes []moment // what could be undone at this moment
}

func (s *Session) mark() moment {
	m := moment{chat: s.chat, conv: s.conv, opts: s.opts, stale: s.stale}
	m.chat.Messages = slices.Clone(s.chat.Messages)
	return m
}

// restore returns to a moment. What belongs to the file and not to the
// conversation stays as it is: its name, and what is known to be in it.
func (s *Session) restore(m moment) {
	c, was := &s.chat, &m.chat
	c.Messages, c.Muted, c.Forgotten = was.Messages, was.Muted, was.Forgotten
	c.Layout, c.Model, c.ModelKey = was.Layout, was.Model, was.ModelKey
	s.conv, s.opts, s.stale = m.conv, m.opts, m.stale
}

// back returns to a moment and saves it.
func (s *Session) back(m moment) ([]history.Warning, error) {
	s.restore(m)
	return s.save()
}

// rewind goes back to before the last turn and returns what it sent. The state
// from then is at hand for turns of this session; for older ones it is rebuilt.
func (s *Session) rewind(ctx context.Context) (Input, error) {
	n := s.chat.Turns()
	at := -1
	for i := range s.chat.Messages {
		if s.chat.Messages[i].Role == history.User {
			at = i
		}
	}
	if at < 0 {
		return Input{}, ErrNothing
	}
	m := s.chat.Messages[at]
	in, known := s.inputs[n]
	if !known {
		in = Input{Text: m.Text, Attach: m.Refs()}
		if m.Context.Active != "" {
			in.Active = prompt.Ref{Kind: prompt.Note, ID: m.Context.Active}
		}
	}
	conv, known := s.before[n]
	rest := s.chat
	rest.Messages = s.chat.Messages[:at:at]
	if !known {
		var err error
		if conv, _, err = s.rebuild(ctx, &rest, false); err != nil {
			return Input{}, err
		}
	}
	// What was withdrawn since then stays withdrawn.
	for _, r := range s.chat.Forgotten {
		conv = conv.Forget(r.ID)
	}
	for _, r := range s.chat.Muted {
		conv = conv.Mute(r.ID, true)
	}
	s.chat.Messages, s.conv, s.stale = rest.Messages, conv, false
	return in, nil
}

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

// Undo takes the last turn away, from the file too, and returns what was sent,
// so that it can be edited. Redo brings it back until something else is sent.
func (s *Session) Undo(ctx context.Context) (Input, []history.Warning, error) {
	if !s.busy.TryLock() {
		return Input{}, nil, ErrBusy
	}
	defer s.busy.Unlock()
	was := s.mark()
	in, err := s.rewind(ctx)
	if err != nil {
		return Input{}, nil, err
	}
	warnings, err := s.save()
	if err != nil {
		s.back(was)
		return Input{}, nil, err
	}
	s.redo = &was
	return in, warnings, nil
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
	return s.back(was)
}

// moment is the state of a session at one time.
type moment struct {
	chat  history.Chat
	conv  prompt.Conversation
	stale bool
}

func (s *Session) mark() moment {
	m := moment{chat: s.chat, conv: s.conv, stale: s.stale}
	m.chat.Messages = slices.Clone(s.chat.Messages)
	return m
}

// back returns to a moment; what happened to the file meanwhile stays known.
func (s *Session) back(m moment) ([]history.Warning, error) {
	s.chat.Messages, s.conv, s.stale = m.chat.Messages, m.conv, m.stale
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
	s.chat.Messages, s.conv, s.stale = rest.Messages, conv, false
	return in, nil
}

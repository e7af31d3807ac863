package chains

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"ibid/history"
)

// ComparedReply is one of the replies of the last turn.
type ComparedReply struct {
	N     int    // as /variants counts
	Title string // its number, the model and what it cost, as far as that is known
	Shown bool   // the chat goes on from it
	Text  string
}

// turnEnds are the ends of turns that this session knows, by their texts and those of
// all messages before: an earlier turn may have another reply by now.
type turnEnds map[[sha256.Size]byte]turnState

func endKey(before, end []history.Message) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, part := range [][]history.Message{before, end} {
		fmt.Fprintf(h, "%d ", len(part))
		for i := range part {
			fmt.Fprintf(h, "%s %d ", part[i].Role, len(part[i].Text))
			_, _ = io.WriteString(h, part[i].Text) // a hash takes all
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// lastShown is the end of the last turn of c that is shown.
func (ends turnEnds) lastShown(c *history.Chat) (turnState, bool) {
	e, ok := ends[endKey(c.Messages[:c.LastTurn()], c.Messages[c.LastTurn():])]
	return e, ok
}

// ShowVariant shows the n-th end of the last turn, counted from 1, in the place of
// the one that is shown: its question, its reply, what it attached and its note to
// self. Nothing is sent. Undo takes that back.
func (s *Session) ShowVariant(n int) ([]history.Warning, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	if err := s.writable(); err != nil {
		return nil, err
	}
	at := s.chat.LastTurn()
	if at < 0 {
		return nil, ErrNothing
	}
	ends, shown := s.chat.Ends(at)
	if n < 1 || n > len(ends) {
		return nil, fmt.Errorf("the last turn has %d: variant %d is none of them", len(ends), n)
	}
	s.takeSummary(0, true)
	was := s.mark()
	if !s.chat.Show(at, n-1) {
		return nil, nil // it is the one that is shown
	}
	if e, ok := s.turns.ended.lastShown(&was.chat); ok && !s.stale {
		e.conv = s.conv // with what was done since
		s.turns.ended[endKey(was.chat.Messages[:at], ends[shown].Messages)] = e
	}
	atEnd(s, &s.moment)
	s.unanswered = false
	s.version++
	recordChange(s, was, Change{Variant: n})
	return s.saveAgain()
}

// replace makes room for the reply of a turn that runs again: the one from before
// stays as a variant.
func (t *Turn) replace() {
	again, c := t.p.again, &t.s.chat
	if again == nil {
		return
	}
	ends, shown := c.Ends(t.user)
	if len(ends[shown].Messages) > 1 {
		again.replaced = shown + 1
	}
	if t.spare > 0 && c.Show(t.user, t.spare) {
		c.Messages = slices.Delete(c.Messages, t.user+1, t.user+len(ends[t.spare].Messages)) // it is written anew
	} else {
		c.Restart(t.user)
	}
	t.spare = 0
	t.describe()
}

// storeAsVariant keeps a reply that broke off beside the whole one that stays.
func (t *Turn) storeAsVariant(reply history.Message) {
	question := t.s.chat.Messages[t.user]
	question.Variants, question.Context, question.Meta = nil, t.p.sentContext(), t.meta
	end := append([]history.Message{question, reply}, t.noted...)
	at := t.spare
	if at == 0 {
		at = -1 // the first time
	}
	t.spare = t.s.chat.AddVariant(t.user, at,
		history.Variant{Messages: end, Model: t.s.opts.ModelName, Usage: t.reportedUsage()})
}

// reportedUsage is nil if the provider reported nothing.
func (t *Turn) reportedUsage() *history.Usage {
	if t.answer.usage == nil {
		return nil
	}
	u := history.Usage(*t.answer.usage)
	return &u
}

// remember keeps the state after the turn, for when its end is shown again. That a
// reply took the place of another is a change that can be undone.
func (t *Turn) remember() {
	s := t.s
	if t.user != s.chat.LastTurn() {
		return // somebody else went on in the file
	}
	ends, shown := s.chat.Ends(t.user)
	end := t.spare
	if t.kept() {
		end = shown
	}
	if t.kept() || 0 < end && end < len(ends) {
		s.turns.ended[endKey(s.chat.Messages[:t.user], ends[end].Messages)] = turnState{
			conv:  t.after,
			stale: t.p.stale, in: t.p.in,
		}
	}
	if t.p.again == nil || t.p.again.replaced == 0 {
		return
	}
	was := s.mark()
	was.chat.Show(t.user, t.p.again.replaced-1)
	atEnd(s, &was)
	recordChange(s, was, Change{Variant: shown + 1})
}

// atEnd gives m the state after the end of the last turn that its chat shows. One that
// this session does not know is rebuilt with the next turn.
func atEnd(s *Session, m *moment) {
	end, known := s.turns.ended.lastShown(&m.chat)
	if m.stale = !known || end.stale; known {
		m.conv = s.asNow(end.conv)
	}
}

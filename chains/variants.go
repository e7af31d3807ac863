package chains

import (
	"fmt"
	"slices"
	"strings"

	"ibid/history"
)

// ComparedReply is one of the variants of the last turn.
type ComparedReply struct {
	N     int    // number, as /variants lists it
	Title string // number, model and price, as far as known
	Shown bool   // the chat continues from it
	Text  string
}

// turnEnds holds the states after turns of this session, by a hash of the turn and all messages before it, because
// an earlier turn may have another reply by now.
type turnEnds map[string]turnState

func turnEndKey(before, end []history.Message) string {
	var b strings.Builder
	for _, m := range slices.Concat(before, end) {
		fmt.Fprintf(&b, "%s %q %q\n", m.Role, m.Notes, m.Text)
	}
	return hashOf(fmt.Sprint(len(before), b.String()))
}

// lastShown returns the state after the last turn of c.
func (ends turnEnds) lastShown(c *history.Chat) (turnState, bool) {
	e, ok := ends[turnEndKey(c.Messages[:c.LastTurn()], c.Messages[c.LastTurn():])]
	return e, ok
}

// ShowVariant shows the n-th variant of the last turn, counted from 1: its question, reply, attachments and
// note-to-self. Nothing is sent. Undo takes it back.
func (s *Session) ShowVariant(n int) error {
	return s.changeAndSave(func() error {
		if err := s.writable(); err != nil {
			return err
		}
		at := s.chat.LastTurn()
		if at < 0 {
			return ErrNothing
		}
		ends, shown := s.chat.Ends(at)
		if n < 1 || n > len(ends) {
			return fmt.Errorf("the last turn has %d: variant %d is none of them", len(ends), n)
		}
		s.takeSummary(0, true)
		was := s.mark()
		if !s.chat.Show(at, n-1) {
			return nil // already shown
		}
		if e, ok := s.turns.ended.lastShown(&was.chat); ok && !s.stale {
			e.conv = s.conv // with the changes since then
			s.turns.ended[turnEndKey(was.chat.Messages[:at], ends[shown].Messages)] = e
		}
		restoreTurnEnd(s, &s.moment)
		s.unanswered = false
		s.version++
		recordChange(s, was, shownVariant(n))
		return nil
	})
}

// replace makes room for the reply of a retry; the existing one becomes a variant.
func (t *Turn) replace() {
	again, c := t.p.retry, &t.s.chat
	if again == nil {
		return
	}
	ends, shown := c.Ends(t.user)
	if ends[shown].Answered() {
		again.replaced = shown + 1
	}
	if t.variantPlace > 0 && c.Show(t.user, t.variantPlace) {
		// the reply is written again
		c.Messages = slices.Delete(c.Messages, t.user+1, t.user+len(ends[t.variantPlace].Messages))
	} else {
		c.Restart(t.user)
	}
	t.variantPlace = 0
	t.recordContext()
}

// storeAsVariant stores a reply that broke off as a variant, beside the complete one that stays.
func (t *Turn) storeAsVariant(reply history.Message) {
	question := t.s.chat.Messages[t.user]
	question.Variants, question.Notes, question.Context, question.Meta = nil, nil, t.p.sentContext(), t.meta
	end := []history.Message{question, reply}
	at := t.variantPlace
	if at == 0 {
		at = -1 // the first time
	}
	t.variantPlace = t.s.chat.AddVariant(t.user, at,
		history.Variant{Messages: end, Model: t.s.opts.ModelName, Usage: t.answer.usage})
}

// remember records the state after the turn, for when its end is shown again. A retry that replaced a reply is
// recorded as a change that Undo takes back.
func (t *Turn) remember() {
	s := t.s
	if t.user != s.chat.LastTurn() {
		return // another program continued the chat in the file
	}
	ends, shown := s.chat.Ends(t.user)
	end := t.variantPlace
	if t.kept() {
		end = shown
	}
	if t.kept() || 0 < end && end < len(ends) {
		key := turnEndKey(s.chat.Messages[:t.user], ends[end].Messages)
		s.turns.ended[key] = turnState{conv: t.after, stale: t.p.stale, in: t.p.in}
	}
	if t.p.retry == nil || t.p.retry.replaced == 0 {
		return
	}
	was := s.mark()
	was.chat.Show(t.user, t.p.retry.replaced-1)
	restoreTurnEnd(s, &was)
	recordChange(s, was, shownVariant(shown+1))
}

// restoreTurnEnd sets the conversation of m to the state after the last turn of its chat. A state that this session
// does not know is rebuilt with the next turn.
func restoreTurnEnd(s *Session, m *moment) {
	end, known := s.turns.ended.lastShown(&m.chat)
	if m.stale = !known || end.stale; known {
		m.conv = s.withCurrentChanges(end.conv)
	}
}

// shownVariant returns the change that shows a variant.
func shownVariant(n int) Change { return Change{Variant: n, Done: fmt.Sprintf("variant %d", n)} }

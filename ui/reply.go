package ui

import (
	"fmt"
	"slices"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
)

func toolMessage(id int, c prompt.ToolCall, s transcript.ToolState, text string) transcript.Message {
	return transcript.Message{
		ID: fmt.Sprintf("t%d-%s", id, c.ID), Role: transcript.Tool, Text: text,
		Call: transcript.Call{Name: c.Name, State: s},
	}
}

// clearRetried takes the reply that is being replaced off the screen.
func (m *Model) clearRetried() {
	n := len(m.turn.prompts)
	if !m.turn.retry || n == 0 {
		return
	}
	id := m.turn.prompts[n-1]
	you, _ := m.transcript.Message(id)
	m.transcript.Truncate(id)
	you.ID = m.turn.youID()
	m.turn.prompts[n-1] = you.ID
	m.transcript.Append(you)
}

// takeBack removes the message of a turn that left nothing behind, and puts it
// into the prompt again, or at the head of the queue if something else is there.
func (m *Model) takeBack() {
	t := &m.turn
	m.transcript.Truncate(t.youID())
	t.prompts = slices.DeleteFunc(t.prompts, func(id string) bool { return id == t.youID() })
	if m.composer.Empty() {
		m.composer.SetDraft(t.draft)
	} else {
		t.queue = slices.Insert(t.queue, 0, t.draft)
	}
}

// labelSent says under the message what went with it.
func (m *Model) labelSent(env prompt.Envelope) {
	you, ok := m.transcript.Message(m.turn.youID())
	if !ok || len(env.Attached) == 0 {
		return
	}
	you.Chips = sentChips(env)
	m.transcript.Update(you)
}

func sentChips(env prompt.Envelope) []transcript.Chip {
	chips := make([]transcript.Chip, 0, len(env.Attached))
	for _, a := range env.Attached {
		c := transcript.Chip{State: transcript.ChipAdded, Label: refLabel(a.Ref), Detail: "+" + theme.Short(a.Tokens)}
		switch {
		case a.State == "known" || a.State == "muted":
			c.State, c.Detail = transcript.ChipLibrary, ""
		case a.State == "updated":
			c.State, c.Detail = transcript.ChipDrifted, "+"+theme.Short(a.Tokens)
		case a.Image:
			c.State = transcript.ChipImage
		}
		if a.Active {
			c.State = transcript.ChipActive
		}
		chips = append(chips, c)
	}
	return chips
}

// beginReply opens a reply that will stream.
func (m *Model) beginReply() {
	m.turn.reply++
	m.turn.open = true
	m.transcript.Append(transcript.Message{
		ID: m.turn.replyID(), Role: transcript.Assistant, Status: transcript.Streaming, At: m.opt.now(), Detail: m.desk.state.chat.Model,
	})
}

// stream is where the reply goes.
func (m *Model) stream() *transcript.Stream {
	if !m.turn.open {
		m.beginReply()
	}
	s, _ := m.transcript.Stream(m.turn.replyID())
	return s
}

// thought ends the thinking, if there was any.
func (m *Model) thought() {
	if t := &m.turn; !t.think.IsZero() {
		m.stream().Thought(m.opt.now().Sub(t.think), 0)
		t.think = time.Time{}
	}
}

// endReply closes the reply that streams; one without a word goes away. It
// reports whether anything stays.
func (m *Model) endReply(status transcript.Status) (stays bool) {
	t := &m.turn
	if !t.open {
		return false
	}
	reply, _ := m.transcript.Message(t.replyID())
	stays = !isBlank(reply.Text) || reply.Reasoning != ""
	if stays {
		m.thought()
		m.stream().Finish(status)
	} else {
		m.transcript.Truncate(t.replyID())
	}
	t.open = false
	m.tellLate()
	return stays
}

// tellLate puts what there is to tell into the transcript.
func (m *Model) tellLate() {
	for _, n := range m.turn.late {
		m.notice(n.Text)
	}
	m.turn.late = nil
}

// hush drops what need not be told about notes that go along by themselves: the
// shelf shows on every turn that a pin or the active note is missing, and
// anything else about them is told once.
func (m *Model) hush(missing []prompt.Missing) {
	st, e := &m.desk.state, &m.estimate
	for _, gone := range missing {
		byItself := gone.Ref.ID == string(st.note.Path) || slices.ContainsFunc(st.pins, func(p vault.Pin) bool { return string(p.Path) == gone.Ref.ID })
		if !byItself || gone.Ref.Kind != prompt.Note || slices.Contains(st.attached, gone.Ref) {
			continue
		}
		if gone.State == "missing" || slices.Contains(e.told, gone.Reason) {
			m.turn.late = slices.DeleteFunc(m.turn.late, func(n chains.Notice) bool { return n.Text == gone.Reason })
		}
		e.told = append(e.told, gone.Reason)
	}
}

package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// pace is the least time between two looks at text that streams in: each is a frame,
// which costs more than the text, and nobody reads faster. Keys do not wait for it.
// spin is that between two steps of the sign of a turn. Where nothing moves by itself,
// stillPace is both.
const (
	pace      = 50 * time.Millisecond
	spin      = 120 * time.Millisecond
	stillPace = time.Second
)

// stepTime is the usual time, pace or spin, or the longer one of a theme in which
// nothing moves by itself.
func stepTime(t *theme.Theme, usual time.Duration) time.Duration {
	if t.Options.Still {
		return stillPace
	}
	return usual
}

// tickMsg turns the sign of a running turn.
type tickMsg struct {
	of *conversation
	id int
}

// firstTick is the first tick of a turn that begins in the conversation on the screen.
func firstTick(m *Model) tea.Cmd {
	return m.tasks.After(stepTime(m.k.Theme, spin), tickMsg{m.k.conversation, m.k.turn.id})
}

// tickTurn turns the sign of a turn, where it is seen: in its chat, in the rail of
// chats, or in their list.
func tickTurn(m *Model, msg tickMsg) tea.Cmd {
	t, seen := &msg.of.turn, !msg.of.turn.live.turned
	t.live.steps++
	if msg.of != m.k.conversation {
		seen = len(m.k.Theme.Glyphs.Spinner) > 1 && (m.stage.frame.chats.w > 0 || spins(m.page))
	}
	if !seen {
		m.drawing.version--
	} else if msg.of != m.k.conversation {
		m.toPage(page.Spin{})
	}
	return t.tick(m.tasks, msg, stepTime(m.k.Theme, spin))
}

// steps is how often the signs of the chats in the background have turned.
func (k *known) steps() (n int) {
	for _, c := range k.others {
		n += c.turn.live.steps
	}
	return n
}

// tick turns the sign, as long as the turn runs, unless text that came has done so:
// one frame shows both.
func (t *turn) tick(tasks *term.Tasks, msg tickMsg, every time.Duration) tea.Cmd {
	if msg.id != t.id || !t.running() {
		return nil
	}
	if !t.live.turned {
		t.transcript.Tick()
	}
	t.live.turned = false
	return tasks.After(every, msg)
}

// turnWithText turns the sign for the next tick.
func (t *turn) turnWithText() {
	if !t.live.turned {
		t.transcript.Tick()
		t.live.turned = true
	}
}

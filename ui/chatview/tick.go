package chatview

import (
	"time"

	tea "charm.land/bubbletea/v2"

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

// TickMsg turns the sign of a running turn.
type TickMsg struct {
	Of *Chat
	ID int
}

// FirstTick is the first tick of a turn that begins in a chat.
func (t *Turn) FirstTick(tasks *term.Tasks, look *theme.Theme, of *Chat) tea.Cmd {
	return tasks.After(stepTime(look, spin), TickMsg{of, t.ID})
}

// Tick turns the sign, as long as the turn runs, unless text that came has done so:
// one frame shows both.
func (t *Turn) Tick(tasks *term.Tasks, msg TickMsg, look *theme.Theme) tea.Cmd {
	if msg.ID != t.ID || !t.Running() {
		return nil
	}
	if !t.Live.Turned {
		t.Transcript.Tick()
	}
	t.Live.Turned = false
	return tasks.After(stepTime(look, spin), msg)
}

// TurnWithText turns the sign for the next tick.
func (t *Turn) TurnWithText() {
	if !t.Live.Turned {
		t.Transcript.Tick()
		t.Live.Turned = true
	}
}

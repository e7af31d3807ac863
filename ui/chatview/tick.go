package chatview

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
	"ibid/ui/theme"
)

// Times between animation steps. pace is the least time between two frames of streaming text: a frame
// costs more than the text, and nobody reads faster. Keys do not wait for it. spin is the time between
// two steps of the spinner. stillPace replaces both if animation is off.
const (
	pace      = 50 * time.Millisecond
	spin      = 120 * time.Millisecond
	stillPace = time.Second
)

// stepTime returns usual, which is pace or spin, or stillPace for a theme without animation.
func stepTime(t *theme.Theme, usual time.Duration) time.Duration {
	if t.Options.Still {
		return stillPace
	}
	return usual
}

// TickMsg advances the spinner of a running turn.
type TickMsg struct {
	Of *Chat
	ID int
}

// FirstTick returns the first tick of a turn.
func (t *Turn) FirstTick(tasks *term.Tasks, look *theme.Theme, of *Chat) tea.Cmd {
	return tasks.After(stepTime(look, spin), TickMsg{of, t.ID})
}

// Tick advances the spinner while the turn runs, unless arriving text has done so since the last tick:
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

// TurnWithText advances the spinner early, in place of the next tick.
func (t *Turn) TurnWithText() {
	if !t.Live.Turned {
		t.Transcript.Tick()
		t.Live.Turned = true
	}
}

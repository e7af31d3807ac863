package chatview

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
	"ibid/ui/theme"
)

// Times between animation steps. textPace is the least time between two frames of streaming text: a frame
// costs more than the text, and nobody reads faster. Keys do not wait for it. Each event of the last frame
// adds eventPace to it, up to slowestPace, since fast text is not read word by word. spinPace is the time
// between two steps of the spinner. stillPace replaces them if animation is off.
const (
	textPace    = 100 * time.Millisecond
	eventPace   = 4 * time.Millisecond
	slowestPace = 200 * time.Millisecond
	spinPace    = 120 * time.Millisecond
	stillPace   = time.Second
)

// tickTime returns usual, one of the times above, or stillPace for a theme without animation.
func tickTime(t *theme.Theme, usual time.Duration) time.Duration {
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

// Tick advances the spinner while the turn runs, unless arriving text does: one frame shows both.
func (t *Turn) Tick(tasks *term.Tasks, msg TickMsg, look *theme.Theme) tea.Cmd {
	if msg.ID != t.ID || !t.Running() {
		return nil
	}
	if t.Live.Advanced > 0 {
		t.Live.Advanced--
	} else {
		t.Transcript.Tick()
	}
	return tasks.After(tickTime(look, spinPace), msg)
}

// AdvanceSpinner advances the spinner in place of the ticks up to the next text.
func (t *Turn) AdvanceSpinner() {
	const ticks = 2 // in slowestPace
	if t.Live.Advanced < ticks {
		t.Transcript.Tick()
	}
	t.Live.Advanced = ticks
}

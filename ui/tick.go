package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

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

// tick turns the sign, as long as the turn runs, unless text that came has done so:
// one frame shows both.
func (t *turn) tick(tasks *tasks, msg tickMsg, every time.Duration) tea.Cmd {
	if msg.id != t.id || !t.running() {
		return nil
	}
	if !t.live.turned {
		t.transcript.Tick()
	}
	t.live.turned = false
	return tasks.after(every, msg)
}

// turnWithText turns the sign for the next tick.
func (t *turn) turnWithText() {
	if !t.live.turned {
		t.transcript.Tick()
		t.live.turned = true
	}
}

package ui

import (
	"fmt"
	"strings"
	"time"

	"ibid/chains"
)

// live is what is kept of a reply while it streams.
type live struct {
	wait    chains.Notice // why nothing comes yet, zero once something does
	waits   time.Time     // since when
	think   time.Time     // when the thinking began, zero if it has not or is over
	notes   footnotes
	actions *chains.ActionReader // nil if no blocks in replies propose to write notes
	steps   int                  // of the sign while the chat is in the background
	turned  bool                 // the sign was turned since the last tick, with text that came
}

// waiting is why nothing comes yet, "" if something does: what is tried again counts
// its seconds down.
func (l *live) waiting(now time.Time) string {
	seconds := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	left := " now"
	if d := l.wait.Wait - now.Sub(l.waits); d > 0 {
		left = fmt.Sprintf(" in %d s", seconds(d))
	}
	return strings.Replace(l.wait.Text, fmt.Sprintf(" in %d s", seconds(l.wait.Wait)), left, 1)
}

// add is what can be shown now that text has come.
func (l *live) add(text string) string {
	if text = l.notes.add(text); l.actions != nil {
		text = l.actions.Write(text)
	}
	return text
}

// end begins with the next reply. It returns what was held back of this one, and if
// numbers were changed in it, its text without that.
func (l *live) end() (held, raw string) {
	held, raw = l.notes.end()
	if l.actions != nil {
		held = l.actions.Write(held) + l.actions.Close()
		raw, l.actions = chains.DrawActions(raw), chains.NewActionReader()
	}
	return held, raw
}

// drawn is a reply as it is shown when it is whole.
func (l *live) drawn(text string) string {
	if l.actions == nil {
		return text
	}
	return chains.DrawActions(text)
}

package ui

import (
	"time"

	"ibid/chains"
)

// live is what is kept of a reply while it streams.
type live struct {
	wait    string    // why nothing comes yet, "" once something does
	think   time.Time // when the thinking began, zero if it has not or is over
	notes   footnotes
	actions *chains.ActionReader // nil if no blocks in replies propose to write notes
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

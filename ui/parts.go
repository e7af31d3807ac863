package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// stepPart chooses the part of a reply that stands so many places on, or that part as
// well.
func stepPart(by int, extend bool) action {
	return func(m *Model) tea.Cmd { return choosePart(m, by, extend) }
}

// choosePart chooses it, and says what can be done with what is chosen.
func choosePart(m *Model, by int, extend bool) tea.Cmd {
	parts := m.k.Choice.Parts
	step := parts.Step
	if extend {
		step = parts.Extend
	}
	moved := step(by)
	c, ok := parts.Choice()
	switch {
	case !ok:
		return m.say("there is no whole reply of which a part could be chosen")
	case !moved:
		return nil
	}
	what := fmt.Sprintf("part %d of %d", c.To, c.Of)
	if c.To > c.From {
		what = fmt.Sprintf("parts %d to %d of %d", c.From, c.To, c.Of)
	}
	return m.say(what + ": y copies, w writes, a adds, shift+down takes more")
}

// foldPart folds or unfolds what is chosen of a reply, or else what the transcript
// has to fold.
func foldPart(m *Model) tea.Cmd {
	if !m.k.Choice.Parts.Fold() && !m.k.Transcript.Toggle() {
		return m.say("nothing here can be folded")
	}
	return nil
}

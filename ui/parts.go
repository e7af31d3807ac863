package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/transcript"
)

// stepPart chooses the part of a reply that stands so many places on, or that part as
// well.
func stepPart(by int, extend bool) action {
	return func(m *Model) tea.Cmd { return choosePart(m, by, extend) }
}

// choosePart chooses it, and says what can be done with what is chosen.
func choosePart(m *Model, by int, extend bool) tea.Cmd {
	parts := m.k.choice.parts
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
	if !m.k.choice.parts.Fold() && !m.k.transcript.Toggle() {
		return m.say("nothing here can be folded")
	}
	return nil
}

// choice is what of the chat is chosen, to be copied or written.
type choice struct {
	parts  *transcript.Blocks
	marked string // with the mouse, until the key that is pressed now
}

// piece is what is chosen as it is written, the zero value for nothing, and the turn of
// parts.
func (c *choice) piece() (what desk.Piece, turn int) {
	if c.marked != "" {
		return desk.Piece{Text: c.marked}, 0
	}
	p, _ := c.parts.Choice()
	return desk.Piece{From: p.From, To: p.To, Text: p.Text}, p.Turn
}

// command is a line that is a command, with what is chosen of a reply as what it is
// to write, if it writes and does not say what.
func (c *choice) command(name, arg, line string) string {
	p, ok := c.parts.Choice()
	if !ok || desk.NamesPiece(arg) {
		return line
	}
	switch name {
	case "note", "append", "insert", "daily":
		return fmt.Sprintf("/%s turn %d part %d-%d %s", name, p.Turn, p.From, p.To, arg)
	}
	return line
}

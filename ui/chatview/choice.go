package chatview

import (
	"fmt"

	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// choice holds the parts of the chat that are chosen to be copied or written.
type choice struct {
	Parts  *transcript.Blocks
	Marked string // text selected with the mouse, until the current key press
}

// Piece returns the chosen text as a piece to write, the zero value if nothing is chosen, and for parts
// of a reply the turn.
func (c *choice) Piece() (what desk.Piece, turn int) {
	if c.Marked != "" {
		return desk.Piece{Text: c.Marked}, 0
	}
	p, _ := c.Parts.Choice()
	return desk.Piece{From: p.From, To: p.To, Text: p.Text}, p.Turn
}

// Command returns a command line. A command that writes gets the chosen parts of a reply as arguments,
// unless arg names something else.
func (c *choice) Command(name, arg, line string) string {
	p, ok := c.Parts.Choice()
	if !ok || desk.NamesPiece(arg) {
		return line
	}
	switch name {
	case "note", "append", "insert", "daily":
		return fmt.Sprintf("/%s turn %d part %d-%d %s", name, p.Turn, p.From, p.To, arg)
	}
	return line
}

// Step chooses the part of a reply that is by places further on, or extends the choice to it. It tells
// the user what can be done with the choice.
func (c *choice) Step(by int, extend bool) page.Request {
	step := c.Parts.Step
	if extend {
		step = c.Parts.Extend
	}
	moved := step(by)
	part, ok := c.Parts.Choice()
	switch {
	case !ok:
		return page.Toast{Text: "there is no whole reply of which a part could be chosen"}
	case !moved:
		return nil
	}
	what := fmt.Sprintf("part %d of %d", part.To, part.Of)
	if part.To > part.From {
		what = fmt.Sprintf("parts %d to %d of %d", part.From, part.To, part.Of)
	}
	return page.Toast{Text: what + ": y copies, w writes, a adds, shift+down takes more"}
}

// Fold folds or unfolds the chosen parts of a reply, or else the selected message.
func (c *choice) Fold(t *transcript.Transcript) page.Request {
	if !c.Parts.Fold() && !t.Toggle() {
		return page.Toast{Text: "nothing here can be folded"}
	}
	return nil
}

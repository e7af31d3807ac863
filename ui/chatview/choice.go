package chatview

import (
	"fmt"

	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// choice is what of the chat is chosen, to be copied or written.
type choice struct {
	Parts  *transcript.Blocks
	Marked string // with the mouse, until the key that is pressed now
}

// Piece is what is chosen as it is written, the zero value for nothing, and the turn of
// parts.
func (c *choice) Piece() (what desk.Piece, turn int) {
	if c.Marked != "" {
		return desk.Piece{Text: c.Marked}, 0
	}
	p, _ := c.Parts.Choice()
	return desk.Piece{From: p.From, To: p.To, Text: p.Text}, p.Turn
}

// Command is a line that is a command, with what is chosen of a reply as what it is
// to write, if it writes and does not say what.
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

// Step chooses the part of a reply that stands so many places on, or that part as well,
// and says what can be done with what is chosen.
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

// Fold folds or unfolds what is chosen of a reply, or else what the transcript has to
// fold.
func (c *choice) Fold(t *transcript.Transcript) page.Request {
	if !c.Parts.Fold() && !t.Toggle() {
		return page.Toast{Text: "nothing here can be folded"}
	}
	return nil
}

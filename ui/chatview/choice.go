package chatview

import (
	"fmt"

	"ibid/chains/desk"
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

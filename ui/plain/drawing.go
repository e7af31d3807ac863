package plain

import (
	"fmt"
	"os"
	"strings"
	"time"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// Drawing formats markdown for a terminal as the screen does. While a reply streams, complete blocks stay where
// they are, and the rest is drawn again below them.
type Drawing struct {
	Theme   theme.Theme
	Width   int                        // maximum width of the text
	Rows    func() int                 // height of the terminal
	Address func(target string) string // address of the target of a wikilink, see mdview.Links

	reply   *mdview.View // the streaming reply, nil if there is none
	pieces  int          // number of pieces received
	blocks  int          // number of complete blocks
	lines   int          // number of lines of complete blocks
	redrawn int          // number of lines below them, which are drawn again
}

// pieceTime is the time by which each piece of a reply advances the clock of the view, with which a table waits
// for its rows. There is no timer, so nothing else may be held back.
const pieceTime = 50 * time.Millisecond

// maxWidth is the most columns that text takes on a wide terminal.
const maxWidth = 100

// NewDrawing makes a drawing on a terminal.
func NewDrawing(out *os.File, look theme.Options) *Drawing {
	width, _ := TerminalSize(out)
	return &Drawing{
		Theme: theme.New(look), Width: min(max(width, mdview.MinWidth), maxWidth),
		Rows: func() int {
			_, height := TerminalSize(out)
			return height
		},
	}
}

// Whole formats a complete text.
func (d *Drawing) Whole(text string) string {
	v := mdview.Whole(d.Theme, text, d.options())
	v.Unfold()
	return d.paint(v.Lines())
}

func (d *Drawing) options() mdview.Options {
	clock := func() time.Time { return time.Time{}.Add(time.Duration(d.pieces) * pieceTime) }
	return mdview.Options{Width: d.Width, Now: clock, Links: mdview.Links{Address: d.Address}}
}

// add appends a piece of the reply, and returns the text that updates the terminal.
func (d *Drawing) add(text string) string {
	if d.reply == nil {
		d.reply, d.blocks, d.lines = mdview.New(mdview.NewRenderer(d.Theme), d.options()), 0, 0
	}
	d.pieces++
	d.reply.Append(text)
	lines := d.reply.Lines()
	if n := d.reply.Closed(); n > d.blocks {
		d.blocks = n
		d.reply.Unfold() // line mode has no key for it
		lines = d.reply.Lines()
	}
	out := d.eraseRedrawn()
	if stay := d.reply.EndOf(d.blocks); stay > d.lines {
		out += d.paint(lines[d.lines:stay])
		d.lines = stay
	}
	rest := lines[d.lines:]
	rest = rest[max(len(rest)-max(d.Rows()-1, 1), 0):] // lines that scrolled away cannot be drawn again
	d.redrawn = len(rest)
	return out + d.paint(rest)
}

// end ends the reply, and returns the text that draws the rest of it.
func (d *Drawing) end() string {
	if d.reply == nil {
		return ""
	}
	d.reply.Finish()
	d.reply.Unfold()
	lines := d.reply.Lines()
	d.reply = nil
	return d.eraseRedrawn() + d.paint(lines[min(d.lines, len(lines)):])
}

// eraseRedrawn returns the control sequence that deletes the lines to be drawn again.
func (d *Drawing) eraseRedrawn() string {
	n := d.redrawn
	if d.redrawn = 0; n == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\x1b[J", n)
}

// paint converts lines to text for the terminal.
func (d *Drawing) paint(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		line = theme.StripMarks(mdview.Paint(&d.Theme, line, d.Width, 0))
		if d.Theme.Options.NoLinks {
			line = mdview.Unlink(line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

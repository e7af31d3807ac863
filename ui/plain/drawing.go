package plain

import (
	"fmt"
	"strings"
	"time"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// Drawing draws markdown on a terminal as the screen does. Of a reply that is being written,
// blocks that will not change stay where they are; the rest is drawn again below them.
type Drawing struct {
	Theme   theme.Theme
	Width   int                        // of the text, at most
	Rows    func() int                 // of the terminal
	Address func(target string) string // of what a wikilink leads to, see mdview.Links

	reply  *mdview.View // nil if none is written
	pieces int          // that came of it
	blocks int          // of it that are complete
	lines  int          // of it that stay
	again  int          // lines below them, which are drawn again
}

// pieceTime is how much time a piece of a reply takes, as far as a table waits for its rows:
// without a timer, nothing else may be held back.
const pieceTime = 50 * time.Millisecond

// Whole is a text as it is drawn.
func (d *Drawing) Whole(text string) string {
	v := d.view()
	v.Append(text)
	v.Finish()
	v.Unfold()
	return d.drawn(v.Lines())
}

func (d *Drawing) view() *mdview.View {
	clock := func() time.Time { return time.Time{}.Add(time.Duration(d.pieces) * pieceTime) }
	return mdview.New(mdview.NewRenderer(d.Theme), mdview.Options{Width: d.Width, Now: clock, Links: mdview.Links{Address: d.Address}})
}

// add takes in a piece of the reply, and is what draws it.
func (d *Drawing) add(text string) string {
	if d.reply == nil {
		d.reply, d.blocks, d.lines = d.view(), 0, 0
	}
	d.pieces++
	d.reply.Append(text)
	lines := d.reply.Lines()
	if n := d.reply.Closed(); n > d.blocks {
		d.blocks = n
		d.reply.Unfold() // nobody could
		lines = d.reply.Lines()
	}
	out := d.erase()
	if stay := d.reply.EndOf(d.blocks); stay > d.lines {
		out += d.drawn(lines[d.lines:stay])
		d.lines = stay
	}
	rest := lines[d.lines:]
	rest = rest[max(len(rest)-max(d.Rows()-1, 1), 0):] // what scrolled away cannot be drawn again
	d.again = len(rest)
	return out + d.drawn(rest)
}

// end ends the reply, and is what draws the rest of it.
func (d *Drawing) end() string {
	if d.reply == nil {
		return ""
	}
	d.reply.Finish()
	d.reply.Unfold()
	lines := d.reply.Lines()
	d.reply = nil
	return d.erase() + d.drawn(lines[min(d.lines, len(lines)):])
}

// erase takes away what is to be drawn again.
func (d *Drawing) erase() string {
	n := d.again
	if d.again = 0; n == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\x1b[J", n)
}

// drawn is lines for the terminal.
func (d *Drawing) drawn(lines []string) string {
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

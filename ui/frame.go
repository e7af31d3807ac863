package ui

import (
	"ibid/ui/cells"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/rails"
)

// Sizes of the screen at which the layout changes, and widths of the text between the rails. One column
// before the context rail stays free.
const (
	minWidth, minHeight = 40, 10

	roomy = 100 // columns from which the header also shows limits and costs

	textWidth  = 84  // of the transcript, until both rails fit
	widestText = 100 // of the transcript on wider screens
	wideCode   = 140 // columns from which code and tables use the whole width

	oneRail  = textWidth + 1 + rails.ContextWidth // with the free column: columns from which there is a context rail
	twoRails = rails.ChatsWidth + 1 + oneRail     // columns from which there is a rail of chats, too
)

// textColumn returns the width of the transcript on a screen of w columns. It never shrinks when w
// grows.
func textColumn(w int) int { return min(w, textWidth+max(w-twoRails, 0), widestText) }

// frame holds the rectangles of the parts of the screen. A part that is not shown has the zero
// cells.Rect.
type frame struct {
	tooSmall bool
	header   cells.Rect // with the rule below it, if there is one
	body     cells.Rect // transcript, or the page of an empty chat
	indent   int        // columns of the body to the left of the transcript
	chats    cells.Rect // left rail
	context  cells.Rect // right rail
	find     cells.Rect
	queue    cells.Rect // the queued messages
	ribbon   cells.Rect
	composer cells.Rect
	status   cells.Rect
	popup    cells.Rect // the largest area of a list over the prompt
}

// needs holds the inputs of the layout besides the size of the screen.
type needs struct {
	prompt int  // rows of the composer
	rails  bool // the user wants rails
	ribbon bool // the ribbon has something to show
	find   bool
	queued int    // queued messages
	chat   string // path of the chat on the screen, which the left rail shows
}

// promptRows returns the largest number of rows of text in the prompt on a screen of h rows.
func promptRows(h int) int {
	if h < page.LowHeight {
		return 1
	}
	return min(8, h/3)
}

// arrange divides a screen of w columns and h rows. No rectangles overlap, none has a negative size,
// and together they cover all rows.
func arrange(w, h int, want needs) frame {
	if w < minWidth || h < minHeight {
		return frame{tooSmall: true}
	}
	var f frame
	top, bottom := 0, h
	take := func(n int) cells.Rect {
		bottom -= n
		return cells.Rect{X: 0, Y: bottom, W: w, H: n}
	}
	low := h < page.LowHeight
	if !low {
		if top = 1; h >= chatview.TallHeight {
			top = 2
		}
		f.header = cells.Rect{X: 0, Y: 0, W: w, H: top}
	}
	f.status = take(1)
	f.composer = take(min(max(want.prompt, 2), promptRows(h)+2))
	rail := want.rails && w >= oneRail && !low
	if want.ribbon && !rail && !low {
		f.ribbon = take(1)
	}
	if want.find {
		f.find = take(1)
	}
	if n := min(want.queued, chatview.MaxQueued); n > 0 && !low {
		f.queue = take(n)
	}
	f.body = cells.Rect{X: 0, Y: top, W: w, H: bottom - top}
	if rail {
		f.takeRails(w)
	}
	f.popup = cells.Rect{X: 0, Y: top, W: w, H: f.composer.Y - top}
	return f
}

// takeRails cuts the columns of the rails off the body.
func (f *frame) takeRails(w int) {
	if w >= twoRails {
		f.chats = cells.Rect{X: 0, Y: f.body.Y, W: rails.ChatsWidth, H: f.body.H}
		f.body.X += rails.ChatsWidth + 1
		f.body.W -= rails.ChatsWidth + 1
	}
	f.body.W -= rails.ContextWidth
	f.context = cells.Rect{X: f.body.X + f.body.W + 2, Y: f.body.Y, W: rails.ContextWidth - 2, H: f.body.H}
}

// part returns the rectangle of the part that contains a cell.
func (f *frame) part(x, y int) cells.Rect {
	for _, r := range []cells.Rect{f.body, f.chats, f.context, f.find, f.queue, f.ribbon, f.composer, f.status} {
		if r.Has(x, y) {
			return r
		}
	}
	return cells.Rect{X: f.header.X, Y: f.header.Y, W: f.header.W, H: min(f.header.H, 1)}
}

package ui

import (
	"ibid/ui/cells"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/scrollback"
)

// Sizes at which the layout changes, and those of the text between the rails. One cell
// before the context rail stays free.
const (
	minWidth, minHeight = 40, 10

	roomy      = 100 // columns from which on the header tells more
	tallHeight = 30  // from here on a rule below the header, and a box around the prompt

	textWidth  = 84  // of the transcript, until both rails fit
	widestText = 100 // and then
	wideCode   = 140 // from here on code and tables are as wide as there is room

	oneRail  = textWidth + 1 + rails.ContextWidth // with the free cell: context rail from here on
	twoRails = rails.ChatsWidth + 1 + oneRail     // and the chats rail
)

// textColumn is how wide the transcript is drawn on a screen of w columns. A wider
// screen never makes it narrower.
func textColumn(w int) int { return min(w, textWidth+max(w-twoRails, 0), widestText) }

// frame says where everything is. A part that has no place has the zero cells.Rect.
type frame struct {
	tooSmall bool
	header   cells.Rect // with the rule below it, if there is one
	body     cells.Rect // transcript, or the page of an empty chat
	indent   int        // columns of it in front of the transcript
	chats    cells.Rect // left rail
	context  cells.Rect // right rail
	find     cells.Rect
	queue    cells.Rect // the messages that wait
	ribbon   cells.Rect
	composer cells.Rect
	status   cells.Rect
	popup    cells.Rect // the most that a list over the prompt may take
}

// needs is what the parts of the screen need, on which the layout depends besides the size.
type needs struct {
	prompt int  // rows that the composer wants
	rails  bool // the user wants rails
	ribbon bool // it has something to say
	find   bool
	queued int // messages that wait
}

// promptRows is how many rows of text the prompt may grow to.
func promptRows(h int) int {
	if h < page.LowHeight {
		return 1
	}
	return min(8, h/3)
}

// arrange divides a screen of w by h. Nothing overlaps, nothing is negative, and
// all rows are given away.
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
		if top = 1; h >= tallHeight {
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
	if n := min(want.queued, chatview.MostQueued); n > 0 && !low {
		f.queue = take(n)
	}
	f.body = cells.Rect{X: 0, Y: top, W: w, H: bottom - top}
	if rail {
		f.takeRails(w)
	}
	f.popup = cells.Rect{X: 0, Y: top, W: w, H: f.composer.Y - top}
	return f
}

// takeRails takes the rails' columns off the body.
func (f *frame) takeRails(w int) {
	if w >= twoRails {
		f.chats = cells.Rect{X: 0, Y: f.body.Y, W: rails.ChatsWidth, H: f.body.H}
		f.body.X += rails.ChatsWidth + 1
		f.body.W -= rails.ChatsWidth + 1
	}
	f.body.W -= rails.ContextWidth
	f.context = cells.Rect{X: f.body.X + f.body.W + 2, Y: f.body.Y, W: rails.ContextWidth - 2, H: f.body.H}
}

// part is the part that a cell belongs to.
func (f *frame) part(x, y int) cells.Rect {
	for _, r := range []cells.Rect{f.body, f.chats, f.context, f.find, f.queue, f.ribbon, f.composer, f.status} {
		if r.Has(x, y) {
			return r
		}
	}
	return cells.Rect{X: f.header.X, Y: f.header.Y, W: f.header.W, H: min(f.header.H, 1)}
}

// placeInline arranges what is drawn below the lines that are printed. The composer
// stands below the rest of it, wherever that ends.
func placeInline(w, h int, want needs) frame {
	if w < minWidth || h < minHeight {
		return frame{tooSmall: true}
	}
	var f frame
	room := h - scrollback.Rows(h) - 1
	f.status = cells.Rect{X: 0, Y: 0, W: w, H: 1}
	f.composer = cells.Rect{X: 0, Y: 0, W: w, H: min(max(want.prompt, 2), promptRows(h)+2)}
	room -= f.composer.H
	if want.ribbon && h >= page.LowHeight {
		f.ribbon = cells.Rect{X: 0, Y: 0, W: w, H: 1}
		room--
	}
	if h >= page.LowHeight {
		f.queue = cells.Rect{X: 0, Y: 0, W: w, H: min(want.queued, chatview.MostQueued)}
		room -= f.queue.H
	}
	f.popup = cells.Rect{X: 0, Y: 0, W: w, H: room}
	return f
}

package ui

// rect is a part of the screen, in cells.
type rect struct{ x, y, w, h int }

// Sizes at which the layout changes, and those of the rails. A rail has a rule
// of one column beside it; the context rail a space more.
const (
	minWidth, minHeight = 40, 10

	oneRail   = 100 // context rail from here on
	twoRails  = 160 // and the chats rail
	lowHeight = 20  // under this: one row of prompt, header in the status line

	narrowRail = 32
	wideRail   = 52
	chatsWidth = 28
)

// frame says where everything is. A part that has no place has the zero rect.
type frame struct {
	tooSmall bool
	header   rect // with the rule below it
	body     rect // transcript, or the page of an empty chat
	chats    rect // left rail
	context  rect // right rail
	find     rect
	queue    rect // the messages that wait
	ribbon   rect
	composer rect
	status   rect
	popup    rect // the most that a list over the prompt may take
}

// wish is what the layout depends on besides the size.
type wish struct {
	prompt int  // rows that the composer wants
	rails  bool // the person wants rails
	find   bool
	queued int // messages that wait
}

// mostQueued is how many of the messages that wait are shown.
const mostQueued = 3

// promptRows is how many rows of text the prompt may grow to.
func promptRows(h int) int {
	if h < lowHeight {
		return 1
	}
	return min(8, h/3)
}

// arrange divides a screen of w by h. Nothing overlaps, nothing is negative, and
// all rows are given away.
func arrange(w, h int, want wish) frame {
	if w < minWidth || h < minHeight {
		return frame{tooSmall: true}
	}
	var f frame
	top, bottom := 0, h
	take := func(n int) rect {
		bottom -= n
		return rect{0, bottom, w, n}
	}
	low := h < lowHeight
	if !low {
		f.header = rect{0, 0, w, 2}
		top = 2
	}
	f.status = take(1)
	f.composer = take(min(max(want.prompt, 3), promptRows(h)+2))
	rail := want.rails && w >= oneRail && !low
	if !rail && !low {
		f.ribbon = take(1)
	}
	if want.find {
		f.find = take(1)
	}
	if n := min(want.queued, mostQueued); n > 0 && !low {
		f.queue = take(n)
	}
	f.body = rect{0, top, w, bottom - top}
	if rail {
		f.rails(w)
	}
	f.popup = rect{0, top, w, f.composer.y - top}
	return f
}

// rails takes the rails' columns off the body.
func (f *frame) rails(w int) {
	size := narrowRail
	if w >= twoRails {
		size = wideRail
		f.chats = rect{0, f.body.y, chatsWidth, f.body.h}
		f.body.x += chatsWidth + 1
		f.body.w -= chatsWidth + 1
	}
	f.body.w -= size + 2
	f.context = rect{f.body.x + f.body.w + 2, f.body.y, size, f.body.h}
}

// part is the part that a cell belongs to.
func (f *frame) part(x, y int) rect {
	for _, r := range []rect{f.body, f.chats, f.context, f.find, f.queue, f.ribbon, f.composer, f.status} {
		if r.has(x, y) {
			return r
		}
	}
	return rect{f.header.x, f.header.y, f.header.w, min(f.header.h, 1)}
}

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

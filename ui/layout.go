package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/scrollback"
	"ibid/ui/transcript"
)

// rect is a part of the screen, in cells.
type rect struct{ x, y, w, h int }

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

// frame says where everything is. A part that has no place has the zero rect.
type frame struct {
	tooSmall bool
	header   rect // with the rule below it, if there is one
	body     rect // transcript, or the page of an empty chat
	indent   int  // columns of it in front of the transcript
	chats    rect // left rail
	context  rect // right rail
	find     rect
	queue    rect // the messages that wait
	ribbon   rect
	composer rect
	status   rect
	popup    rect // the most that a list over the prompt may take
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
	take := func(n int) rect {
		bottom -= n
		return rect{0, bottom, w, n}
	}
	low := h < page.LowHeight
	if !low {
		if top = 1; h >= tallHeight {
			top = 2
		}
		f.header = rect{0, 0, w, top}
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
	f.body = rect{0, top, w, bottom - top}
	if rail {
		f.takeRails(w)
	}
	f.popup = rect{0, top, w, f.composer.y - top}
	return f
}

// takeRails takes the rails' columns off the body.
func (f *frame) takeRails(w int) {
	if w >= twoRails {
		f.chats = rect{0, f.body.y, rails.ChatsWidth, f.body.h}
		f.body.x += rails.ChatsWidth + 1
		f.body.w -= rails.ChatsWidth + 1
	}
	f.body.w -= rails.ContextWidth
	f.context = rect{f.body.x + f.body.w + 2, f.body.y, rails.ContextWidth - 2, f.body.h}
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

// needsOf is what the parts need now.
func needsOf(m *Model) needs {
	return needs{
		prompt: m.composer.Height(), rails: m.stage.wantRails, ribbon: m.k.Estimate.Heavy, find: m.k.Find.Open,
		queued: min(len(m.k.Queue), chatview.MostQueued),
	}
}

// place arranges the screen and gives everything its size.
func (m *Model) place() {
	if m.stage.w == 0 {
		return
	}
	m.composer.SetWidth(m.stage.w)
	m.composer.SetMaxRows(promptRows(m.stage.h))
	m.composer.SetBoxed(m.stage.h >= tallHeight)
	m.stage.needs = needsOf(m)
	m.stage.frame = arrange(m.stage.w, m.stage.h, m.stage.needs)
	m.rails.SetSize(rails.Chats, m.stage.frame.chats.w, m.stage.frame.chats.h)
	m.rails.SetSize(rails.Context, m.stage.frame.context.w, m.stage.frame.context.h)
	text := min(textColumn(m.stage.w), m.stage.frame.body.w)
	wide := text
	switch f := &m.stage.frame; {
	case m.printer.On:
		text = min(text, m.stage.w-1) // what is as wide as the terminal is cut where it is printed
		wide = text
	case m.stage.w >= wideCode:
		if f.context.w == 0 {
			f.indent = (m.stage.w - text) / 2
		}
		wide = f.body.w - f.indent - 1
	}
	transcript.SetColumns(m.k.Transcript, wide, m.stage.frame.body.h, text)
	if m.printer.Compact() {
		m.stage.frame = placeInline(m.stage.w, m.stage.h, m.stage.needs)
	}
	m.k.Find.Line.SetWidth(max(m.stage.w/2-10, 8))
	size := tea.WindowSizeMsg{Width: m.stage.w, Height: m.stage.h}
	if overPrompt(m.page) {
		size.Height = m.stage.frame.popup.h
	}
	m.toPage(size)
}

// placeInline arranges what is drawn below the lines that are printed. The composer
// stands below the rest of it, wherever that ends.
func placeInline(w, h int, want needs) frame {
	if w < minWidth || h < minHeight {
		return frame{tooSmall: true}
	}
	var f frame
	room := h - scrollback.Rows(h) - 1
	f.status = rect{0, 0, w, 1}
	f.composer = rect{0, 0, w, min(max(want.prompt, 2), promptRows(h)+2)}
	room -= f.composer.h
	if want.ribbon && h >= page.LowHeight {
		f.ribbon = rect{0, 0, w, 1}
		room--
	}
	if h >= page.LowHeight {
		f.queue = rect{0, 0, w, min(want.queued, chatview.MostQueued)}
		room -= f.queue.h
	}
	f.popup = rect{0, 0, w, room}
	return f
}

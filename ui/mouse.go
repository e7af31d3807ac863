package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/ui/browse"
	"ibid/ui/cells"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// Constants of the mouse. A press within clickTime of the last one at the same place counts as a double
// or triple click. While the button is held beyond the transcript, it scrolls every edgeTime by the
// number of rows that the pointer is away, at most maxEdgeRows.
const (
	clickTime   = 400 * time.Millisecond
	edgeTime    = 50 * time.Millisecond
	maxEdgeRows = 5
)

// mouse tracks the left button: a press and release at one place is a click; a move in between selects
// text, which the release copies. Other buttons do nothing.
type mouse struct {
	held   bool
	moved  bool // since the button was pressed
	x, y   int  // of the pointer
	at     time.Time
	clicks int // presses at this place within clickTime of each other
	id     int // of the newest scroll timer
	edge   int // rows to scroll by at each tick

	chat   *transcript.Selection
	inChat bool       // the button was pressed in the transcript
	area   cells.Area // selection outside of the transcript
}

// edgeMsg scrolls the transcript on, if the pointer is still beyond it.
type edgeMsg struct{ id int }

// press begins a click or a selection.
func (p *mouse) press(m *Model, msg tea.MouseClickMsg) {
	if msg.Button != tea.MouseLeft {
		return
	}
	now := m.Now()
	if msg.X != p.x || msg.Y != p.y || now.Sub(p.at) > clickTime || p.clicks == 3 {
		p.clicks = 0
	}
	p.clear()
	p.clicks++
	p.held, p.moved, p.x, p.y, p.at = true, false, msg.X, msg.Y, now
	f := &m.stage.frame
	if p.inChat = m.page == nil && f.body.Has(msg.X, msg.Y) && m.Transcript.Len() > 0; p.inChat {
		p.chat.Begin(msg.X-f.body.X-f.indent, msg.Y-f.body.Y, p.clicks)
		return
	}
	within := f.part(msg.X, msg.Y)
	if m.page != nil { // pages draw their own boxes: the whole screen can be selected
		within = cells.Rect{W: m.stage.w, H: m.stage.h}
	}
	p.area = cells.Select(strings.Split(m.drawing.marked, "\n"), within, msg.X, msg.Y, p.clicks)
}

// drag moves the end of the selection, and scrolls at the edges of the transcript.
func (p *mouse) drag(m *Model, msg tea.MouseMotionMsg) tea.Cmd {
	if !p.held || !p.moved && msg.X == p.x && msg.Y == p.y {
		return nil
	}
	p.moved, p.x, p.y = true, msg.X, msg.Y
	if !p.inChat {
		p.area.Extend(msg.X, msg.Y)
		return nil
	}
	f := &m.stage.frame
	p.chat.Extend(msg.X-f.body.X-f.indent, msg.Y-f.body.Y)
	began := p.edge != 0
	p.edge = rowsBeyond(msg.Y, f.body, m.stage.h)
	if p.edge == 0 || began {
		return nil
	}
	p.id++
	return m.Tasks.After(edgeTime, edgeMsg{p.id})
}

// rowsBeyond returns the number of rows that a pointer is below a part of a screen of h rows, or
// negative above it, at most maxEdgeRows. Where a part ends at the edge of the screen, its last row counts
// as beyond.
func rowsBeyond(y int, r cells.Rect, h int) int {
	top, bottom := r.Y, r.Y+r.H-1
	switch {
	case y < top || y == 0:
		return -min(max(top-y, 1), maxEdgeRows)
	case y > bottom || y == h-1:
		return min(max(y-bottom, 1), maxEdgeRows)
	}
	return 0
}

// scroll scrolls by edge rows and starts the next timer.
func (p *mouse) scroll(m *Model, msg edgeMsg) tea.Cmd {
	if msg.id != p.id || !p.held || p.edge == 0 {
		p.edge = 0
		return nil
	}
	f := &m.stage.frame
	m.Transcript.ScrollBy(p.edge)
	p.chat.Extend(p.x-f.body.X-f.indent, p.y-f.body.Y)
	return m.Tasks.After(edgeTime, msg)
}

// release copies the selection, or acts on a click.
func (p *mouse) release(m *Model, msg tea.MouseReleaseMsg) tea.Cmd {
	if !p.held {
		return nil
	}
	p.held, p.edge = false, 0
	text := p.area.Text(m.Theme.Glyphs.Rule)
	if p.inChat {
		text = p.chat.Text()
	}
	switch {
	case text != "":
		what := theme.Plural(len([]rune(text)), "character")
		if n := strings.Count(text, "\n"); n > 0 {
			what = theme.Plural(n+1, "line")
		}
		return m.carryOut(page.Copy{Text: text, What: what})
	case p.moved || p.clicks > 1:
		p.clear()
		return nil
	}
	before := m.page
	cmd := p.click(m, tea.MouseClickMsg(msg))
	if m.page != before {
		p.clicks = 3 // a second click is not meant for what has opened there meanwhile
	}
	return cmd
}

// clear removes the selection and reports whether there was one.
func (p *mouse) clear() bool {
	was := p.chat.On() || p.area.On()
	p.chat.Clear()
	p.area = cells.Area{}
	return was
}

// wheel scrolls the part under the pointer: the open page, a rail or the transcript.
func (p *mouse) wheel(m *Model, msg tea.MouseWheelMsg) tea.Cmd {
	if m.page != nil && !overPrompt(m.page) {
		return m.toPage(msg)
	}
	by := 3
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelLeft, tea.MouseWheelRight:
		return nil
	}
	if f := &m.stage.frame; f.chats.Has(msg.X, msg.Y) || f.context.Has(msg.X, msg.Y) {
		side := rails.Context
		if f.chats.Has(msg.X, msg.Y) {
			side = rails.Chats
		}
		m.rails.Scroll(side, by)
		return nil
	}
	m.Transcript.ScrollBy(by)
	return nil
}

// click acts on the part under the pointer. It never takes the cursor out of the prompt, where the next
// letters belong.
func (p *mouse) click(m *Model, msg tea.MouseClickMsg) tea.Cmd {
	f := &m.stage.frame
	if key, ok := keyAtPointer(m, msg.X, msg.Y); ok {
		return m.key(key)
	}
	if m.page != nil {
		if overPrompt(m.page) {
			msg.Y -= f.composer.Y - len(m.page.View(f.popup.W, f.popup.H))
		}
		return m.toPage(msg)
	}
	switch f.part(msg.X, msg.Y) {
	case cells.Rect{}:
	case f.body:
		if m.Transcript.Len() == 0 {
			return m.carryOut(m.welcome(f.body.W, f.body.H).Rows()[msg.Y-f.body.Y].Does)
		}
		switch by, address := m.Transcript.Click(msg.X-f.body.X-f.indent, msg.Y-f.body.Y); {
		case by != 0:
			return m.carryOut(m.OtherVariant(by))
		case address != "":
			return m.carryOut(browse.FollowAddress(address))
		}
	case f.composer:
		m.Composer.Focus()
		if msg.Y == f.composer.Y {
			return m.carryOut(pressShelf(m.Composer, msg.X))
		}
		if i, ok := composer.SuggestionAt(m.Composer, msg.X-f.composer.X, msg.Y-f.composer.Y); ok {
			return takeSuggestion(i)(m)
		}
		m.Composer.Click(msg.X-f.composer.X, msg.Y-f.composer.Y)
		return m.followTrigger()
	case f.context:
		return clickRail(m, rails.Context, msg.Y-f.context.Y)
	case f.ribbon:
		return m.carryOut(page.Open{ID: page.Context})
	case f.chats:
		return clickRail(m, rails.Chats, msg.Y-f.chats.Y)
	case f.queue:
		if !m.Unqueue(len(m.Queue) - f.queue.H + msg.Y - f.queue.Y) {
			return m.Say("the prompt must be empty to take a queued message back")
		}
	case f.find:
	default: // the header, or the status of a low screen, which shows it
		if s := screenOf(m); f.header.H > 0 && msg.Y == f.header.Y || f.header.H == 0 && s.statusHasHeader() {
			return m.carryOut(s.pressHeader(msg.X))
		}
	}
	return nil
}

// clickRail opens the entry on row y of a rail.
func clickRail(m *Model, side rails.Side, y int) tea.Cmd {
	row, taken := m.rails.Click(side, y)
	if !taken {
		return nil
	}
	return openRow(m, row)
}

// openRow opens an entry of a rail. A chat moves the focus to its prompt.
func openRow(m *Model, row rails.Row) tea.Cmd {
	if row.Side == rails.Chats && row.ID != "" {
		m.Composer.Focus()
	}
	return m.carryOut(m.openRow(row))
}

// pressShelf maps a click on column x of the shelf to a request: the next state of the active note,
// another note to read, or the list of all that goes along.
func pressShelf(c *composer.Model, x int) page.Request {
	chip, ok := c.ChipAt(x)
	switch link := prompt.ParseRef(chip.ID).Link(); {
	case ok && chip.ID == chatview.ActiveID:
		return page.Act("active")
	case ok && link != "":
		return page.Open{ID: page.Links, Arg: link}
	}
	return page.Open{ID: page.Context}
}

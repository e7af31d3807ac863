package ui

import (
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// railFocus is the rail in which the arrow keys walk, the row that they are at, and
// where the rails were scrolled to.
type railFocus struct {
	on     bool   // else the keys are the transcript's
	chats  bool   // the left rail, else the right one
	at     string // path of the chat, or ID of the item
	row    int    // where that is in the list
	filter textinput.Model
	found  []history.Summary // the chats that fit the filter
	scroll [2]railScroll     // of the right rail, and of the left one
	own    string            // path of the chat on the screen, which the left rail shows
	ownRow int               // where that is in the list, -1 for nowhere
}

// railScroll is where a rail was scrolled to.
type railScroll struct {
	from int  // the first chat or item
	free bool // the wheel did that: the chosen row need not be shown
}

// stepRail goes to another row of a rail, so many on.
type stepRail int

// pageRail goes on by as many rows of a rail as are shown: 1 down, -1 up.
type pageRail int

// pressRow opens a chat, or shows a note: the one at hand, or that of a row of a rail.
type pressRow struct {
	chats bool
	id    string
}

// scrolled is where the left rail, or the right one, was scrolled to.
func (f *railFocus) scrolled(chats bool) *railScroll {
	if chats {
		return &f.scroll[1]
	}
	return &f.scroll[0]
}

// chatsOf are the chats of the left rail while it has the focus.
func (f *railFocus) chatsOf(c *browse.Chats) []history.Summary {
	if f.filter.Value() != "" {
		return f.found
	}
	return c.Kept
}

// find finds the chats that fit the filter again.
func (f *railFocus) find(c *browse.Chats) {
	f.found = nil
	for i := range c.Kept {
		if f.filter.Value() != "" && page.Matches(c.Kept[i].Title, f.filter.Value()) {
			f.found = append(f.found, c.Kept[i])
		}
	}
}

// focusedRail is what was drawn last of the rail that has the focus, nil if none has.
func focusedRail(m *Model) *rail {
	return drawnRail(m, m.stage.rail.chats, m.stage.rail.on && !m.composer.Focused())
}

// drawnRail is what was drawn last of a rail that is wanted and shown, else nil.
func drawnRail(m *Model, chats, wanted bool) *rail {
	switch rails, f := &m.drawing.rails, &m.stage.frame; {
	case !wanted:
		return nil
	case chats && f.chats.w > 0:
		return &rails.chats
	case !chats && f.context.w > 0:
		return &rails.context
	}
	return nil
}

// inChatRail reports whether the keys are those of the left rail.
func inChatRail(m *Model) bool { return m.stage.rail.chats && focusedRail(m) != nil }

// id is the chat or the item of a row, "" for none.
func (r *rail) id(row int) string {
	if row < 0 || row >= len(r.Rows) {
		return ""
	}
	return r.Rows[row].ID
}

// follow has the left rail show the chat on the screen when another one is there, or
// when the list is another.
func (f *railFocus) follow(m *Model, anew bool) {
	own := m.k.Desk.Chat.Path
	if own != f.own {
		f.scrolled(true).free = false
	} else if !anew {
		return
	}
	f.own = own
	f.ownRow = slices.IndexFunc(m.k.Chats.Kept, func(s history.Summary) bool { return string(s.Path) == own })
}

// railEntries are the chats or items of a rail: how many, and each.
func railEntries(m *Model, chats bool) (n int, id func(int) string) {
	if chats {
		all := m.k.Chats.Kept
		if inChatRail(m) {
			all = m.stage.rail.chatsOf(&m.k.Chats)
		}
		return len(all), func(i int) string { return string(all[i].Path) }
	}
	ids := m.k.Estimate.Report.RailIDs()
	return len(ids), func(i int) string { return ids[i] }
}

// nearest is where an entry of n is in a list in which it was at a row before; that row
// if it is gone.
func nearest(n int, id func(int) string, row int, at string) int {
	row = min(max(row, 0), n-1)
	if row < 0 || id(row) == at {
		return max(row, 0)
	}
	for i := range n {
		if id(i) == at {
			return i
		}
	}
	return row
}

// toTranscript gives the focus to the transcript, or to what comes behind it if it is
// empty.
func toTranscript(m *Model) tea.Cmd {
	if m.stage.rail.on = false; m.k.Transcript.Len() == 0 {
		return nextPane(m)
	}
	m.composer.Blur()
	return nil
}

// nextPane gives the focus to what comes behind: the transcript, the rails that have
// something to choose, the prompt.
func nextPane(m *Model) tea.Cmd {
	order := []bool{false, true}
	if r := &m.stage.rail; m.focus() == keys.InRail {
		if order = order[1:]; r.chats {
			order = nil
		}
	}
	m.composer.Focus() // no filter is typed into any more
	for _, chats := range order {
		n, id := railEntries(m, chats)
		if n == 0 || drawnRail(m, chats, true) == nil {
			continue
		}
		m.composer.Blur()
		r := &m.stage.rail
		r.on, r.chats, r.at, r.row, r.found, r.filter = true, chats, id(0), 0, nil, newFilter(m.k.Theme)
		if chats && r.own != "" && r.ownRow >= 0 {
			r.at, r.row = r.own, r.ownRow
		}
		r.scrolled(chats).free = false
		break
	}
	return nil
}

// newFilter is the line that the chats of the rail are filtered in.
func newFilter(t *theme.Theme) textinput.Model {
	line := term.NewLine("> ")
	line.Placeholder = "filter"
	line.SetWidth(chatsWidth - 12)
	term.StyleLine(&line, t)
	line.Focus()
	return line
}

// filterRail gives the line in which chats are filtered a key or a paste, and reports
// whether that is typed into.
func filterRail(m *Model, msg tea.Msg) bool {
	r := &m.stage.rail
	if !inChatRail(m) {
		return false
	}
	before := r.filter.Value()
	if r.filter, _ = r.filter.Update(msg); r.filter.Value() != before {
		r.row, r.at = 0, ""
		r.refilter(m)
	}
	return true
}

// clearFilter shows all chats again, and reports whether some were hidden.
func clearFilter(m *Model) bool {
	if !inChatRail(m) || m.stage.rail.filter.Value() == "" {
		return false
	}
	m.stage.rail.filter.SetValue("")
	m.stage.rail.refilter(m)
	return true
}

// refilter follows another filter, or another list of chats.
func (f *railFocus) refilter(m *Model) {
	f.find(&m.k.Chats)
	if n, id := railEntries(m, true); n > 0 && inChatRail(m) {
		f.row = nearest(n, id, f.row, f.at)
		f.at = id(f.row)
	}
	f.scrolled(true).free = false
}

func (i stepRail) carryOut(m *Model) tea.Cmd {
	r, f := focusedRail(m), &m.stage.rail
	if r == nil {
		return nil
	}
	if n, id := railEntries(m, f.chats); n > 0 {
		f.row = min(max(nearest(n, id, f.row, f.at)+int(i), 0), n-1)
		f.at = id(f.row)
	}
	*f.scrolled(f.chats) = railScroll{from: r.From}
	return nil
}

func (i pageRail) carryOut(m *Model) tea.Cmd {
	if r := focusedRail(m); r != nil {
		return stepRail(int(i) * max(r.Shown-1, 1)).carryOut(m)
	}
	return nil
}

// scrollRail scrolls a rail by so many chats or items.
func scrollRail(m *Model, chats bool, by int) {
	if r := drawnRail(m, chats, true); r != nil {
		*m.stage.rail.scrolled(chats) = railScroll{max(r.From+by, 0), true}
	}
}

// clickRail opens what is drawn on a row of a rail, or scrolls it where more is said to
// be. Elsewhere it opens the page of all that the rail is about.
func clickRail(m *Model, chats bool, row int) tea.Cmd {
	r := drawnRail(m, chats, true)
	switch {
	case r == nil || row < 0 || row >= len(r.Rows):
		return nil
	case r.Rows[row].More != 0:
		scrollRail(m, chats, r.Rows[row].More*max(r.Shown-1, 1))
		return nil
	case r.id(row) != "":
		return pressRow{chats, r.id(row)}.carryOut(m)
	case chats:
		return m.carryOut(page.Open{ID: page.Chats})
	}
	return m.carryOut(page.Open{ID: page.Context})
}

func (i pressRow) carryOut(m *Model) tea.Cmd {
	if f := &m.stage.rail; i.id == "" {
		if n, _ := railEntries(m, f.chats); n == 0 {
			return nil
		}
		i = pressRow{f.chats, f.at}
	}
	if i.chats {
		m.composer.Focus()
		return openSaved(m, browse.OpenSaved{Path: i.id})
	}
	ref := prompt.Ref{Kind: prompt.Note, ID: i.id}
	if e := m.k.Estimate.Env; e != nil {
		for _, it := range e.Library {
			if it.Ref.ID == i.id {
				ref = it.Ref
			}
		}
	}
	if link := ref.Link(); link != "" {
		return m.carryOut(page.Open{ID: page.Links, Arg: link})
	}
	return m.carryOut(page.Open{ID: page.Context})
}

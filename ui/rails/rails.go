package rails

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Side is one of the two rails.
type Side int

// The rails.
const (
	Context Side = iota // at the right
	Chats               // at the left
)

// Row is an entry of a rail: a chat by its path, or an item by its ID.
type Row struct {
	Side Side
	ID   string
}

// Source is the content of the rails.
type Source struct {
	page.Env
	Chats   []history.Summary
	Listed  bool                          // the chats have been read
	Current string                        // path of the chat on the screen
	Group   func(*history.Summary) string // heading of a chat's group
	// State returns the activity of a chat that is open in the background, "" for none.
	State  func(path string) string
	Report *inspector.Report
	Extra  []inspector.Section
}

// Rails are both rails, with the focus, the row under the cursor and the scroll positions.
type Rails struct {
	prompt     *composer.Model // gets the keys while it has the cursor
	active     bool            // a rail has the focus; else the transcript
	side       Side
	chosen     string // path of the chat, or ID of the item, under the cursor
	row        int    // index of that entry
	filter     term.Line
	found      []history.Summary // chats that match the filter
	scroll     [2]scroll
	current    string // path of the chat on the screen, which the left rail keeps visible
	currentRow int    // index of that chat, -1 if it is not in the list

	version int // increases when the content may have changed
	drawn   [2]drawing
}

// scroll is the scroll position of a rail.
type scroll struct {
	from int  // first visible chat or item
	free bool // set by the wheel: the chosen row need not be visible
}

// drawing is a drawn rail. It is drawn again only when its content may have changed.
type drawing struct {
	w, h    int // size in the layout, 0 for a hidden rail
	version int // of the rails when it was drawn
	inspector.Rail
}

// New returns the rails beside a prompt.
func New(prompt *composer.Model) *Rails { return &Rails{prompt: prompt, currentRow: -1, version: 1} }

// SetSize sets the size of a rail; one without columns is hidden.
func (r *Rails) SetSize(side Side, w, h int) { r.drawn[side].w, r.drawn[side].h = w, h }

// Shows reports whether a rail is visible.
func (r *Rails) Shows(side Side) bool { return r.drawn[side].w > 0 }

// Changed makes both rails draw again.
func (r *Rails) Changed() { r.version++ }

// Focused returns the rail with the focus, and whether there is one.
func (r *Rails) Focused() (Side, bool) {
	return r.side, r.active && !r.prompt.Focused() && r.drawn[r.side].w > 0
}

// filtering reports whether the rail of chats has the focus, so that keys go to its filter line.
func (r *Rails) filtering() bool {
	side, focused := r.Focused()
	return focused && side == Chats
}

// Leave takes the focus from the rails.
func (r *Rails) Leave() { r.active = false }

// Cursor returns the cursor of the filter line, nil while that has no focus.
func (r *Rails) Cursor() *tea.Cursor {
	if !r.filtering() {
		return nil
	}
	return r.filter.Cursor()
}

// Follow makes the left rail show the chat on the screen, whose path is own. It does so if that is
// another chat than before, or if anew says that the list has changed.
func (r *Rails) Follow(chats []history.Summary, own string, anew bool) {
	if own != r.current {
		r.scroll[Chats].free = false
	} else if !anew {
		return
	}
	r.current = own
	r.currentRow = slices.IndexFunc(chats, func(s history.Summary) bool { return string(s.Path) == own })
}

// entries returns the number of chats or items of a rail, and a function for the ID of each.
func (r *Rails) entries(s *Source, side Side) (n int, id func(int) string) {
	if side == Chats {
		all := r.chats(s)
		return len(all), func(i int) string { return string(all[i].Path) }
	}
	ids := s.Report.RailIDs()
	for _, section := range s.Extra {
		for _, id := range section.IDs {
			// only if it had room in the drawing
			if slices.ContainsFunc(r.drawn[side].Rows, func(row inspector.RailRow) bool { return row.ID == id }) {
				ids = append(ids, id)
			}
		}
	}
	return len(ids), func(i int) string { return ids[i] }
}

// chats returns the chats of the left rail, filtered while it has the focus.
func (r *Rails) chats(s *Source) []history.Summary {
	if r.filtering() && r.filter.Value() != "" {
		return r.found
	}
	return s.Chats
}

// nearestRow returns the index of the entry at in a list of n, which had the index row before. If the
// entry is gone, nearestRow returns the nearest valid index to row.
func nearestRow(n int, id func(int) string, row int, at string) int {
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

// Next moves the focus to the next visible rail with an entry, or else to the prompt.
func (r *Rails) Next(s *Source) {
	order := []Side{Context, Chats}
	if side, focused := r.Focused(); focused {
		order = order[side+1:]
	}
	r.prompt.Focus() // ends typing into the filter line
	for _, side := range order {
		n, id := r.entries(s, side)
		if n == 0 || r.drawn[side].w == 0 {
			continue
		}
		r.prompt.Blur()
		r.active, r.side, r.chosen, r.row, r.found, r.filter = true, side, id(0), 0, nil, newFilter(s.Theme)
		if side == Chats && r.current != "" && r.currentRow >= 0 {
			r.chosen, r.row = r.current, r.currentRow
		}
		r.scroll[side].free = false
		return
	}
}

// newFilter returns an empty filter line.
func newFilter(t *theme.Theme) term.Line {
	line := term.NewLine("> ")
	line.Placeholder = "filter"
	line.SetWidth(ChatsWidth - 12)
	line.SetTheme(t)
	line.Focus()
	return line
}

// Type passes a key or a paste to the filter line, and reports whether that has the focus.
func (r *Rails) Type(s *Source, msg tea.Msg) bool {
	if !r.filtering() {
		return false
	}
	before := r.filter.Value()
	r.filter.Update(msg)
	if r.filter.Value() != before {
		r.row, r.chosen = 0, ""
		r.Refilter(s)
	}
	return true
}

// ClearFilter empties the filter line, and reports whether it had text.
func (r *Rails) ClearFilter(s *Source) bool {
	if !r.filtering() || r.filter.Value() == "" {
		return false
	}
	r.filter.SetValue("")
	r.Refilter(s)
	return true
}

// Refilter filters the chats again after the filter or the list has changed.
func (r *Rails) Refilter(s *Source) {
	r.found = nil
	for i := range s.Chats {
		if r.filter.Value() != "" && page.Matches(s.Chats[i].Title, r.filter.Value()) {
			r.found = append(r.found, s.Chats[i])
		}
	}
	if n, id := r.entries(s, Chats); n > 0 && r.filtering() {
		r.row = nearestRow(n, id, r.row, r.chosen)
		r.chosen = id(r.row)
	}
	r.scroll[Chats].free = false
}

// Step moves the cursor by a number of rows in the rail with the focus.
func (r *Rails) Step(s *Source, by int) {
	side, focused := r.Focused()
	if !focused {
		return
	}
	if n, id := r.entries(s, side); n > 0 {
		r.row = min(max(nearestRow(n, id, r.row, r.chosen)+by, 0), n-1)
		r.chosen = id(r.row)
	}
	r.scroll[side] = scroll{from: r.drawn[side].From}
}

// Page moves the cursor by a page: 1 is down, -1 up.
func (r *Rails) Page(s *Source, by int) { r.Step(s, by*max(r.drawn[r.side].Shown-1, 1)) }

// Scroll scrolls a rail by a number of chats or items.
func (r *Rails) Scroll(side Side, by int) {
	if d := &r.drawn[side]; d.w > 0 {
		r.scroll[side] = scroll{max(d.From+by, 0), true}
	}
}

// Chosen returns the row under the cursor, without an ID if there is none.
func (r *Rails) Chosen(s *Source) Row {
	side, _ := r.Focused()
	if n, _ := r.entries(s, side); n == 0 {
		return Row{Side: side}
	}
	return Row{side, r.chosen}
}

// Click returns the entry in row y of a rail, without an ID if the row has none; taken reports whether
// there is such a row. On a row that counts further entries, Click scrolls to them and returns false.
func (r *Rails) Click(side Side, y int) (at Row, taken bool) {
	d := &r.drawn[side]
	if d.w == 0 || y < 0 || y >= len(d.Rows) {
		return at, false
	}
	row := d.Rows[y]
	if row.More != 0 {
		r.Scroll(side, row.More*max(d.Shown-1, 1))
		return at, false
	}
	return Row{side, row.ID}, true
}

package rails

import (
	"slices"

	"charm.land/bubbles/v2/textinput"
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

// Row is a chat or an item of a rail, by its path or ID.
type Row struct {
	Side Side
	ID   string
}

// Source is what the rails show.
type Source struct {
	page.Env
	Chats   []history.Summary
	Listed  bool                          // the chats were read
	Current string                        // path of the chat on the screen
	Group   func(*history.Summary) string // the heading that a chat stands under
	// State is what goes on in a chat that is open behind the one on the screen, "" for
	// nothing.
	State   func(path string) string
	Steps   int // of the signs of those chats
	Painter *inspector.Painter
	Report  *inspector.Report
	Version int // of the report
	Extra   []inspector.Section
}

// Rails are both rails: the one in which the arrow keys walk, the row that they are at,
// and where the rails were scrolled to.
type Rails struct {
	prompt *composer.Model // which has the keys while it has the cursor
	on     bool            // else the keys are the transcript's
	side   Side
	at     string // path of the chat, or ID of the item
	row    int    // where that is in the list
	filter textinput.Model
	found  []history.Summary // the chats that fit the filter
	scroll [2]scroll
	own    string // path of the chat on the screen, which the left rail shows
	ownRow int    // where that is in the list, -1 for nowhere

	version int // grows with what the rails show beside the report
	drawn   [2]drawing
}

// scroll is where a rail was scrolled to.
type scroll struct {
	from int  // the first chat or item
	free bool // the wheel did that: the chosen row need not be shown
}

// drawing is a rail that is drawn again only when what it shows has changed.
type drawing struct {
	w, h int // as the layout has it, 0 for no place
	key  key
	inspector.Rail
}

// key says what a rail was drawn from.
type key struct {
	w, h    int
	theme   theme.Options
	report  int
	at      string // chat or item that has the focus
	show    string // chat or item that is to be seen, "" for any
	row     int    // where that was in the list
	scroll  scroll
	filter  string // the line that chats are filtered in, as it is drawn
	steps   int    // of the signs of chats that are being answered
	version int    // of everything else that it shows
}

// New are rails beside a prompt.
func New(prompt *composer.Model) *Rails { return &Rails{prompt: prompt, ownRow: -1} }

// SetSize gives a rail its place; none has no columns.
func (r *Rails) SetSize(side Side, w, h int) { r.drawn[side].w, r.drawn[side].h = w, h }

// Shows reports whether a rail has a place.
func (r *Rails) Shows(side Side) bool { return r.drawn[side].w > 0 }

// Changed has the rails drawn again.
func (r *Rails) Changed() { r.version++ }

// Focused is the rail that has the keys, if one has.
func (r *Rails) Focused() (Side, bool) {
	return r.side, r.on && !r.prompt.Focused() && r.drawn[r.side].w > 0
}

// filtering reports whether the keys are those of the left rail.
func (r *Rails) filtering() bool {
	side, focused := r.Focused()
	return focused && side == Chats
}

// Leave gives up the keys.
func (r *Rails) Leave() { r.on = false }

// Cursor is in the line that chats are filtered in, nil while that is not typed into.
func (r *Rails) Cursor() *tea.Cursor {
	if !r.filtering() {
		return nil
	}
	return r.filter.Cursor()
}

// Follow has the left rail show the chat on the screen when another one is there, or
// when the list is another.
func (r *Rails) Follow(chats []history.Summary, own string, anew bool) {
	if own != r.own {
		r.scroll[Chats].free = false
	} else if !anew {
		return
	}
	r.own = own
	r.ownRow = slices.IndexFunc(chats, func(s history.Summary) bool { return string(s.Path) == own })
}

// entries are the chats or items of a rail: how many, and each.
func (r *Rails) entries(s *Source, side Side) (n int, id func(int) string) {
	if side == Chats {
		all := r.chats(s)
		return len(all), func(i int) string { return string(all[i].Path) }
	}
	ids := s.Report.RailIDs()
	for _, section := range s.Extra {
		for _, id := range section.IDs {
			// there was room for it
			if slices.ContainsFunc(r.drawn[side].Rows, func(row inspector.RailRow) bool { return row.ID == id }) {
				ids = append(ids, id)
			}
		}
	}
	return len(ids), func(i int) string { return ids[i] }
}

// chats are those of the left rail, filtered while it has the keys.
func (r *Rails) chats(s *Source) []history.Summary {
	if r.filtering() && r.filter.Value() != "" {
		return r.found
	}
	return s.Chats
}

// nearestRow is where an entry of n is in a list in which it was at a row before; that row
// if it is gone.
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

// Next gives the keys to the next rail that has something to choose, or else to the
// prompt.
func (r *Rails) Next(s *Source) {
	order := []Side{Context, Chats}
	if side, focused := r.Focused(); focused {
		order = order[side+1:]
	}
	r.prompt.Focus() // no filter is typed into any more
	for _, side := range order {
		n, id := r.entries(s, side)
		if n == 0 || r.drawn[side].w == 0 {
			continue
		}
		r.prompt.Blur()
		r.on, r.side, r.at, r.row, r.found, r.filter = true, side, id(0), 0, nil, newFilter(s.Theme)
		if side == Chats && r.own != "" && r.ownRow >= 0 {
			r.at, r.row = r.own, r.ownRow
		}
		r.scroll[side].free = false
		return
	}
}

// newFilter is the line that the chats of the rail are filtered in.
func newFilter(t *theme.Theme) textinput.Model {
	line := term.NewLine("> ")
	line.Placeholder = "filter"
	line.SetWidth(ChatsWidth - 12)
	term.StyleLine(&line, t)
	line.Focus()
	return line
}

// Type gives the line in which chats are filtered a key or a paste, and reports whether
// that is typed into.
func (r *Rails) Type(s *Source, msg tea.Msg) bool {
	if !r.filtering() {
		return false
	}
	before := r.filter.Value()
	if r.filter, _ = r.filter.Update(msg); r.filter.Value() != before {
		r.row, r.at = 0, ""
		r.Refilter(s)
	}
	return true
}

// ClearFilter shows all chats again, and reports whether some were hidden.
func (r *Rails) ClearFilter(s *Source) bool {
	if !r.filtering() || r.filter.Value() == "" {
		return false
	}
	r.filter.SetValue("")
	r.Refilter(s)
	return true
}

// Refilter follows another filter, or another list of chats.
func (r *Rails) Refilter(s *Source) {
	r.found = nil
	for i := range s.Chats {
		if r.filter.Value() != "" && page.Matches(s.Chats[i].Title, r.filter.Value()) {
			r.found = append(r.found, s.Chats[i])
		}
	}
	if n, id := r.entries(s, Chats); n > 0 && r.filtering() {
		r.row = nearestRow(n, id, r.row, r.at)
		r.at = id(r.row)
	}
	r.scroll[Chats].free = false
}

// Step goes to another row of the rail that has the keys, so many on.
func (r *Rails) Step(s *Source, by int) {
	side, focused := r.Focused()
	if !focused {
		return
	}
	if n, id := r.entries(s, side); n > 0 {
		r.row = min(max(nearestRow(n, id, r.row, r.at)+by, 0), n-1)
		r.at = id(r.row)
	}
	r.scroll[side] = scroll{from: r.drawn[side].From}
}

// Page goes on by as many rows as are shown: 1 down, -1 up.
func (r *Rails) Page(s *Source, by int) { r.Step(s, by*max(r.drawn[r.side].Shown-1, 1)) }

// Scroll scrolls a rail by so many chats or items.
func (r *Rails) Scroll(side Side, by int) {
	if d := &r.drawn[side]; d.w > 0 {
		r.scroll[side] = scroll{max(d.From+by, 0), true}
	}
}

// Chosen is the row that the keys are at, without an ID if there is none.
func (r *Rails) Chosen(s *Source) Row {
	side, _ := r.Focused()
	if n, _ := r.entries(s, side); n == 0 {
		return Row{Side: side}
	}
	return Row{side, r.at}
}

// Click is what is drawn on a row of a rail, without an ID where that is no entry. Where
// more is said to be, the rail is scrolled there.
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

package picker

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// Item is one row. Only ID and Label are needed; a column that no row uses takes
// no space.
type Item struct {
	ID      string // what Action names; unique in the list
	Label   string
	Match   []int  // runes of Label that the query matched, ascending
	Detail  string // second column: a folder, counts
	Glyph   string // one column that says the state at a glance
	State   string // the state in words
	Meta    string // right aligned: a price, a time
	Why     string // why the row is here
	Snippet string // second line, "" for none
	Marked  []int  // runes of Snippet that are marked, ascending
	Group   string // heading above the first row of each run of equal groups
	// Disabled is why the row cannot be chosen, "" if it can. The reason stands
	// in place of Why.
	Disabled string
}

// Preview is the pane beside the list.
type Preview struct {
	Title string
	Meta  string // right end of the title
	Lines []Line // wrapped
	At    int    // index of a line that is to be seen
	Note  string // markdown below the lines, as it is read
}

// Line is text with marks in it.
type Line struct {
	Text   string
	Marked []int // runes of Text, ascending
}

// Options are the fixed parts of a picker. The zero value is a page with a line to type a
// query in.
type Options struct {
	Theme       theme.Theme // zero: theme.New(theme.Options{})
	Title       string
	Popup       bool   // drawn as a box instead of a page; the query is typed elsewhere
	Fixed       bool   // of a page: there is no query
	Placeholder string // in the empty filter line
	Empty       string // shown when there is no row; "": "nothing matches"
	Note        string // one line under the rows
}

// Rows are what a picker shows at the moment.
type Rows struct {
	Items []Item // kept, not copied
	Title string // "" leaves that of the options
	Empty string // as well
	Total int    // how many things there are without a query, 0 if nobody asks
	Found int    // how many match, if only the best of them are Items
	Aside string // what else stands behind the title
	// Notice is a line about the query, in place of the rule under it: of a page.
	// Alert says that something is wrong with it.
	Notice string
	Alert  bool
	// Keys are further keys of the list at hand, such as ctrl+d to delete. A key
	// that writes text counts only while the filter line is empty; one whose
	// binding is disabled never does.
	Keys []key.Binding
}

// ActionKind says what came of a message.
type ActionKind int

// What an update can come to. Ignored means that the message is not the
// picker's.
const (
	Ignored ActionKind = iota
	Moved              // another row, or nothing to move to
	Queried            // the filter line reads Action.Query now
	Pressed            // Action.Key, one of Rows.Keys, on Action.ID
	Refused            // enter on a disabled row; Action.Reason says why not
)

// Action is what the user decided with one key.
type Action struct {
	Kind   ActionKind
	ID     string // the row, "" if there is none
	Key    string // for Pressed: the key as its binding names it
	Query  string // for Queried
	Reason string // for Refused
}

// NoMatch is what a list says in which nothing fits the query.
const NoMatch = "nothing matches"

// Model is a picker. Make one with New.
type Model struct {
	opt    Options
	theme  *theme.Theme
	st     *theme.Styles
	filter textinput.Model

	shown Rows
	cols  columns

	sel, top int
	w, h     int
	preview  Preview
	note     *mdview.View // of its note, nil before that is drawn
}

// New makes a picker without rows, 80 columns by 12 rows.
func New(o Options) *Model {
	o.Empty = cmp.Or(o.Empty, NoMatch)
	m := &Model{opt: o, shown: Rows{Title: o.Title, Empty: o.Empty}, filter: textinput.New(), w: 80, h: 12}
	m.SetTheme(o.Theme)
	m.filter.SetVirtualCursor(false)
	m.filter.KeyMap.Paste.SetEnabled(false) // it would read the clipboard; the terminal pastes
	m.filter.Focus()
	return m
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) {
	t = t.OrDefault()
	m.theme, m.st, m.note = &t, &t.Styles, nil
}

// SetSize sets the rectangle that View fills.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.scroll()
}

// SetRows replaces the rows and chooses the first.
func (m *Model) SetRows(r Rows) {
	r.Title, r.Empty = cmp.Or(r.Title, m.opt.Title), cmp.Or(r.Empty, m.opt.Empty)
	m.shown, m.cols = r, measure(r.Items)
	m.sel, m.top = 0, 0
	m.scroll()
}

// SetState changes the state of the row with this id, if there is one and it is in view.
func (m *Model) SetState(id, glyph, words string) {
	for i := m.top; i < min(m.top+m.h, len(m.shown.Items)); i++ {
		if it := &m.shown.Items[i]; it.ID == id {
			it.Glyph, it.State = glyph, words
		}
	}
}

// SetPreview sets what the pane beside the list shows. It appears on pickers of
// 120 columns and more that have something to show.
func (m *Model) SetPreview(p Preview) {
	if p.Note != m.preview.Note {
		m.note = nil
	}
	m.preview = p
}

// SetNote changes the line under the rows.
func (m *Model) SetNote(text string) { m.opt.Note = text }

// Query is what the filter line reads.
func (m *Model) Query() string { return m.filter.Value() }

// SetQuery sets the filter line; the parent sets the rows.
func (m *Model) SetQuery(q string) {
	m.filter.SetValue(q)
	m.filter.CursorEnd()
}

// Selected is the row under the cursor.
func (m *Model) Selected() (Item, bool) {
	if m.sel >= len(m.shown.Items) {
		return Item{}, false
	}
	return m.shown.Items[m.sel], true
}

// Select moves the cursor to the row with this id, if there is one. It looks at
// every row, so it is not for each keystroke.
func (m *Model) Select(id string) {
	if i := slices.IndexFunc(m.shown.Items, func(it Item) bool { return it.ID == id }); i >= 0 {
		m.moveTo(i)
	}
}

// Update acts on one message and says what came of it.
func (m *Model) Update(msg tea.Msg) Action {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.typed(msg)
	}
	return Action{}
}

func (m *Model) key(msg tea.KeyPressMsg) Action {
	for _, b := range m.shown.Keys {
		if key.Matches(msg, b) && (msg.Text == "" || !m.filters() || m.filter.Value() == "") {
			return m.press(b.Keys()[0])
		}
	}
	switch msg.String() {
	case "up", "ctrl+p":
		return m.move(m.sel - 1)
	case "down", "ctrl+n":
		return m.move(m.sel + 1)
	case "pgup":
		return m.move(max(m.sel-m.pageItems(), 0))
	case "pgdown":
		return m.move(min(m.sel+m.pageItems(), len(m.shown.Items)-1))
	case "home", "ctrl+home":
		return m.move(0)
	case "end", "ctrl+end":
		return m.move(len(m.shown.Items) - 1)
	}
	return m.typed(msg)
}

// filters reports whether there is a line to type a query in.
func (m *Model) filters() bool { return !m.opt.Popup && !m.opt.Fixed }

func (m *Model) press(name string) Action {
	it, _ := m.Selected()
	if name == "enter" && it.Disabled != "" {
		return Action{Kind: Refused, ID: it.ID, Reason: it.Disabled}
	}
	return Action{Kind: Pressed, ID: it.ID, Key: name}
}

// Click chooses the row that is drawn at a cell of the picker, if one is.
func (m *Model) Click(x, y int) Action {
	l := m.layout()
	if y--; !m.opt.Popup { // one row is above the list, on a page two
		y--
	}
	if _, items := m.viewList(l); x >= 0 && x < l.list && y >= 0 && y < len(items) && items[y] >= 0 {
		m.moveTo(items[y])
		return m.press("enter")
	}
	return Action{}
}

// typed gives a message to the filter line, if there is one.
func (m *Model) typed(msg tea.Msg) Action {
	if !m.filters() {
		return Action{}
	}
	before, at := m.filter.Value(), m.filter.Position()
	m.filter, _ = m.filter.Update(msg)
	switch {
	case m.filter.Value() != before:
		return Action{Kind: Queried, Query: m.filter.Value()}
	case m.filter.Position() != at:
		return Action{Kind: Moved}
	}
	return Action{}
}

func (m *Model) move(to int) Action {
	if len(m.shown.Items) == 0 {
		return Action{Kind: Moved}
	}
	m.moveTo(min(max(to, 0), len(m.shown.Items)-1))
	return Action{Kind: Moved, ID: m.shown.Items[m.sel].ID}
}

func (m *Model) moveTo(i int) {
	m.sel = i
	m.scroll()
}

// height is the lines that row i takes when it is not the first on screen: a
// new group puts a blank line and its heading above it.
func (m *Model) height(i int) int {
	n := 1
	if m.shown.Items[i].Snippet != "" {
		n++
	}
	if m.heads(i) {
		n++
		if i > 0 {
			n++
		}
	}
	return n
}

// heads reports whether row i stands below a group heading.
func (m *Model) heads(i int) bool {
	g := m.shown.Items[i].Group
	return g != "" && (i == 0 || m.shown.Items[i-1].Group != g)
}

// scroll moves the first row on screen as little as needed to show the chosen
// one. It looks at the rows of one screen only.
func (m *Model) scroll() {
	if len(m.shown.Items) == 0 {
		m.sel, m.top = 0, 0
		return
	}
	room := m.layout().rows
	lo, used := m.sel, m.height(m.sel)
	for lo > 0 && used+m.height(lo-1) <= room {
		lo--
		used += m.height(lo)
	}
	m.top = min(max(m.top, lo), m.sel)
	// Do not leave the lower half of the screen empty after a resize.
	if m.sel == len(m.shown.Items)-1 {
		m.top = lo
	}
}

// pageItems is how far a page key moves: the rows that are on screen.
func (m *Model) pageItems() int {
	room, n := m.layout().rows, 0
	for i := m.top; i < len(m.shown.Items) && room > 0; i++ {
		if room -= m.height(i); room >= 0 {
			n++
		}
	}
	return max(n-1, 1)
}

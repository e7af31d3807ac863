package picker

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/mdview"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Item is one row. Only ID and Label are required; a column that no row uses takes no space.
type Item struct {
	ID      string // ID in an Action; unique in the list
	Label   string
	Match   []int  // indexes of runes of Label that match the query, ascending
	Detail  string // second column: a folder, counts
	Glyph   string // sign of the state, one column wide
	State   string // the state in words
	Meta    string // right aligned: a price, a time
	Why     string // reason for the row to be in the list
	Snippet string // second line, "" for none
	Marked  []int  // indexes of runes of Snippet to mark, ascending
	Group   string // heading above the first row of each run of equal groups
	// Disabled is the reason why the row cannot be chosen, "" if it can. It is drawn in place of Why.
	Disabled string
}

// Preview is the content of the pane beside the list.
type Preview struct {
	Title string
	Meta  string // right end of the title
	Lines []Line // wrapped by the picker
	At    int    // index of a line to scroll to
	Note  string // Markdown below the lines, drawn rendered
}

// Line is text with marks.
type Line struct {
	Text   string
	Marked []int // indexes of runes of Text, ascending
}

// Options configure a picker. The zero value is a page with a filter line.
type Options struct {
	Theme       theme.Theme // zero: theme.New(theme.Options{})
	Title       string
	Popup       bool   // drawn as a box instead of a page; the query is typed elsewhere
	Fixed       bool   // the page has no query
	Secret      bool   // the query is not shown
	Placeholder string // text of the empty filter line
	Empty       string // text of a list without rows; "": NoMatch
	Note        string // one line below the rows
}

// Rows are the current content of a picker.
type Rows struct {
	Items []Item // kept, not copied
	Title string // "" for that of the options
	Empty string // "" for that of the options
	Total int    // number of items without a query, 0 to show no count
	Found int    // number of matches, if Items holds only the best of them
	Aside string // further text at the right end of the title
	// Notice is a line about the query, in place of the rule under the header of a page. Alert marks it
	// as an error.
	Notice string
	Alert  bool
	// Keys are the keys of this list besides those that move, for example enter and ctrl+d to delete. A
	// key that writes text works only while the filter line is empty; a disabled binding never works.
	Keys []key.Binding
	// Foot draws the keys of a page in at most n rows of w columns; nil draws none.
	Foot func(w, n int) []string
}

// ActionKind is the kind of an Action.
type ActionKind int

// The kinds of actions. Ignored means that the picker did not handle the message.
const (
	Ignored ActionKind = iota
	Moved              // the cursor moved in the list or the filter line, if it could
	Queried            // the filter line changed to Action.Query
	Pressed            // Action.Key, one of Rows.Keys, was pressed on Action.ID
)

// Action is the effect of one message.
type Action struct {
	Kind     ActionKind
	ID       string // the row, "" for none
	Disabled string // for Pressed: why the row cannot be chosen, "" if it can
	Key      string // for Pressed: the first key of the binding
	Query    string // for Queried
}

// NoMatch is the text of a list without matches.
const NoMatch = "nothing matches"

// Model is a picker. Make one with New.
type Model struct {
	opt    Options
	theme  *theme.Theme
	st     *theme.Styles
	filter term.Line

	shown Rows
	cols  columns

	sel, top int
	w, h     int
	preview  Preview
	note     *mdview.View // rendered note of the preview, nil before it is first drawn
}

// New returns a picker of 80 columns and 12 rows that has no items.
func New(o Options) *Model {
	o.Empty = cmp.Or(o.Empty, NoMatch)
	m := &Model{opt: o, shown: Rows{Title: o.Title, Empty: o.Empty}, filter: term.Line{Secret: o.Secret}, w: 80, h: 12}
	m.SetTheme(o.Theme)
	m.filter.Focus()
	return m
}

// SetTheme changes the theme.
func (m *Model) SetTheme(t theme.Theme) {
	t = t.OrDefault()
	m.theme, m.st, m.note = &t, &t.Styles, nil
}

// SetSize sets the size of the picker, which View fills.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.scroll()
}

// SetRows replaces the rows and moves the cursor to the first.
func (m *Model) SetRows(r Rows) {
	r.Title, r.Empty = cmp.Or(r.Title, m.opt.Title), cmp.Or(r.Empty, m.opt.Empty)
	m.shown, m.cols = r, measure(r.Items)
	m.sel, m.top = 0, 0
	m.scroll()
}

// SetPreview sets the preview. It is drawn beside the list if it has lines and the picker is at least
// 120 columns wide.
func (m *Model) SetPreview(p Preview) {
	if p.Note != m.preview.Note {
		m.note = nil
	}
	m.preview = p
}

// SetNote changes the line below the rows.
func (m *Model) SetNote(text string) { m.opt.Note = text }

// Query returns the text of the filter line.
func (m *Model) Query() string { return m.filter.Value() }

// SetQuery sets the text of the filter line; the parent must set the rows that match it.
func (m *Model) SetQuery(q string) { m.filter.SetValue(q) }

// Selected returns the row under the cursor, false if there are no rows.
func (m *Model) Selected() (Item, bool) {
	if m.sel >= len(m.shown.Items) {
		return Item{}, false
	}
	return m.shown.Items[m.sel], true
}

// Select moves the cursor to the row with this ID, if there is one. It reads every row, so it must not
// be called for each keystroke.
func (m *Model) Select(id string) {
	if i := slices.IndexFunc(m.shown.Items, func(it Item) bool { return it.ID == id }); i >= 0 {
		m.moveTo(i)
	}
}

// Update handles a key or a paste and returns its effect.
func (m *Model) Update(msg tea.Msg) Action {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.updateFilter(msg)
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
	return m.updateFilter(msg)
}

// filters reports whether the picker has a filter line.
func (m *Model) filters() bool { return !m.opt.Popup && !m.opt.Fixed }

func (m *Model) press(name string) Action {
	it, _ := m.Selected()
	return Action{Kind: Pressed, ID: it.ID, Disabled: it.Disabled, Key: name}
}

// Click moves the cursor to the row that is drawn at x, y, and presses enter on it. On a cell without a
// row it does nothing.
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

// updateFilter passes a message to the filter line, if there is one.
func (m *Model) updateFilter(msg tea.Msg) Action {
	if !m.filters() {
		return Action{}
	}
	before, at := m.filter.Value(), m.filter.Position()
	m.filter.Update(msg)
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

// height returns the lines that row i takes below another row on screen: a new group adds a blank line
// and its heading above it.
func (m *Model) height(i int) int {
	n := 1
	if m.shown.Items[i].Snippet != "" {
		n++
	}
	if m.startsGroup(i) {
		n++
		if i > 0 {
			n++
		}
	}
	return n
}

// startsGroup reports whether row i is the first one below a group heading.
func (m *Model) startsGroup(i int) bool {
	g := m.shown.Items[i].Group
	return g != "" && (i == 0 || m.shown.Items[i-1].Group != g)
}

// scroll moves the first row on screen as little as needed to show the row under the cursor. It reads
// only the rows of one screen.
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

// pageItems returns how many rows a page key moves the cursor: one less than the rows on screen, at
// least 1.
func (m *Model) pageItems() int {
	room, n := m.layout().rows, 0
	for i := m.top; i < len(m.shown.Items) && room > 0; i++ {
		if room -= m.height(i); room >= 0 {
			n++
		}
	}
	return max(n-1, 1)
}

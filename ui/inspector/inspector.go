package inspector

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// ActionKind is the kind of the result of a key.
type ActionKind int

// The results of a key. Those from Mute to Attach are for an item of the library, named by Action.ID.
const (
	Ignored   ActionKind = iota // the key is not for the inspector
	Moved                       // another row, page or scroll position: see Model.Selected
	Closed                      // esc
	Mute                        // keep the bytes, but do not refer to them; or the reverse
	Evict                       // forget it everywhere
	Refresh                     // replace the model's copy by the current text
	Attach                      // attach it to the next turn, which sends its changes
	Copy                        // the report as JSON to the clipboard
	Travel                      // show the request of Action.Turn
	Confirmed                   // the user answered Model.Confirm with y
)

// Action is the result of a key.
type Action struct {
	Kind ActionKind
	ID   string // ID of the item, for Mute to Attach
	Turn int    // for Travel: a turn of Report.Past, or 0 for the next request
}

// Preview is the exact bytes of a row.
type Preview struct {
	ID    string // ID of the row
	Title string
	Text  string
	Meta  []string // lines below: size, hash, when it was first sent
}

// Model is the page, see New.
type Model struct {
	*Painter
	report Report
	rows   []row
	sel    int
	top    int
	w, h   int

	preview Preview
	pager   pager
	full    bool // the preview fills the page

	filter    string
	filtering bool
	question  string // of Confirm, "" if none is open
}

// New returns a page without a report, 80 columns by 24 rows.
func New(t theme.Theme) *Model {
	m := &Model{w: 80, h: 24}
	m.SetTheme(t)
	return m
}

// SetTheme changes the theme.
func (m *Model) SetTheme(t theme.Theme) { m.Painter = NewPainter(t) }

// SetSize sets the rectangle that View fills.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.fit()
}

// SetReport replaces the report. The selected row stays selected if it is still there.
func (m *Model) SetReport(r Report) {
	id := m.Selected()
	m.report = r
	m.rebuild(id)
}

// rebuild makes the rows again and selects the one with this id, or the first.
func (m *Model) rebuild(id string) {
	m.rows, m.sel = buildRows(&m.report, m.filter), 0
	same := func(r row) bool { return r.selectable() && r.id != "" && r.id == id }
	if !m.seek(0, +1, same) {
		m.seek(0, +1, row.selectable)
	}
	m.fit()
}

// chosen returns the selected row, a blank one if there is none.
func (m *Model) chosen() row {
	if m.sel < len(m.rows) {
		return m.rows[m.sel]
	}
	return row{}
}

// Selected returns the ID of the selected row: a layer, an item of the library, a part of the turn or
// something that is not sent. The parent answers a change of it with SetPreview.
func (m *Model) Selected() string { return m.chosen().id }

// SetPreview sets the exact bytes of the selected row.
func (m *Model) SetPreview(p Preview) {
	// a line of words, which the list may have clipped, is shown in full
	if r := m.chosen(); r.kind == textRow && p.Text == "" {
		p = Preview{ID: r.id, Text: r.text}
	}
	m.preview = p
	l := m.layout()
	m.pager = newPager(p.Text, l.textW)
	m.pager.scroll(0, l.textH)
}

// Confirm asks a question, which y or n answers; until then no other key counts. The question is about
// the price of the last action.
func (m *Model) Confirm(text string) { m.question = text }

// Update handles a message and returns the result.
func (m *Model) Update(msg tea.Msg) Action {
	key, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return Action{}
	case m.question != "":
		return m.answer(key)
	case m.filtering:
		return m.filterKey(key)
	case m.full:
		return m.pageKey(key)
	}
	return m.listKey(key)
}

func (m *Model) answer(key tea.KeyPressMsg) Action {
	switch key.String() {
	case "y", "Y":
		m.question = ""
		return Action{Kind: Confirmed}
	case "n", "N", "esc":
		m.question = ""
	}
	return Action{Kind: Moved}
}

func (m *Model) filterKey(key tea.KeyPressMsg) Action {
	id := m.Selected()
	switch key.String() {
	case "enter", "down":
		m.filtering = false
	case "esc", "f2":
		m.filtering, m.filter = false, ""
	case "backspace":
		m.filter = ansi.Truncate(m.filter, ansi.StringWidth(m.filter)-1, "")
	default:
		m.filter += theme.OneLine(key.Text)
	}
	m.rebuild(id)
	return Action{Kind: Moved}
}

// pageKey handles a key while the exact bytes fill the page.
func (m *Model) pageKey(key tea.KeyPressMsg) Action {
	h := m.layout().textH
	switch key.String() {
	case "esc", "enter", "q":
		m.full = false
		m.fit()
	case "up", "k", "K":
		m.pager.scroll(-1, h)
	case "down", "j", "J":
		m.pager.scroll(+1, h)
	case "pgup", "ctrl+b", "b":
		m.pager.scroll(-h, h)
	case "pgdown", "ctrl+f", "f", "space":
		m.pager.scroll(+h, h)
	case "home", "g":
		m.pager.top = 0
	case "end", "G":
		m.pager.scroll(len(m.pager.rows), h)
	case "y":
		return Action{Kind: Copy}
	default:
		return Action{}
	}
	return Action{Kind: Moved}
}

func (m *Model) listKey(key tea.KeyPressMsg) Action {
	if a, ok := m.itemKey(key.String()); ok {
		return a
	}
	l := m.layout()
	switch key.String() {
	case "esc", "f2":
		if m.filter != "" {
			return m.filterKey(key)
		}
		return Action{Kind: Closed}
	case "up", "k":
		m.seek(m.sel-1, -1, row.selectable)
	case "down", "j":
		m.seek(m.sel+1, +1, row.selectable)
	case "pgup":
		m.seek(max(m.sel-l.rows, 0), -1, row.selectable)
	case "pgdown":
		m.seek(min(m.sel+l.rows, len(m.rows)-1), +1, row.selectable)
	case "home", "g":
		m.seek(0, +1, row.selectable)
	case "end", "G":
		m.seek(len(m.rows)-1, -1, row.selectable)
	case "[":
		m.seek(m.sel-1, -1, row.isLayer)
	case "]":
		m.seek(m.sel+1, +1, row.isLayer)
	case "left":
		return m.travel(-1)
	case "right":
		return m.travel(+1)
	case "J":
		m.pager.scroll(+1, l.textH)
	case "K":
		m.pager.scroll(-1, l.textH)
	case "/":
		m.filtering = true
	case "enter":
		m.full = true
		m.fit()
	default:
		return Action{}
	}
	m.scroll()
	return Action{Kind: Moved}
}

// itemKey handles the keys for the selected item of the library, and reports whether key was one.
func (m *Model) itemKey(key string) (Action, bool) {
	kinds := map[string]ActionKind{"m": Mute, "e": Evict, "r": Refresh, "a": Attach}
	switch kind, ok := kinds[key]; {
	case key == "y":
		return Action{Kind: Copy}, true
	case !ok:
		return Action{}, false
	case m.report.Turn != 0, m.item() == nil:
		return Action{Kind: Moved}, true // the past cannot be changed, and a layer cannot
	default:
		return Action{Kind: kind, ID: m.item().ID}, true
	}
}

// item returns the selected item of the library, nil if another row is selected.
func (m *Model) item() *Item {
	if r := m.chosen(); r.kind == itemRow {
		return &m.report.Library[r.index]
	}
	return nil
}

// seek selects the first row from i on, in the direction of delta, for which those returns true. It
// reports whether there is one.
func (m *Model) seek(i, delta int, those func(row) bool) bool {
	for ; i >= 0 && i < len(m.rows); i += delta {
		if those(m.rows[i]) {
			m.sel = i
			return true
		}
	}
	return false
}

// travel asks for the request one turn back or forth. The next request follows the newest past one.
func (m *Model) travel(delta int) Action {
	past := m.report.Past
	at := len(past)
	if m.report.Turn != 0 {
		at, _ = slices.BinarySearch(past, m.report.Turn)
	}
	switch at += delta; {
	case at < 0 || at > len(past):
		return Action{Kind: Moved}
	case at == len(past):
		return Action{Kind: Travel}
	}
	return Action{Kind: Travel, Turn: past[at]}
}

// fit updates everything that depends on the size.
func (m *Model) fit() {
	l := m.layout()
	m.pager.resize(l.textW, l.textH)
	m.scroll()
}

// scroll keeps the selected row on screen.
func (m *Model) scroll() {
	if r := m.chosen(); r.kind == textRow && m.preview.Text != r.text {
		m.SetPreview(Preview{})
	}
	h := m.layout().rows
	m.top = min(m.top, max(len(m.rows)-h, 0))
	m.top = max(min(m.top, m.sel), m.sel-h+1, 0)
}

package inspector

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// ActionKind says what came of a key.
type ActionKind int

// What a key can come to. Those from Mute to Attach are about an item of the
// library, named by Action.ID.
const (
	Ignored   ActionKind = iota // not the inspector's key
	Moved                       // another row, page or scroll position: see Model.Selected
	Closed                      // esc
	Mute                        // keep the bytes, refer to it no more; or the reverse
	Evict                       // forget it everywhere
	Refresh                     // replace the model's copy by the current text
	Attach                      // let it go with the next turn, which sends what changed
	Diff                        // compare the request with the one before: see Model.ShowPage
	Copy                        // the report as JSON to the clipboard
	Travel                      // show the request of Action.Turn
	Confirmed                   // y to the question of Model.Confirm
	Declined                    // n to it
)

// Action is what the person decided with one key.
type Action struct {
	Kind ActionKind
	ID   string // of the row, for Mute to Attach
	Turn int    // for Travel: a turn of Report.Past, or 0 for the next request
}

// Preview is the exact bytes behind a row.
type Preview struct {
	ID    string // of the row they belong to
	Title string
	Text  string
	Meta  []string // lines below: size, hash, when it was first sent
}

// Options are the fixed parts of an inspector. The zero value is ready to use.
type Options struct {
	Theme theme.Theme // zero: theme.New(theme.Options{})
}

// Model is the page. Make one with New.
type Model struct {
	painter *Painter
	report  Report
	rows    []row
	sel     int
	top     int
	w, h    int

	preview Preview
	pager   pager
	full    bool // the preview has the whole page
	paged   bool // it is a page of its own, not the bytes of a row

	filter    string
	filtering bool
	question  string // of Confirm, "" if none is open
}

// New makes a page without a report, 80 columns by 24 rows.
func New(o Options) *Model {
	m := &Model{w: 80, h: 24}
	m.SetTheme(o.Theme)
	return m
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) { m.painter = NewPainter(t) }

// SetSize sets the rectangle that View fills.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.fit()
}

// SetReport replaces what is shown. The chosen row stays chosen if it is still
// there.
func (m *Model) SetReport(r Report) {
	id := ""
	if m.sel < len(m.rows) {
		id = m.rows[m.sel].id
	}
	m.report = r
	m.rebuild(id)
}

// Report is what is shown.
func (m *Model) Report() Report { return m.report }

// rebuild makes the rows anew and chooses the one with this id.
func (m *Model) rebuild(id string) {
	m.rows = buildRows(&m.report, m.filter)
	m.sel = 0
	for i, r := range m.rows {
		if r.selectable() && r.id != "" && r.id == id {
			m.sel = i
			break
		}
	}
	if m.sel < len(m.rows) && !m.rows[m.sel].selectable() {
		m.step(+1)
	}
	m.fit()
}

// Selected is the ID of the chosen row: a layer, an item of the library, a part
// of the turn or something that is not sent. The parent answers a change of it
// with SetPreview.
func (m *Model) Selected() string {
	if m.sel < len(m.rows) {
		return m.rows[m.sel].id
	}
	return ""
}

// SetPreview sets the exact bytes behind the chosen row.
func (m *Model) SetPreview(p Preview) {
	if r, ok := m.words(); ok && p.Text == "" {
		p = Preview{ID: r.id, Text: r.text}
	}
	m.preview = p
	l := m.layout()
	m.pager = newPager(p.Text, l.textW)
	m.pager.scroll(0, l.textH)
}

// words is the chosen row if it is a line of words, which the list may have to
// cut: the pane beside it shows all of it.
func (m *Model) words() (row, bool) {
	if m.sel < len(m.rows) && m.rows[m.sel].kind == textRow {
		return m.rows[m.sel], true
	}
	return row{}, false
}

// ShowPage fills the page with a text that belongs to no row, until esc; the
// parent then sets the preview of the chosen row again. Lines of a diff are
// coloured.
func (m *Model) ShowPage(title, text string) {
	m.full, m.paged = true, true
	m.SetPreview(Preview{ID: m.Selected(), Title: title, Text: text})
}

// Paged reports whether the text of ShowPage is on screen.
func (m *Model) Paged() bool { return m.paged }

// Confirm asks a question that y or n answers; until then no other key counts.
// It belongs to the price of the action before it.
func (m *Model) Confirm(text string) { m.question = text }

// Update acts on one message and says what came of it.
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
		return Action{Kind: Declined}
	}
	return Action{Kind: Moved}
}

func (m *Model) filterKey(key tea.KeyPressMsg) Action {
	id := m.Selected()
	switch key.String() {
	case "enter", "down":
		m.filtering = false
	case "esc":
		m.filtering, m.filter = false, ""
	case "ctrl+u":
		m.filter = ""
	case "backspace":
		last := 0
		for n := 0; n < len(m.filter); {
			g, _ := ansi.FirstGraphemeCluster(m.filter[n:], ansi.GraphemeWidth)
			last, n = n, n+len(g)
		}
		m.filter = m.filter[:last]
	default:
		m.filter += theme.OneLine(key.Text)
	}
	m.rebuild(id)
	return Action{Kind: Moved}
}

// pageKey is a key while the exact bytes have the whole page.
func (m *Model) pageKey(key tea.KeyPressMsg) Action {
	h := m.layout().textH
	switch key.String() {
	case "esc", "enter", "q":
		if m.paged {
			m.preview = Preview{}
		}
		m.full, m.paged = false, false
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
		m.pager.end(h)
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
			m.filter = ""
			m.rebuild(m.Selected())
			return Action{Kind: Moved}
		}
		return Action{Kind: Closed}
	case "up", "k":
		m.step(-1)
	case "down", "j":
		m.step(+1)
	case "pgup":
		m.jump(max(m.sel-l.rows, 0), -1)
	case "pgdown":
		m.jump(min(m.sel+l.rows, len(m.rows)-1), +1)
	case "home", "g":
		m.jump(0, +1)
	case "end", "G":
		m.jump(len(m.rows)-1, -1)
	case "[":
		m.layer(-1)
	case "]":
		m.layer(+1)
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

// itemKey is a key that means the chosen item of the library.
func (m *Model) itemKey(key string) (Action, bool) {
	kinds := map[string]ActionKind{"m": Mute, "e": Evict, "r": Refresh, "a": Attach}
	switch kind, ok := kinds[key]; {
	case key == "y":
		return Action{Kind: Copy}, true
	case key == "d":
		return Action{Kind: Diff}, true
	case !ok:
		return Action{}, false
	case m.report.Turn != 0, m.item() == nil:
		return Action{Kind: Moved}, true // the past cannot be changed, nor a layer
	default:
		return Action{Kind: kind, ID: m.item().ID}, true
	}
}

// item is the chosen item of the library, nil if another row is chosen.
func (m *Model) item() *Item {
	if m.sel < len(m.rows) && m.rows[m.sel].kind == itemRow {
		return &m.report.Library[m.rows[m.sel].index]
	}
	return nil
}

// step moves to the next row that can be chosen.
func (m *Model) step(delta int) {
	for i := m.sel + delta; i >= 0 && i < len(m.rows); i += delta {
		if m.rows[i].selectable() {
			m.sel = i
			return
		}
	}
}

// jump chooses row i, or the nearest that can be in the direction of delta.
func (m *Model) jump(i, delta int) {
	if i < 0 || i >= len(m.rows) {
		return
	}
	was := m.sel
	m.sel = i
	if !m.rows[i].selectable() {
		m.step(delta)
	}
	if !m.rows[m.sel].selectable() {
		m.sel = was
	}
}

// layer chooses the next layer's row.
func (m *Model) layer(delta int) {
	for i := m.sel + delta; i >= 0 && i < len(m.rows); i += delta {
		if m.rows[i].kind == layerRow {
			m.sel = i
			return
		}
	}
}

// travel asks for the request one turn further back or forth. The next request
// stands behind the newest of the past.
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

// fit brings everything that depends on the size up to date.
func (m *Model) fit() {
	l := m.layout()
	m.pager.resize(l.textW, l.textH)
	m.scroll()
}

// scroll keeps the chosen row on screen.
func (m *Model) scroll() {
	if r, ok := m.words(); ok && !m.paged && m.preview.Text != r.text {
		m.SetPreview(Preview{})
	}
	h := m.layout().rows
	m.top = min(m.top, max(len(m.rows)-h, 0))
	m.top = max(min(m.top, m.sel), m.sel-h+1, 0)
}

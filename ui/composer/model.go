package composer

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// ActionKind is the kind of the result of an update.
type ActionKind int

// The results of an update. Ignored means that the message is not for the composer, so that the parent
// may act on it.
const (
	Ignored    ActionKind = iota
	Edited                // the text changed
	Moved                 // the cursor or the chosen chip changed
	Submit                // the user pressed enter: see Model.Take
	RemoveChip            // the user removed the chip Action.Chip
	CycleChip             // the user pressed enter on the chip Action.Chip
)

// Action is the result of an update.
type Action struct {
	Kind ActionKind
	Chip string // ID of the chip, for RemoveChip and CycleChip
}

const (
	// pasteLines and pasteBytes are the sizes above which a paste becomes a chip: more would hide the
	// text around it.
	pasteLines = 20
	pasteBytes = 2 << 10
	// expandBytes is the size up to which a chip can be shown in full.
	expandBytes = 128 << 10

	minWidth = 8
)

// Model is the composer, see New.
type Model struct {
	theme *theme.Theme
	keys  map[string]func(*Model) Action

	buf       buffer
	history   history
	edits     int // changes of the text
	pastes    int // pastes that became chips since the last Reset
	dismissed trigger
	gap       gap

	width   int
	maxRows int
	rows    []row
	top     int // first row on screen
	goal    int // column that up and down try to keep, -1 if none

	shelf   Shelf
	chip    int // index of the chosen chip, -1 if the cursor is in the text
	blurred bool
	vim     vim
	boxed   bool // borders at the sides and below
}

// New returns an empty composer that has the focus. It is 80 columns wide and grows to eight rows of
// text, until SetWidth and SetMaxRows.
func New(t theme.Theme) *Model {
	m := &Model{buf: newBuffer(), keys: map[string]func(*Model) Action{}, width: 80, maxRows: 8, chip: -1, goal: -1}
	m.SetTheme(t)
	for _, b := range bindings() {
		for _, k := range b.Keys() {
			m.keys[k] = b.act
		}
	}
	m.relayout()
	return m
}

// SetTheme changes the theme.
func (m *Model) SetTheme(t theme.Theme) {
	t = t.OrDefault()
	m.theme = &t
	m.relayout()
}

// SetWidth sets the width of the widget in columns, borders included.
func (m *Model) SetWidth(w int) {
	if w = max(w, minWidth); w != m.width {
		m.width = w
		m.relayout()
	}
}

// SetMaxRows sets the largest number of rows of text, at least 1.
func (m *Model) SetMaxRows(n int) {
	m.maxRows = max(n, 1)
	m.scroll()
}

// SetBoxed switches borders at the sides of the text and below it. Without them there is a lower border
// only if it carries suggestions.
func (m *Model) SetBoxed(boxed bool) {
	if boxed != m.boxed {
		m.boxed = boxed
		m.relayout()
	}
}

// Height returns the number of rows of View: the text and its borders.
func (m *Model) Height() int {
	if m.boxed || m.Suggested() > 0 {
		return m.textRows() + 2
	}
	return m.textRows() + 1
}

func (m *Model) textRows() int { return min(len(m.rows), m.maxRows) }

// textWidth returns the columns of the text: one stays free after it, for the cursor, and in a box one
// is for the border.
func (m *Model) textWidth() int {
	if m.boxed {
		return m.width - m.gutter() - 2
	}
	return m.width - m.gutter() - 1
}

// gutter returns the columns to the left of the text: the sign of the prompt and a space, in a box
// after its border and a space.
func (m *Model) gutter() int {
	if m.boxed {
		return 4
	}
	return 2
}

// Focus gives the composer the cursor.
func (m *Model) Focus() { m.blurred = false }

// Blur takes the cursor away; keys are ignored then.
func (m *Model) Blur() { m.blurred, m.chip = true, -1 }

// Focused reports whether keys go to the composer.
func (m *Model) Focused() bool { return !m.blurred }

// Empty reports whether the prompt is empty, without even white space.
func (m *Model) Empty() bool { return m.buf.empty() }

// Edits returns a number that grows with each change of the text.
func (m *Model) Edits() int { return m.edits }

// Value returns the message as it would be sent: mentions spelled out, pastes in full.
func (m *Model) Value() string { return m.buf.draft().Text }

// Draft returns the content of the prompt, to send or to keep.
func (m *Model) Draft() Draft { return m.buf.draft() }

// Outline describes a prompt without its text, which may be long.
type Outline struct {
	Empty bool
	Slash bool     // it begins with a slash
	Picks []string // IDs given to Accept, in the order of the text
	Model string   // model of this message, "" for the default
}

// Outline describes the prompt. Its cost does not depend on the size of pastes.
func (m *Model) Outline() Outline {
	b := &m.buf
	o := Outline{Empty: b.empty(), Model: b.model, Picks: b.picks()}
	o.Slash = len(b.lines[0]) > 0 && strings.HasPrefix(b.lines[0][0].s, "/")
	return o
}

// SetDraft restores a draft, with its cursor. It cannot be undone.
func (m *Model) SetDraft(d Draft) {
	Rewrite(m, d)
	m.buf.edits = undo{held: m.vim.on}
}

// Rewrite is like SetDraft, but can be undone. It is for a text from an editor.
func Rewrite(m *Model, d Draft) {
	b := d.restore(m.theme)
	m.buf.edits.pause()
	m.buf.replace(place{}, endOf(place{}, m.buf.lines), b.lines...)
	m.buf.edits.pause()
	m.buf.row, m.buf.col, m.buf.model, m.pastes = b.row, b.col, b.model, 0
	for _, line := range m.buf.lines {
		for i := range line {
			if line[i].kind == paste {
				m.pastes++
			}
		}
	}
	m.textChanged()
}

// SetValue replaces the text and moves the cursor to its end. A text that was taken from here comes
// back with its mentions and pastes.
func (m *Model) SetValue(s string) { m.SetDraft(m.history.find(s)) }

// Insert puts text at the cursor as if it had been typed.
func (m *Model) Insert(s string) {
	m.buf.edits.begin(editAlone)
	m.buf.insertText(clean(s), false)
	m.textChanged()
}

// Reset empties the prompt. History and shelf stay.
func (m *Model) Reset() {
	m.SetDraft(Draft{})
	m.vim.normal = false
	m.history.leave()
}

// Take returns the content of the prompt without white space at its end, adds it to the history and
// empties the prompt.
func (m *Model) Take() Draft {
	m.buf.trimEnd()
	m.buf.toEnd()
	d := m.buf.draft()
	m.history.add(d)
	m.history.addTyped(d)
	m.Reset()
	return d
}

// SetHistory sets the prompts of this conversation for the arrow keys, oldest first.
func (m *Model) SetHistory(prompts []string) {
	m.history = history{typed: m.history.typed, older: m.history.older}
	for _, p := range prompts[max(0, len(prompts)-maxHistory):] {
		m.history.add(m.history.find(p))
	}
}

// Earlier returns the prompts that can be written again.
func (m *Model) Earlier() PromptHistory { return PromptHistory{m} }

// ExpandPaste replaces the paste chip left of the cursor by its text, unless that is so long that
// typing in it would be slow. size is the size of the text in bytes, 0 if there is no such chip.
func (m *Model) ExpandPaste() (size int, expanded bool) {
	b := &m.buf
	if b.col == 0 || b.line()[b.col-1].kind != paste {
		return 0, false
	}
	if size = len(b.line()[b.col-1].s); size > expandBytes {
		return size, false
	}
	b.edits.begin(editAlone)
	c := b.cut(b.col-1, b.col)[0]
	b.insertText(c.s, true)
	m.textChanged()
	return size, true
}

// Update handles a message and returns the result.
func (m *Model) Update(msg tea.Msg) Action {
	if m.blurred {
		return Action{}
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		m.chip = -1
		m.insertPaste(msg.Content)
		return Action{Kind: Edited}
	case tea.KeyPressMsg:
		if m.chip >= 0 {
			a := m.shelfKey(msg.String())
			if a.Kind != Ignored || msg.Text == "" {
				return a
			}
			m.chip = -1
		}
		return m.key(msg)
	}
	return Action{}
}

// key handles a key while the cursor is in the text.
func (m *Model) key(msg tea.KeyPressMsg) Action {
	name := msg.String()
	if m.buf.empty() && len(m.shelf.Chips) > 0 {
		switch name { // from the right the cursor goes to the far end
		case "left", "ctrl+b":
			m.chip = len(m.shelf.Chips) - 1
			return Action{Kind: Moved}
		case "right":
			m.chip = 0
			return Action{Kind: Moved}
		}
	}
	if m.vim.on {
		if a, taken := m.vim.key(m, msg); taken {
			return a
		}
		if m.vim.commands() && msg.Text != "" {
			return Action{}
		}
	}
	if act := m.keys[name]; act != nil {
		return act(m)
	}
	if msg.Text != "" {
		kind := editWord
		if strings.TrimSpace(msg.Text) == "" {
			kind = editBlank
		}
		m.buf.edits.begin(kind)
		closeGap(m, msg.Text)
		m.buf.insertText(clean(msg.Text), false)
		return m.edited(true)
	}
	return Action{}
}

// edited returns the action of a key that changed the text, Ignored if did is false.
func (m *Model) edited(did bool) Action {
	if !did {
		return Action{}
	}
	if m.buf.empty() {
		m.buf.model = ""
	}
	m.history.leave()
	m.textChanged()
	return Action{Kind: Edited}
}

// moved returns the action of a key that moved the cursor, Ignored if did is false.
func (m *Model) moved(did bool) Action {
	if !did {
		return Action{}
	}
	m.goal = -1
	m.buf.edits.pause()
	m.scroll()
	return Action{Kind: Moved}
}

// send handles enter. After a typed backslash it breaks the line: that works on terminals that report
// no modified enter.
func (m *Model) send() Action {
	b := &m.buf
	if b.col == 0 || b.line()[b.col-1].s != `\` || b.line()[b.col-1].literal {
		return Action{Kind: Submit}
	}
	b.edits.begin(editAlone)
	b.cut(b.col-1, b.col)
	return m.edited(b.newline())
}

// moveRows moves by rows; beyond the first and the last it goes through the history.
func (m *Model) moveRows(delta int) Action {
	at, x := locate(m.rows, &m.buf, m.textWidth())
	if m.goal < 0 {
		m.goal = x
	}
	to := at + delta
	if to < 0 || to >= len(m.rows) {
		return m.walk(delta)
	}
	m.place(to, m.goal)
	return Action{Kind: Moved}
}

// place moves the cursor to a row, as close to column x as possible.
func (m *Model) place(row, x int) {
	r := m.rows[row]
	last := row+1 == len(m.rows) || m.rows[row+1].line != r.line
	m.buf.row = r.line
	m.buf.col = columnAt(r, m.buf.line(), x, m.textWidth(), last)
	m.scroll()
}

// Click moves the cursor to column x of row y of the view, if that row has text.
func (m *Model) Click(x, y int) {
	if y < 1 || y > m.textRows() {
		return
	}
	m.chip, m.goal = -1, -1
	m.place(m.top+y-1, max(x-m.gutter(), 0))
}

func (m *Model) walk(delta int) Action {
	d, ok := m.history.step(delta, &m.buf)
	if !ok {
		return Action{}
	}
	Rewrite(m, d)
	if delta < 0 {
		m.moved(m.buf.moveTo(0, len(m.buf.lines[0]))) // so that the next press goes further back
	}
	return Action{Kind: Edited}
}

// insertPaste inserts pasted text at the cursor, as one cell if it is large.
func (m *Model) insertPaste(s string) {
	s = clean(s)
	m.buf.edits.begin(editAlone)
	closeGap(m, s)
	if countLines(s) <= pasteLines && len(s) <= pasteBytes {
		m.buf.insertText(s, true)
	} else {
		m.pastes++
		m.buf.insert(pasteCell(s, m.pastes, m.theme.Glyphs.Dot))
	}
	m.history.leave()
	m.textChanged()
}

// atom returns a text as one cell.
func atom(kind cellKind, s string, m cellDetails) cell {
	if m.label == "" {
		if safe := theme.OneLine(s); safe != s {
			m.label = safe
		}
	}
	c := cell{s: s, more: &m, kind: kind}
	c.w = int32(ansi.StringWidth(c.screenText()))
	return c
}

// textChanged updates everything that depends on the text.
func (m *Model) textChanged() {
	m.edits++
	m.goal = -1
	m.relayout()
}

func (m *Model) relayout() {
	m.rows = wrap(m.rows[:0], m.buf.lines, m.textWidth())
	m.scroll()
}

// scroll keeps the cursor's row on screen, and no empty row below the text. A dismissed trigger that
// the cursor has left can open its popup again.
func (m *Model) scroll() {
	if m.dismissed.kind != NoTrigger {
		if t, _ := findTrigger(&m.buf); t != m.dismissed {
			m.dismissed = trigger{}
		}
	}
	at, _ := locate(m.rows, &m.buf, m.textWidth())
	n := m.textRows()
	m.top = min(m.top, len(m.rows)-n)
	m.top = max(min(m.top, at), at-n+1, 0)
}

// Cursor returns the terminal's cursor, relative to the widget's top left cell, nil while the composer
// has no focus.
func (m *Model) Cursor() *tea.Cursor {
	if m.blurred {
		return nil
	}
	if m.chip >= 0 {
		return tea.NewCursor(min(m.chipColumn(), m.width-1), 0)
	}
	at, x := locate(m.rows, &m.buf, m.textWidth())
	c := tea.NewCursor(m.gutter()+x, 1+at-m.top)
	if m.vim.on && !m.vim.commands() {
		c.Shape = tea.CursorBar
	}
	return c
}

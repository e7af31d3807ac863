package composer

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// ChipKind is the reason why something goes with the turn.
type ChipKind int

// The kinds of chip.
const (
	Attachment ChipKind = iota // named with @ or added by hand
	Active                     // the active note
	Pinned                     // goes with every turn
	Project                    // the notes of the project, which go with every turn
	Answers                    // the model of the draft, if it is not the usual one
)

// ChipState describes the sending of a chip.
type ChipState int

// The states of a chip. The last four are for the active note: whether it is sent at all, and whether
// it changes when another note is opened.
const (
	Fresh   ChipState = iota // in full, at its price
	Known                    // by name: the model has the text
	Drifted                  // known, but the file changed: an update goes along
	Missing                  // does not exist, will not be sent
	Unsent                   // exists, but will not be sent
	Off                      // the active note is not followed
	Follow                   // the open note, whichever it is
	Fixed                    // this note, whichever is open
	Idle                     // followed, but its source has been quiet: not sent
)

// Chip is one thing on the shelf.
type Chip struct {
	ID     string
	Label  string
	Kind   ChipKind
	State  ChipState
	Notes  int    // number of notes that it stands for, 0 is one
	Why    string // for Unsent, in a word or two; "" if unknown
	Tokens int    // price of sending it now, in tokens, or NotKnown
	Age    string // for Idle: age of the signal, such as "2 h"
}

// NotKnown is the price of a chip that was not priced yet.
const NotKnown = -1

// Shelf holds the attachments and the estimate of the next turn; the prompt draws it on its top border.
type Shelf struct {
	Chips     []Chip
	Suggested []Suggestion // on the bottom border, as many as fit
	Queued    int          // prompts that wait for the running turn to end, shown instead of the estimate

	// Estimate reports that Sends and Cached are known and that there is something to send.
	Estimate bool
	Sends    int    // tokens of the request
	Cached   int    // of these, tokens in the provider's cache
	More     bool   // the model may ask for more, which cannot be counted before
	Price    string // for the whole request, such as "≈ $0.004"; "" if unknown
}

// narrowWidth is the width below which one label stands for all chips.
const narrowWidth = 80

// SetShelf replaces the content of the shelf. The chosen chip stays chosen if it is still there.
func (m *Model) SetShelf(s Shelf) {
	c, ok := m.Chip()
	m.shelf = s
	if i := slices.IndexFunc(s.Chips, func(o Chip) bool { return o.ID == c.ID }); ok && i >= 0 {
		m.chip = i
	}
	m.chip = min(m.chip, len(s.Chips)-1)
}

// Chip returns the chosen chip. It reports false if the cursor is not on the shelf.
func (m *Model) Chip() (Chip, bool) {
	if m.chip < 0 {
		return Chip{}, false
	}
	return m.shelf.Chips[m.chip], true
}

// ChipAt returns the chip at column x of the shelf, and reports whether there is one.
func (m *Model) ChipAt(x int) (Chip, bool) {
	if x -= 2; m.width < narrowWidth { // one label stands for all
		return m.Chip()
	}
	for _, l := range m.fittingLabels() {
		if x >= 0 && x < l.w && l.chip >= 0 {
			return m.shelf.Chips[l.chip], true
		}
		x -= l.w
	}
	return Chip{}, false
}

// shelfKey handles a key while a chip is chosen. An ignored key that is text leaves the shelf.
func (m *Model) shelfKey(name string) Action {
	switch name {
	case "left", "ctrl+b":
		m.chip--
	case "right":
		if m.chip++; m.chip == len(m.shelf.Chips) {
			m.chip = -1
		}
	case "x", "backspace", "delete":
		if m.shelf.Chips[m.chip].Kind == Answers {
			m.buf.model, m.chip = "", -1
			return m.edited(true)
		}
		return Action{Kind: RemoveChip, Chip: m.shelf.Chips[m.chip].ID}
	case "enter":
		return Action{Kind: CycleChip, Chip: m.shelf.Chips[m.chip].ID}
	case "esc", "up", "down":
		m.chip = -1
	default:
		return Action{}
	}
	return Action{Kind: Moved}
}

// face returns the text of a chip, with its glyph, and its style.
func (c Chip) face(t *theme.Theme) (string, theme.Ink) {
	g, st := &t.Glyphs, &t.Styles
	label := theme.OneLine(c.Label)
	if c.Kind == Answers {
		return "to " + label, st.Accent
	}
	switch c.Kind {
	case Pinned:
		label = "pin " + label
	case Project:
		return g.Context.Library + " project " + label + ", " + theme.Plural(c.Notes, "note"), st.Context.Library
	}
	switch c.State {
	case Known:
		return g.Context.Library + " " + label + " 0 new", st.Context.Library
	case Drifted:
		return g.Context.Drifted + " " + label + " +" + theme.ShortCount(c.Tokens) + " diff", st.Context.Drifted
	case Missing:
		return g.Alert + " " + label + " missing", st.Bad
	case Unsent:
		label = g.Alert + " " + label + " not sent"
		if c.Why != "" {
			label += ": " + c.Why
		}
		return label, st.Bad
	case Off:
		return g.Context.Active + " active note: off", st.Muted
	case Follow:
		return g.Context.Active + " " + label + price(c.Tokens) + " " + g.Unfolded, st.Context.Active
	case Fixed:
		return g.Context.Active + " " + label + price(c.Tokens) + " fixed", st.Context.Active
	case Idle:
		return g.Context.Active + " " + label + " not sent " + g.Dot + " " + c.Age, st.Muted
	}
	if c.Tokens < 0 {
		return g.Context.Added + " " + label, st.Context.Added
	}
	return g.Context.Added + " " + label + " +" + theme.ShortCount(c.Tokens), st.Context.Added
}

// isSent reports whether the chip goes with the turn.
func (c Chip) isSent() bool {
	return c.Kind != Answers && c.State != Off && c.State != Idle && c.State != Missing && c.State != Unsent
}

func price(n int) string {
	if n <= 0 {
		return ""
	}
	return " +" + theme.ShortCount(n)
}

// label is one chip as it is drawn.
type label struct {
	text  string
	style theme.Ink
	focus bool
	w     int // columns, with one on each side
	chip  int // index of the chip, -1 for several
}

// fittingLabels returns the chips that fit, including the chosen one. They leave room at the right for the
// shortest sentence with a unit, on narrow screens for the one without.
func (m *Model) fittingLabels() []label {
	chips, room := m.shelf.Chips, m.width-4
	if s := m.sentences(); s != nil {
		short := len(s) - 1
		if short > 0 && m.width >= narrowWidth {
			short--
		}
		room -= ansi.StringWidth(s[short]) + 3
	}
	if len(chips) == 0 || room < 8 {
		return nil
	}
	if m.width < narrowWidth {
		return m.oneLabel(room)
	}
	limit := max(room/2, 12) // no name takes the whole shelf
	all := make([]label, len(chips))
	for i, c := range chips {
		s, st := c.face(m.theme)
		all[i] = newLabel(m.theme, s, st, i == m.chip, limit)
		all[i].chip = i
	}
	for from := 0; ; from++ {
		if row, to := m.labelsFrom(all, from, room); to > m.chip || from >= m.chip {
			return row
		}
	}
}

// newLabel returns a label of at most limit columns.
func newLabel(t *theme.Theme, words string, style theme.Ink, focus bool, limit int) label {
	words = theme.Cut(words, limit, t.Glyphs.Ellipsis)
	return label{words, style, focus, ansi.StringWidth(words) + 2, -1}
}

// oneLabel returns the single label of a narrow prompt: the number of notes that go along, or the
// chosen chip.
func (m *Model) oneLabel(room int) []label {
	if c, ok := m.Chip(); ok {
		s, st := c.face(m.theme)
		return []label{newLabel(m.theme, s, st, true, room-2)}
	}
	n, active, to := 0, "", ""
	for _, c := range m.shelf.Chips {
		if c.Kind == Answers {
			to, _ = c.face(m.theme)
			to = " " + m.theme.Glyphs.Dot + " " + to
		}
		if c.isSent() {
			n += max(c.Notes, 1)
			if c.Kind == Active {
				active = m.theme.Glyphs.Context.Active + " "
			}
		}
	}
	return []label{newLabel(m.theme, active+theme.Plural(n, "note")+to, m.theme.Styles.Context.Library, false, room-2)}
}

// labelsFrom returns the labels from index from on that fit in room columns, and the index where they end.
// "+2 more" stands for the labels left out on either side.
func (m *Model) labelsFrom(all []label, from, room int) (row []label, to int) {
	more := func(n int) label {
		return newLabel(m.theme, fmt.Sprintf("+%d more", n), m.theme.Styles.Muted, false, room)
	}
	if from > 0 {
		row = append(row, more(from))
		room -= row[0].w
	}
	rest := 0 // columns of the labels from to on
	for _, l := range all[from:] {
		rest += l.w
	}
	hidden := more(len(all)).w
	for to = from; to < len(all) && (rest <= room || all[to].w+hidden <= room || to == m.chip && to == from); to++ {
		row = append(row, all[to])
		room, rest = room-all[to].w, rest-all[to].w
	}
	if to < len(all) {
		row = append(row, more(len(all)-to))
	}
	return row, to
}

// rightSentence returns the fullest sentence that fits in room columns at the right end of the shelf, "" if
// none does.
func (m *Model) rightSentence(room int) string {
	for _, s := range m.sentences() {
		if ansi.StringWidth(s) <= room {
			return s
		}
	}
	return ""
}

// sentences describe what enter sends, the fullest first, or what waits to be sent.
func (m *Model) sentences() []string {
	s := &m.shelf
	switch {
	case s.Queued > 0:
		return []string{fmt.Sprintf("%d queued", s.Queued)}
	case !s.Estimate || m.buf.empty() && !slices.ContainsFunc(s.Chips, Chip.isSent):
		return nil
	}
	sends, cached, price := theme.ShortCount(s.Sends), "", ""
	if s.More {
		sends = m.theme.Glyphs.AtLeast + " " + sends
	}
	sends, tokens := "sends "+sends, " tokens"
	if s.Cached > 0 {
		cached = ", " + theme.ShortCount(s.Cached) + " cached"
	}
	if s.Price != "" {
		price = ", " + theme.OneLine(s.Price)
	}
	return []string{
		sends + tokens + cached + price, sends + cached + price, sends + tokens + price, sends + price,
		sends + tokens, sends,
	}
}

// chipColumn returns the column of the chosen chip's text.
func (m *Model) chipColumn() int {
	x := 2
	for _, l := range m.fittingLabels() {
		if l.focus {
			break
		}
		x += l.w
	}
	return x + 1
}

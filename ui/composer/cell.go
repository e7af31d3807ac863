package composer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// tabWidth is the number of columns of a tab. The text keeps the tab itself: replacing it by spaces
// would change pasted code.
const tabWidth = 4

type cellKind uint8

const (
	text    cellKind = iota // one grapheme cluster
	mention                 // a reference, in the spelling of the reader of references
	paste                   // a paste too large to show
)

// cell is the unit of cursor movement. A prompt has many cells, so it is kept small.
type cell struct {
	s       string       // text to send
	more    *cellDetails // nil for most cells
	w       int32        // drawn width in columns
	kind    cellKind
	literal bool // pasted: contains no references
}

// cellDetails holds the fields that few cells have.
type cellDetails struct {
	label string // text to draw, if it differs from the text to send
	pick  string // of a mention: the ID of the picked entry, as given to Accept
}

func (c *cell) label() string {
	if c.more == nil {
		return ""
	}
	return c.more.label
}

func (c *cell) pick() string {
	if c.more == nil {
		return ""
	}
	return c.more.pick
}

// width returns the columns of the cell, at most limit.
func (c *cell) width(limit int) int { return min(int(c.w), limit) }

// screenText returns the text of the cell on the screen.
func (c *cell) screenText() string {
	if l := c.label(); l != "" {
		return l
	}
	return c.s
}

func (c *cell) isSpace() bool {
	return c.kind == text && (c.s == " " || c.s == "\t" || c.s == "\u3000")
}

// neverJoins reports whether the cell is one printable byte or one plain letter. Two such neighbours can
// never join into a cluster.
func (c *cell) neverJoins() bool {
	if c.kind != text || c.more != nil {
		return false
	}
	if len(c.s) == 1 {
		return c.s[0] >= ' ' && c.s[0] < 0x7f
	}
	r, n := utf8.DecodeRuneInString(c.s)
	return n == len(c.s) && unicode.Is(unicode.Lo, r) &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		n == len(c.s) && unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// splitCells splits one line of clean text into cells.
func splitCells(s string, literal bool) []cell {
	if s == "" {
		return nil
	}
	cells := make([]cell, 0, len(s))
	tab := cellDetails{label: strings.Repeat(" ", tabWidth)}
	for s != "" {
		if c := s[0]; c == '\t' {
			cells = append(cells, cell{s: s[:1], more: &tab, w: tabWidth, literal: literal})
			s = s[1:]
			continue
		}
		g, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if g == "" {
			_, n := utf8.DecodeRuneInString(s)
			g = s[:n]
		}
		c := cell{s: g, w: int32(w), literal: literal}
		alone := len(cells) == 0 || cells[len(cells)-1].more != nil
		switch safe := theme.Sanitize(g); {
		case safe != g: // characters that reorder text are sent as they are and shown spelled out
			c.more, c.w = &cellDetails{label: safe}, int32(ansi.StringWidth(safe))
		case w == 0, alone && theme.Joins(g):
			// A mark without a base, or a zero width space: the cursor can stop at it, and drawn as it
			// is it would join the cell on its left.
			c.more, c.w = &cellDetails{label: "◌"}, 1
		}
		cells = append(cells, c)
		s = s[len(g):]
	}
	return cells
}

// clean brings foreign text into the form of the buffer: LF line ends, valid UTF-8, and no control
// characters but tab and newline. Complete colour and cursor sequences are removed as a whole; of
// broken ones only the escape byte goes, so that no visible text is lost after an unfinished sequence.
func clean(s string) string {
	if strings.Contains(s, "\x1b[") {
		s = csi.ReplaceAllString(s, "")
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// csi matches a complete control sequence.
var csi = regexp.MustCompile(`\x1b\[[ -?]*[@-~]`)

// plainText joins the texts to send of cells.
func plainText(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.s)
	}
	return b.String()
}

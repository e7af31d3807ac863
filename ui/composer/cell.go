package composer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// tabWidth is how many columns a tab takes. The text keeps the tab itself:
// replacing it by spaces would change pasted code.
const tabWidth = 4

type cellKind uint8

const (
	text    cellKind = iota // one grapheme cluster
	mention                 // a reference, as the reader of references will read it
	paste                   // a paste too large to show
)

// cell is what the cursor steps over at once. A prompt has many: it is kept small.
type cell struct {
	s       string       // what is sent
	more    *cellDetails // nil for most
	w       int32        // columns of what is drawn
	kind    cellKind
	literal bool // pasted: holds no references
}

// cellDetails is what few cells have.
type cellDetails struct {
	label string // what is drawn, if that is not what is sent
	pick  string // of a mention: what was picked, in the parent's words
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

// width is the columns of the cell if it may take no more than limit.
func (c *cell) width(limit int) int { return min(int(c.w), limit) }

// drawn is the cell as it appears on screen.
func (c *cell) drawn() string {
	if l := c.label(); l != "" {
		return l
	}
	return c.s
}

func (c *cell) isSpace() bool {
	return c.kind == text && (c.s == " " || c.s == "\t" || c.s == "\u3000")
}

// apart reports whether the cell is one printable byte or one plain letter: no neighbour
// that is one too can ever join it into a cluster.
func (c *cell) apart() bool {
	if c.kind != text || c.more != nil {
		return false
	}
	if len(c.s) == 1 {
		return c.s[0] >= ' ' && c.s[0] < 0x7f
	}
	r, n := utf8.DecodeRuneInString(c.s)
	return n == len(c.s) && unicode.Is(unicode.Lo, r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		n == len(c.s) && unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// segment cuts one line of clean text into cells.
func segment(s string, literal bool) []cell {
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
		case safe != g: // what reorders text is sent as it is and shown spelled out
			c.more, c.w = &cellDetails{label: safe}, int32(ansi.StringWidth(safe))
		case w == 0, alone && theme.Joins(g):
			// A mark without a base or a zero width space: the cursor stops there,
			// and left as it is it would join whatever stands on its left.
			c.more, c.w = &cellDetails{label: "◌"}, 1
		}
		cells = append(cells, c)
		s = s[len(g):]
	}
	return cells
}

// clean brings foreign text into the form the buffer holds: LF line ends,
// valid UTF-8, and no control characters but tab and newline. Complete colour
// and cursor sequences go as a whole; of broken ones only the escape byte goes,
// so that no visible text is lost behind an unfinished sequence.
func clean(s string) string {
	if !utf8.ValidString(s) { // which is faster than making it valid
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if firstControl(s) < 0 {
		return s
	}
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.Contains(s, "\x1b[") {
		s = csi.ReplaceAllString(s, "")
	}
	i := firstControl(s)
	if i < 0 {
		return s
	}
	return s[:i] + strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s[i:])
}

// firstControl is where the first control character is that no prompt holds, -1 if
// there is none. It looks at bytes, since a paste may have millions of them.
func firstControl(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= ' ' && c < 0x7f, c == '\n', c == '\t', c > 0xc2:
		case c < ' ', c == 0x7f, c == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0: // C1 has two bytes
			return i
		}
	}
	return -1
}

// csi is a complete control sequence.
var csi = regexp.MustCompile(`\x1b\[[ -?]*[@-~]`)

// plainText joins what the cells send.
func plainText(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.s)
	}
	return b.String()
}

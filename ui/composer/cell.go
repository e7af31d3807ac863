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

// cell is what the cursor steps over at once.
type cell struct {
	s       string // what is sent
	label   string // what is drawn, if that is not s
	w       int    // columns of what is drawn
	kind    cellKind
	literal bool   // pasted: holds no references
	pick    string // of a mention: what was picked, in the parent's words
}

// drawn is the cell as it appears on screen.
func (c cell) drawn() string {
	if c.label != "" {
		return c.label
	}
	return c.s
}

func (c cell) isSpace() bool {
	return c.kind == text && (c.s == " " || c.s == "\t" || c.s == "\u3000")
}

// isWord reports whether the cell belongs to a word for the keys that move and
// delete by words. An atom is a word of its own.
func (c cell) isWord() bool { return c.kind != text || !c.isSpace() }

// ascii reports whether the cell is one printable byte: no neighbour that is
// one too can ever join it into a cluster.
func (c cell) ascii() bool {
	return c.kind == text && len(c.s) == 1 && c.s[0] >= ' ' && c.s[0] < 0x7f
}

// segment cuts one line of clean text into cells.
func segment(s string, literal bool) []cell {
	if s == "" {
		return nil
	}
	cells := make([]cell, 0, len(s))
	for s != "" {
		if c := s[0]; c == '\t' {
			cells = append(cells, cell{s: s[:1], label: strings.Repeat(" ", tabWidth), w: tabWidth, literal: literal})
			s = s[1:]
			continue
		}
		g, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if g == "" {
			_, n := utf8.DecodeRuneInString(s)
			g = s[:n]
		}
		c := cell{s: g, w: w, literal: literal}
		alone := len(cells) == 0 || cells[len(cells)-1].label != ""
		switch safe := theme.Sanitize(g); {
		case safe != g: // what reorders text is sent as it is and shown spelled out
			c.label, c.w = safe, ansi.StringWidth(safe)
		case w == 0, alone && theme.Joins(g):
			// A mark without a base or a zero width space: the cursor stops there,
			// and left as it is it would join whatever stands on its left.
			c.label, c.w = "◌", 1
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

// plain joins what the cells send.
func plain(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.s)
	}
	return b.String()
}

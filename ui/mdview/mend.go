package mdview

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// maxHeld is the length in bytes from which a span that is still open is shown as text.
const maxHeld = 200

// inline matches what begins with one of inlineMarks: an escaped character, a complete span, the last span if it is
// open (the group), or marks of emphasis.
var inline = regexp.MustCompile(`^(?:\\.|%%.*?%%|` + "`+[^`]+`+" + `|!?\[\[[^][]*\]\]|\[[^][]*\]\([^)]*\)` +
	`|((?:%%.*|` + "`+[^`]*" + `|!?\[\[[^][]*\]?|!?\[[^][]{0,60}(?:\](?:\([^)]*)?)?|</?[a-zA-Z]{0,7})$)` + `|\*+|=+|~+)`)

const inlineMarks = "\\%`![<*=~"

// mendText returns a text that is still being written with its last line as it will look when complete: open
// emphasis is closed, and any other span that is open, or a mark that has only begun, is left out.
func mendText(text []byte) []byte {
	from := lastLine(text)
	line := text[from:]
	switch {
	case len(line) == 0, codeAt(text, from):
		return text
	case line[0] == '|' && len(bytes.Trim(line, "|-: ")) == 0:
		return text[:from] // the incomplete line below the header of a table
	}
	return append(slices.Clip(text[:from]), mendLine(string(line))...)
}

// codeAt reports whether the last line of a text, which begins at from, is inside a block of code, also
// in a list or a quotation. A line that begins a block is not inside it.
func codeAt(text []byte, from int) bool {
	var above md.Fences
	for line := range strings.Lines(string(text[:from])) {
		above.Line(strings.TrimSuffix(line, "\n"))
	}
	kind := above.KindBehind(string(text[from:]))
	return kind == md.IndentedLine || kind == md.FencedLine && above.Open() != md.Fence{}
}

// mendLine returns a line with its open spans closed or left out.
func mendLine(s string) string {
	var open []string // marks of emphasis
	for i, n := 0, 0; ; i += n {
		skip := strings.IndexAny(s[i:], inlineMarks)
		if skip < 0 {
			break
		}
		i += skip
		found := inline.FindStringSubmatch(s[i:])
		if n = 1; found == nil {
			continue
		}
		mark := found[0]
		n = len(mark)
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		switch last := len(open) - 1; {
		case found[1] != "":
			if n < maxHeld && !(mark[0] == '%' && unicode.IsDigit(before)) {
				s, n = s[:i], 0
			}
		case !strings.ContainsRune("*=~", rune(mark[0])), n > 3, mark[0] != '*' && n > 2:
		case last >= 0 && open[last] == mark:
			open = open[:last]
		case i+n == len(s): // its meaning is not known yet
			s, n = s[:i], 0
		case mark == "=", mark == "~", unicode.IsSpace(next), unicode.IsLetter(before), unicode.IsDigit(before):
		default:
			open = append(open, mark)
		}
	}
	for len(open) > 0 {
		s = strings.TrimRight(s, " \t")
		last := open[len(open)-1]
		if !strings.HasSuffix(s, last) {
			break
		}
		s, open = strings.TrimSuffix(s, last), open[:len(open)-1] // nothing is in it
	}
	slices.Reverse(open)
	return s + strings.Join(open, "")
}

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

var (
	newBlock = regexp.MustCompile(`^\s*([-+*] |\d+[.)] |#|>|\||$)`)
	halfTag  = regexp.MustCompile(`^</?[a-zA-Z]{0,7}$`)
	halfLink = regexp.MustCompile(`\|?\]?$`)
)

// mendText returns a text that is still being written with the open marks at its end closed, so that it
// looks as it will when complete: emphasis, code, marks and links. A mark that has only begun is
// left out. Only the end of the last paragraph changes.
func mendText(text []byte) []byte {
	if n := len(text); n == 0 || text[n-1] == '\n' {
		return text
	}
	from := bytes.LastIndexByte(text, '\n') + 1
	if codeAt(text, from) {
		return text
	}
	if text[from] == '|' && len(bytes.Trim(text[from:], "|-: ")) == 0 {
		return text[:from] // the incomplete line below the header of a table
	}
	for from > 0 && !newBlock.Match(text[from:]) {
		above := bytes.LastIndexByte(text[:from-1], '\n') + 1
		if len(bytes.TrimSpace(text[above:from])) == 0 {
			break
		}
		from = above
	}
	return append(slices.Clip(text[:from]), new(openSpans).mend(string(text[from:]))...)
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

// openSpans holds the closing marks of the open spans of a paragraph.
type openSpans struct{ open []string }

// mend returns a paragraph with its open spans closed.
func (m *openSpans) mend(s string) string {
	for i := 0; i < len(s); {
		n, end := m.readElement(s, i)
		if n == 0 {
			return end
		}
		i += n
	}
	return m.close(s)
}

// readElement reads the element at an offset and returns its length. 0 means that the text ends inside the
// element; end is then the mended text.
func (m *openSpans) readElement(s string, at int) (n int, end string) {
	before, rest := s[:at], s[at:]
	run := rest[:len(rest)-len(strings.TrimLeft(rest, rest[:1]))]
	switch rest[0] {
	case '\\':
		return 2, ""
	case '`':
		if len(run) > 2 && !strings.Contains(rest[len(run):], run) { // it may be a fence
			return 0, m.close(before)
		}
		return m.readSpan(s, at, [2]string{run, run}, nil, "")
	case '[':
		_, closed := strings.CutPrefix(rest, "[[")
		embed := strings.HasSuffix(before, "!")
		switch {
		case rest == "[", strings.HasPrefix(rest, "[!") && !strings.Contains(rest, "]"),
			closed && embed && !strings.Contains(rest, "]]"):
			return 0, m.close(strings.TrimSuffix(before, "!"))
		case closed:
			return m.readSpan(s, at, [2]string{"[[", "]]"}, halfLink, "\n[")
		}
	case ']':
		if strings.HasPrefix(rest, "](") {
			return m.readSpan(s, at, [2]string{"]", ")"}, nil, "")
		}
	case '<':
		if halfTag.MatchString(rest) {
			return 0, m.close(before)
		}
	case '%':
		if last, _ := utf8.DecodeLastRuneInString(before); len(run) > 1 && !unicode.IsNumber(last) {
			if n := strings.Index(rest[2:], "%%"); n >= 0 {
				return n + 4, ""
			}
			return 0, m.close(before)
		}
		return len(run), ""
	case '*', '=', '~':
		if !m.emphasis(s, at, len(run)) {
			return 0, m.close(before)
		}
		return len(run), ""
	}
	return 1, ""
}

// readSpan reads a span between two marks and returns its length. A span that is still open is closed at
// the end, without the half of a mark there, or left out if it is empty. If it contains one of the
// bytes of not, its mark is text.
func (m *openSpans) readSpan(s string, at int, marks [2]string, half *regexp.Regexp, not string) (n int, end string) {
	begin := at + len(marks[0])
	if n := strings.Index(s[begin:], marks[1]); n >= 0 {
		return len(marks[0]) + n + len(marks[1]), ""
	}
	if half != nil {
		s = s[:begin] + half.ReplaceAllString(s[begin:], "")
	}
	switch inside := s[begin:]; {
	case inside == "":
		return 0, m.close(s[:at])
	case strings.ContainsAny(inside, not):
		return len(marks[0]), ""
	}
	return 0, s + marks[1] + m.closing()
}

// emphasis reads n equal marks at an offset. It returns false if they end the text, so that their
// meaning is not known yet.
func (m *openSpans) emphasis(s string, at, n int) bool {
	run := s[at : at+n]
	last := len(m.open) - 1
	next, _ := utf8.DecodeRuneInString(s[at+n:])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	switch {
	case n > 3 || run[0] != '*' && n > 2:
	case last >= 0 && m.open[last] == run:
		m.open = m.open[:last]
	case at+n == len(s):
		return false
	case run[0] != '*' && n == 1, unicode.IsSpace(next), unicode.IsLetter(before) || unicode.IsDigit(before):
	default:
		m.open = append(m.open, run)
	}
	return true
}

// close closes the open spans at the end of a text.
func (m *openSpans) close(s string) string {
	for len(m.open) > 0 {
		s = strings.TrimRight(s, " \t")
		last := m.open[len(m.open)-1]
		if !strings.HasSuffix(s, last) {
			break
		}
		s, m.open = strings.TrimSuffix(s, last), m.open[:len(m.open)-1] // nothing is in it
	}
	return s + m.closing()
}

// closing returns the closing marks of the open spans.
func (m *openSpans) closing() string {
	slices.Reverse(m.open)
	return strings.Join(m.open, "")
}

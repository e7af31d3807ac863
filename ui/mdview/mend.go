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
	openTag  = regexp.MustCompile(`(?i)^<(kbd|sub|sup)>`)
)

// mendText is a text that is still being written, with what is open at its end closed, so
// that it looks as it will: emphasis, code, marks, links and keys. What has only begun is
// left out. Nothing but the end of the last paragraph changes.
func mendText(text []byte) []byte {
	if n := len(text); n == 0 || text[n-1] == '\n' {
		return text
	}
	from := bytes.LastIndexByte(text, '\n') + 1
	if codeAt(text, from) {
		return text
	}
	if text[from] == '|' && len(bytes.Trim(text[from:], "|-: ")) == 0 {
		return text[:from] // what stands below the header of a table
	}
	for from > 0 && !newBlock.Match(text[from:]) {
		above := bytes.LastIndexByte(text[:from-1], '\n') + 1
		if len(bytes.TrimSpace(text[above:from])) == 0 {
			break
		}
		from = above
	}
	var m openSpans
	last := string(text[from:])
	end := m.read(last)
	return append(slices.Clip(text[:from]), last[:end.at]+end.tail...)
}

// codeAt reports whether the last line of a text, which begins at from, stands in a block of
// code, also in a list or a quotation. One that begins there is none yet.
func codeAt(text []byte, from int) bool {
	var above md.Fences
	for line := range strings.Lines(string(text[:from])) {
		above.Line(strings.TrimSuffix(line, "\n"))
	}
	kind := above.KindBehind(string(text[from:]))
	return kind == md.IndentedLine || kind == md.FencedLine && above.Open() != md.Fence{}
}

// openSpans is what is open in a paragraph, by what closes it.
type openSpans struct{ open []string }

// paragraphEnd is where a paragraph is cut, and what follows there.
type paragraphEnd struct {
	at   int
	tail string
}

// read goes through a paragraph up to where it ends in something open.
func (m *openSpans) read(s string) paragraphEnd {
	for i := 0; i < len(s); {
		rest := s[i:]
		n := 1
		var end *paragraphEnd
		switch c := s[i]; c {
		case '\\':
			n = 2
		case '`':
			n, end = m.code(s, i)
		case '[':
			n, end = m.link(s, i)
		case ']':
			if strings.HasPrefix(rest, "](") {
				if n = strings.IndexByte(rest, ')') + 1; n == 0 {
					return paragraphEnd{len(s), ")" + m.closing()}
				}
			}
		case '<':
			n, end = m.tag(s, i)
		case '%':
			n, end = m.comment(s, i)
		case '*', '=', '~':
			n = len(rest) - len(strings.TrimLeft(rest, string(c)))
			if !m.emphasis(s, i, n) {
				return m.close(s, i)
			}
		}
		if end != nil {
			return *end
		}
		i += min(n, len(rest))
	}
	return m.close(s, len(s))
}

// code takes in a code span at an offset, n bytes long, unless it is open.
func (m *openSpans) code(s string, at int) (n int, end *paragraphEnd) {
	inside := strings.TrimLeft(s[at:], "`")
	run := s[at : len(s)-len(inside)]
	if n := strings.Index(inside, run); n >= 0 {
		return 2*len(run) + n, nil
	}
	if inside == "" || len(run) > 2 { // a fence, it may be
		return 0, new(m.close(s, at))
	}
	return 0, &paragraphEnd{len(s), run + m.closing()}
}

// comment takes in a comment at an offset, n bytes long, unless it is open: then it is left
// out.
func (m *openSpans) comment(s string, at int) (n int, end *paragraphEnd) {
	inside, ok := strings.CutPrefix(s[at:], "%%")
	if before, _ := utf8.DecodeLastRuneInString(s[:at]); !ok || unicode.IsNumber(before) {
		return 1 + len(s[at+1:]) - len(strings.TrimLeft(s[at+1:], "%")), nil
	}
	if n := strings.Index(inside, "%%"); n >= 0 {
		return n + len("%%%%"), nil
	}
	return 0, new(m.close(s, at))
}

// link takes in a wikilink at an offset, n bytes long, unless it is open. An open embed
// or the kind of a callout is left out.
func (m *openSpans) link(s string, at int) (n int, end *paragraphEnd) {
	rest := s[at:]
	if rest == "[" || strings.HasPrefix(rest, "[!") && !strings.Contains(rest, "]") || strings.HasPrefix(rest, "[[") && strings.HasSuffix(s[:at], "!") && !strings.Contains(rest, "]]") {
		return 0, new(m.close(s, len(strings.TrimSuffix(s[:at], "!"))))
	}
	inside, ok := strings.CutPrefix(rest, "[[")
	if !ok {
		return 1, nil
	}
	if n := strings.Index(rest, "]]"); n >= 0 {
		return n + 2, nil
	}
	inside = strings.TrimSuffix(strings.TrimSuffix(inside, "]"), "|")
	if inside == "" || strings.ContainsAny(inside, "\n[") {
		return 0, new(m.close(s, at))
	}
	return 0, &paragraphEnd{at + 2 + len(inside), "]]" + m.closing()}
}

// tag takes in a key, or what stands high or low, at an offset, n bytes long, unless it is
// open.
func (m *openSpans) tag(s string, at int) (n int, end *paragraphEnd) {
	rest := s[at:]
	tag := openTag.FindString(rest)
	if tag == "" {
		if halfTag.MatchString(rest) {
			return 0, new(m.close(s, at))
		}
		return 1, nil
	}
	inside, closing := rest[len(tag):], "</"+tag[1:]
	next := strings.IndexByte(inside, '<')
	switch {
	case inside == "":
		return 0, new(m.close(s, at))
	case next < 0:
		return 0, &paragraphEnd{len(s), closing + m.closing()}
	case halfTag.MatchString(inside[next:]):
		return 0, &paragraphEnd{at + len(tag) + next, closing + m.closing()}
	}
	return len(tag), nil
}

// emphasis takes in n equal marks at an offset. False means that they end the text, and
// that it cannot be said yet what they are.
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

// close cuts a paragraph at an offset and closes what is open in front of it.
func (m *openSpans) close(s string, at int) paragraphEnd {
	s = s[:at]
	for len(m.open) > 0 {
		s = strings.TrimRight(s, " \t")
		last := m.open[len(m.open)-1]
		if !strings.HasSuffix(s, last) {
			break
		}
		s, m.open = strings.TrimSuffix(s, last), m.open[:len(m.open)-1] // nothing is in it
	}
	return paragraphEnd{len(s), m.closing()}
}

func (m *openSpans) closing() string {
	var b strings.Builder
	for _, mark := range slices.Backward(m.open) {
		b.WriteString(mark)
	}
	return b.String()
}

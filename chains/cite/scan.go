package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// scanner finds the marks in a stretch of running text. It passes over code, mathematics, links, tags and what a
// backslash escapes. The text may be the beginning of a stretch that still comes: then the scanner stops where the
// rest decides what something is.
type scanner struct {
	text    string
	at      int  // everything before is decided
	partial bool // more text may follow

	spans md.CodeSpans
	next  map[string]int // place of the next closing mark of mathematics, len(text) if there is none
}

// maxInline limits the bytes of a formula between dollars, of a tag and of the address of a link.
const maxInline = 500

var special = func() (special [256]bool) {
	for _, c := range []byte("\\`$<[](\xe3\xef") { // the last two begin other brackets
		special[c] = true
	}
	return special
}()

// mark returns the next mark, or false where the text ends or is not decided, which is then at s.at.
func (s *scanner) mark() (mark, bool) {
	for s.at < len(s.text) {
		if !special[s.text[s.at]] {
			s.at++
			continue
		}
		if m, result := s.markAt(s.at); result == isWhole {
			s.at = m.to
			return m, true
		} else if result == isBegun {
			return mark{}, false
		}
		n, decided := s.passed(s.text[s.at:])
		if !decided && s.partial {
			return mark{}, false
		}
		s.at += max(n, 1)
	}
	return mark{}, false
}

// markAt reads the mark at an offset. In front of a round bracket it is the text of a link.
func (s *scanner) markAt(at int) (mark, verdict) {
	if strings.HasPrefix(s.text[at:], "[[") {
		return mark{}, isNone
	}
	m, result := readMark(s.text[at:])
	if result == isWhole {
		next := s.text[at+m.to:]
		if next == "" && s.partial {
			return mark{}, isBegun
		}
		if m.form != roundForm && strings.HasPrefix(next, "(") {
			return mark{}, isNone
		}
	}
	if result == isBegun && !s.partial {
		result = isNone
	}
	m.from, m.to = at, at+m.to
	return m, result
}

// passed returns the length of what stands at the beginning of rest and contains no marks, 0 if it is plain text.
// It is not decided if the end may still come.
func (s *scanner) passed(rest string) (n int, decided bool) {
	switch rest[0] {
	case '\\':
		if len(rest) == 1 {
			return 0, false
		}
		if end, ok := map[byte]string{'(': `\)`, '[': `\]`}[rest[1]]; ok {
			n, found := s.closed(end, len(`\(`))
			return max(n, len(`\(`)), found
		}
		return len(`\[`), true
	case '`':
		return s.code(rest)
	case '$':
		if strings.HasPrefix(rest, "$$") {
			n, found := s.closed("$$", len("$$"))
			return max(n, len("$$")), found
		}
		return formula(rest)
	case '<':
		return upTo(rest, ">", "<\n")
	case '[':
		if len(rest) == 1 {
			return 0, false
		}
		if rest[1] == '[' {
			inner, n := md.Wikilink(rest)
			if inner != "" {
				return n, true
			}
			return 0, n < len(rest)
		}
	case ']':
		if len(rest) == 1 {
			return 0, false
		}
		if rest[1] == '(' {
			return upTo(rest, ")", "\n")
		}
	}
	return 0, true
}

// closed returns the length from s.at to the end of the next closing mark that stands at least skip bytes behind it.
func (s *scanner) closed(end string, skip int) (n int, found bool) {
	if s.next == nil {
		s.next = map[string]int{}
	}
	from := min(s.at+skip, len(s.text))
	if at, known := s.next[end]; !known || at < from {
		at := strings.Index(s.text[from:], end)
		if at < 0 {
			at = len(s.text)
		}
		s.next[end] = min(from+at, len(s.text))
	}
	at := s.next[end]
	if at == len(s.text) {
		return 0, false
	}
	return at + len(end) - s.at, true
}

// code returns the length of the code span at the beginning of rest, or of its opening mark if nothing closes it.
func (s *scanner) code(rest string) (n int, decided bool) {
	ticks := len(rest) - len(strings.TrimLeft(rest, "`"))
	n = s.spans.Len(rest)
	return n, n > ticks && n < len(rest) // at the end of the text more backticks may follow
}

// formula returns the length of the formula between single dollars at the beginning of rest. White space inside of a
// dollar, or a digit behind the second one, means money.
func formula(rest string) (n int, decided bool) {
	if len(rest) == 1 {
		return 0, false
	}
	for n = 1; n < min(len(rest), maxInline); n++ {
		switch rest[n] {
		case '\n':
			return 0, true
		case '\\':
			n++
		case '$':
			if n+1 == len(rest) {
				return n + 1, false
			}
			if !isSpace(rest[1]) && !isSpace(rest[n-1]) && (rest[n+1] < '0' || rest[n+1] > '9') {
				return n + 1, true
			}
		}
	}
	return 0, n >= maxInline
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// upTo returns the length of the text up to the end mark, 0 if one of the other characters comes first.
func upTo(rest, end, other string) (n int, decided bool) {
	if rest[0] == '<' && len(rest) > 1 && !unicode.IsLetter(rune(rest[1])) && rest[1] != '/' && rest[1] != '!' {
		return 0, true
	}
	at := strings.IndexAny(rest[1:min(len(rest), maxInline)], end+other)
	switch {
	case at < 0:
		return 0, len(rest) >= maxInline
	case strings.Contains(end, rest[1+at:2+at]):
		return at + 2, true
	}
	return 0, true
}

// run is marks side by side, with what joins them.
type run struct {
	marks  []mark
	joints []string // in front of each mark, "" for the first
	spaces int      // spaces behind the last mark
}

// run returns the next marks side by side. Like mark it returns false where the text ends or is not decided.
func (s *scanner) run() (run, bool) {
	m, ok := s.mark()
	if !ok {
		return run{}, false
	}
	r := run{marks: []mark{m}, joints: []string{""}}
	for len(r.marks) < maxRun {
		joint, result := readJoint(s.text[s.at:])
		next := mark{}
		if result == isWhole {
			next, result = s.markAt(s.at + joint)
		}
		if result == isBegun && s.partial {
			s.at = m.from
			return run{}, false
		}
		if result != isWhole {
			break
		}
		r.marks, r.joints = append(r.marks, next), append(r.joints, s.text[s.at:s.at+joint])
		s.at = next.to
	}
	rest := s.text[s.at:]
	r.spaces = len(rest) - len(strings.TrimLeft(rest, " "))
	if s.partial && (r.spaces == len(rest) || mayWrap(s.text[:m.from], rest)) {
		s.at = m.from
		return run{}, false
	}
	return r, true
}

// mayWrap reports whether the bracket before some marks may have its counterpart behind them.
func mayWrap(before, behind string) bool {
	return slices.ContainsFunc(wrappers, func(w wrapper) bool {
		return strings.HasSuffix(before, w.open) && len(behind) < len(w.close) && strings.HasPrefix(w.close, behind)
	})
}

const (
	maxRun   = 40 // marks side by side
	maxJoint = 10 // bytes between two of them
)

// readJoint returns the length of the text at the beginning that can join two marks. It is only begun if the text
// ends in it.
func readJoint(text string) (n int, result verdict) {
	rest := strings.TrimLeft(text, " ,;")
	for _, word := range joints {
		if strings.HasPrefix(word, rest) {
			n, result = len(text), isBegun
			break
		}
		if behind, ok := strings.CutPrefix(rest, word); ok {
			rest = strings.TrimLeft(behind, " ,;")
			break
		}
	}
	if result != isBegun {
		n, result = len(text)-len(rest), isWhole
	}
	if n > maxJoint {
		return 0, isNone
	}
	return n, result
}

// isJoint reports whether text between two references only joins them.
func isJoint(text string) bool {
	word := strings.Trim(text, " ,;")
	return word == "" || slices.Contains(joints, word)
}

// heldFrom returns the place from which a text is held back while its end is not known: where a mark may begin,
// with the spaces and brackets in front of it.
func heldFrom(text string, from int) int {
	for from < len(text) {
		if c := text[from]; special[c] && c != '\\' && c != '`' && c != '$' && c != '<' && c != ']' {
			if _, result := readMark(text[from:]); result != isNone {
				break
			}
		}
		from++
	}
	return from - len(leadOf(text[:from]))
}

// leadOf returns the white space at the end of a text, with an opening bracket behind it.
func leadOf(text string) string {
	rest := text
	for _, open := range []string{"(", "（", "**", "*"} { // the last may become the one before
		if before, ok := strings.CutSuffix(text, open); ok {
			rest = before
			break
		}
	}
	return text[len(strings.TrimRight(rest, " \t\r\n")):]
}

// wrapper is a pair of brackets that may stand around marks, and goes with them.
type wrapper struct{ open, close string }

var wrappers = []wrapper{{"(", ")"}, {"（", "）"}, {"**", "**"}}

var (
	onlyMarker = regexp.MustCompile(`^[\s>]*(?:[-*+#]+|\d+[.)])?\s*$`)

	// A number directly after a word is an index, except in scripts without spaces.
	afterWord = regexp.MustCompile(
		"(?:\\[\\^\\d{1,9}\\] *|[.,;:!?…%\"”’»*。，、；：！？」』）】］] *|[\\p{L}\\p{N})\\]}'_`°€$] +|[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}])$")
)

// standsLikeFootnote reports whether a mark without its sign stands where a footnote would: behind a word, and not
// where it is an index, the number of an item or the text of a link. line is the line in front of it.
func (m *mark) standsLikeFootnote(line, next string) bool {
	if len(line) < maxLead && onlyMarker.MatchString(line) {
		return false
	}
	if m.form != heavyForm && m.form != roundForm && strings.IndexAny(next, "([]") == 0 {
		return false
	}
	if m.form == heavyForm || m.form == wordForm {
		return true
	}
	return afterWord.MatchString(tail(line, 20))
}

// tail returns the last n bytes of a text, without a cut character.
func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

package edit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Replace replaces old by new in text. old must occur exactly once, unless all is set. If it does not occur
// exactly, Replace searches with more and more tolerance: for line ends and byte order marks; for white space
// at the ends of lines; for characters that are equal in NFKC, quotes and dashes; and for a line end that the
// last line of text lacks, which new then loses as well. new takes on the line ends of the lines that it
// replaces.
//
// The error is a *NotFoundError or a *NotUniqueError.
func Replace(text, old, new string, all bool) (string, error) {
	old = strings.TrimPrefix(old, mark)
	for level := exact; level <= lastEnd; level++ {
		found := find(text, old, level, all)
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 && !all {
			e := &NotUniqueError{}
			for _, f := range found {
				e.Lines = append(e.Lines, 1+lineCount(text[:f.start]))
			}
			return "", e
		}
		var b strings.Builder
		at := 0
		for _, f := range found {
			put := new
			if f.withoutEnd {
				put = strings.TrimSuffix(strings.TrimSuffix(put, "\n"), "\r")
			}
			b.WriteString(text[at:f.start])
			b.WriteString(withEnds(put, lineEnd(text, f.start, f.end)))
			at = f.end
		}
		b.WriteString(text[at:])
		return b.String(), nil
	}
	return "", nearestLines(text, old)
}

// NotFoundError says that a text does not contain a passage.
type NotFoundError struct {
	Line int    // first of the most similar lines, 0 if there are none
	Text string // these lines, without the last line end
}

func (e *NotFoundError) Error() string {
	if e.Line == 0 {
		return "the text does not stand in the note"
	}
	n := strings.Count(e.Text, "\n")
	if n == 0 {
		return fmt.Sprintf("the text does not stand in the note; nearest is line %d: %s", e.Line, e.Text)
	}
	return fmt.Sprintf("the text does not stand in the note; nearest are lines %d-%d:\n%s", e.Line, e.Line+n, e.Text)
}

// NotUniqueError says that a text contains a passage more than once.
type NotUniqueError struct {
	Lines []int // lines on which it begins, from 1
}

func (e *NotUniqueError) Error() string {
	const most = 10
	var list []string
	for _, l := range e.Lines[:min(len(e.Lines), most)] {
		list = append(list, strconv.Itoa(l))
	}
	if len(e.Lines) > most {
		list = append(list, "…")
	}
	return fmt.Sprintf("the text stands in the note %d times, on lines %s", len(e.Lines), strings.Join(list, ", "))
}

// level is a level of tolerance. Each level includes those before it.
type level uint8

const (
	exact     level = iota
	lineEnds        // CRLF and CR equal LF; byte order marks and NUL are ignored; invalid UTF-8 equals U+FFFD
	trailing        // blanks at the ends of lines are ignored
	canonical       // NFKC, plain quotes and dashes
	lastEnd         // the last line has a line end
)

// match is the position of a passage, in bytes.
type match struct {
	start, end int
	withoutEnd bool // the passage ends with a line end that the text lacks
}

// find returns the occurrences of old in text. With all set, for replacing one after another, overlapping ones
// are left out.
func find(text, old string, by level, all bool) (found []match) {
	in, want := form{text: text}, old
	if by > exact {
		in = normalize(text, by)
		want = normalize(old, min(by, canonical)).text
	}
	if want == "" {
		return nil
	}
	// If blanks at the end of old were removed, nothing else may follow on the line.
	cut := by >= trailing && !strings.HasSuffix(want, "\n") && strings.TrimRight(old, " \t\u00a0") != old
	for at := 0; ; {
		i := strings.Index(in.text[at:], want)
		if i < 0 {
			return found
		}
		start, end := at+i, at+i+len(want)
		m, ok := in.toSource(start, end)
		if ok && end < len(in.text) && !norm.NFC.PropertiesString(in.text[end:]).BoundaryBefore() {
			ok = false // an accent of the last character follows
		}
		if ok && cut && end < len(in.text) && in.text[end] != '\n' {
			ok = false
		}
		if ok {
			found = append(found, m)
		}
		if at = start + 1; ok && all {
			at = end
		}
	}
}

// form is a text in which the differences of a level are removed.
type form struct {
	text string
	// source has the offset of each byte in the source, then the length of the source; -1 inside of a character.
	// nil means that text is the source.
	source []int
	ended  bool // the last line end is not in the source
}

// toSource converts a range of the form to a range of the source; ok is false if it begins or ends inside of a
// character.
func (f *form) toSource(start, end int) (match, bool) {
	if f.source == nil {
		inCRLF := start > 0 && f.text[start] == '\n' && f.text[start-1] == '\r'
		return match{start: start, end: end}, !inCRLF
	}
	m := match{f.source[start], f.source[end], f.ended && end == len(f.text)}
	return m, m.start >= 0 && m.end >= 0 && m.start < m.end
}

// plainRune replaces typographic quotes and dashes by plain ones.
func plainRune(r rune) rune {
	switch {
	case strings.ContainsRune("“”„‟〝〞＂", r):
		return '"'
	case strings.ContainsRune("‘’‚‛＇", r):
		return '\''
	case strings.ContainsRune("‐‑‒–—―−﹘﹣－", r):
		return '-'
	}
	return r
}

// normalize removes the differences of a level from a text.
func normalize(text string, by level) form {
	f := form{source: make([]int, 0, len(text)+2)}
	b := make([]byte, 0, len(text)+1)
	put := func(s string, from int) {
		for i := range len(s) {
			b = append(b, s[i])
			if i > 0 {
				from = -1
			}
			f.source = append(f.source, from)
		}
	}
	trim := func() {
		for by >= trailing && len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
			b, f.source = b[:len(b)-1], f.source[:len(f.source)-1]
		}
	}
	i := 0
	if strings.HasPrefix(text, mark) {
		i = len(mark)
	}
	for i < len(text) {
		size := 1
		switch c := text[i]; {
		case c == '\r' || c == '\n':
			if c == '\r' && strings.HasPrefix(text[i+1:], "\n") {
				size = 2
			}
			trim()
			put("\n", i)
		case c == 0:
		case c < utf8.RuneSelf && (by < canonical || i+1 == len(text) || text[i+1] < utf8.RuneSelf):
			put(text[i:i+1], i)
		default:
			var s string
			s, size = character(text[i:], by)
			put(s, i)
		}
		i += size
	}
	trim()
	if f.ended = by == lastEnd && len(b) > 0 && b[len(b)-1] != '\n'; f.ended {
		put("\n", len(text))
	}
	f.text, f.source = string(b), append(f.source, len(text))
	return f
}

// character returns the form of the character at the beginning of text, with its combining marks, and its
// length in text.
func character(text string, by level) (string, int) {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		for size < len(text) && utf8.RuneError == firstRune(text[size:]) && !strings.HasPrefix(text[size:], "\uFFFD") {
			size++
		}
		return "\uFFFD", size
	}
	if by < canonical {
		return text[:size], size
	}
	if n := norm.NFKC.NextBoundaryInString(text, true); n > size {
		size = n
	}
	return strings.Map(plainRune, norm.NFKC.String(strings.Map(plainRune, text[:size]))), size
}

// lineEnd returns the line end used in text[start:end], else near it.
func lineEnd(text string, start, end int) string {
	if i := strings.IndexByte(text[start:end], '\n'); i >= 0 {
		return endAt(text, start+i)
	}
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		return endAt(text, end+i)
	}
	if i := strings.LastIndexByte(text[:start], '\n'); i >= 0 {
		return endAt(text, i)
	}
	return lineEndOf(text)
}

// endAt returns the line end whose LF is at i, LF if there is none.
func endAt(text string, i int) string {
	if i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withEnds returns a text with these line ends, without a byte order mark.
func withEnds(text, end string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, mark), "\r\n", "\n"), "\r", "\n")
	if end == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", end)
}

// lineCount returns the number of line ends in a text.
func lineCount(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}

// Limits of the search for the nearest lines.
const (
	maxNearLines = 12     // lines of the passage
	minNearShare = 0.35   // share of words in common
	maxTextLines = 20_000 // of the text
)

// nearestLines returns an error with the lines of text that are most similar to a passage.
func nearestLines(text, old string) *NotFoundError {
	in, want := plainLines(text), plainLines(strings.Trim(old, "\r\n"))
	if len(in) > maxTextLines || len(want) == 0 {
		return &NotFoundError{}
	}
	want = want[:min(len(want), maxNearLines)]
	counts := make([]map[string]int, len(want))
	total := 0
	for i, line := range want {
		counts[i] = countWords(line)
		total += wordTotal(counts[i])
	}
	bags := make([]map[string]int, len(in))
	for i, line := range in {
		bags[i] = countWords(line)
	}
	best, at := 0.0, -1
	for i := range in {
		same, all := 0, total
		for j := range min(len(want), len(in)-i) {
			same += common(counts[j], bags[i+j])
			all += wordTotal(bags[i+j])
		}
		if all > 0 && 2*float64(same)/float64(all) > best {
			best, at = 2*float64(same)/float64(all), i
		}
	}
	if best < minNearShare {
		return &NotFoundError{}
	}
	source := strings.Split(normalize(text, lineEnds).text, "\n")
	return &NotFoundError{Line: at + 1, Text: strings.Join(source[at:min(at+len(want), len(in))], "\n")}
}

// plainLines returns the lines of a text in the form for comparison.
func plainLines(text string) []string {
	return strings.Split(strings.ToLower(normalize(text, canonical).text), "\n")
}

// countWords returns the words of a line, with the number of their occurrences.
func countWords(line string) map[string]int {
	words := map[string]int{}
	for line != "" {
		n := tokenLen(line)
		if classOf(firstRune(line)) != space {
			words[line[:n]]++
		}
		line = line[n:]
	}
	return words
}

func wordTotal(bag map[string]int) (n int) {
	for _, k := range bag {
		n += k
	}
	return n
}

func common(a, b map[string]int) (n int) {
	for w, k := range a {
		n += min(k, b[w])
	}
	return n
}

package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Replace puts new in the place of old, which must stand in text exactly once; all
// replaces it wherever it stands. It is looked for as it is, and if it stands nowhere
// with more and more tolerance: for line ends and byte order marks; for white space at
// the ends of lines; for characters that are the same in NFKC, quotes and dashes; and
// for a line end that the last line of text lacks, which then new loses as well. new
// takes on the line ends of the lines that it replaces.
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
			if f.endless {
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

// NotFoundError says that a passage does not stand in a text.
type NotFoundError struct {
	Line int    // the first of the lines that are most like it, 0 if none are
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

// NotUniqueError says that a passage stands in a text more than once.
type NotUniqueError struct {
	Lines []int // on which it begins, from 1
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

// level is how much tolerance there is. Each level has that of those before it.
type level uint8

const (
	exact     level = iota
	lineEnds        // CRLF and CR are LF; no byte order mark, no NUL; what is not UTF-8 is U+FFFD
	trailing        // no blanks at the ends of lines
	canonical       // NFKC, plain quotes and dashes
	lastEnd         // the last line has an end
)

// match is where a passage stands, in bytes.
type match struct {
	start, end int
	endless    bool // it ends with a line end that the text lacks
}

// find lists where old stands in text. Unless all are wanted, to be replaced one
// after another, those that overlap count as well.
func find(text, old string, by level, all bool) (found []match) {
	in, want := form{text: text}, old
	if by > exact {
		in = formOf(text, by)
		want = formOf(old, min(by, canonical)).text
	}
	if want == "" {
		return nil
	}
	// Blanks at the end of old were cut: nothing else may stand there on the line.
	cut := by >= trailing && !strings.HasSuffix(want, "\n") && strings.TrimRight(old, " \t\u00a0") != old
	for at := 0; ; {
		i := strings.Index(in.text[at:], want)
		if i < 0 {
			return found
		}
		start, end := at+i, at+i+len(want)
		m, ok := in.match(start, end)
		if ok && end < len(in.text) && !norm.NFC.PropertiesString(in.text[end:]).BoundaryBefore() {
			ok = false // behind it stands an accent of its last character
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

// form is a text in which some differences do not show.
type form struct {
	text   string
	source []int // where each byte comes from, and behind them the length of the source; -1 inside of a character; nil: the text is its source
	ended  bool  // its last line end is not in the source
}

// match is what stands in form from start to end, in the source.
func (f *form) match(start, end int) (match, bool) {
	if f.source == nil {
		inCRLF := start > 0 && f.text[start] == '\n' && f.text[start-1] == '\r'
		return match{start: start, end: end}, !inCRLF
	}
	m := match{f.source[start], f.source[end], f.ended && end == len(f.text)}
	return m, m.start >= 0 && m.end >= 0 && m.start < m.end
}

// plainRune has plain characters for the typographic ones.
func plainRune(r rune) rune {
	switch r {
	case '“', '”', '„', '‟', '〝', '〞', '＂':
		return '"'
	case '‘', '’', '‚', '‛', '＇':
		return '\''
	case '‐', '‑', '‒', '–', '—', '―', '−', '﹘', '﹣', '－':
		return '-'
	}
	return r
}

// formOf brings a text into the form in which the differences of a level do not show.
func formOf(text string, by level) form {
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

// character is the form of what stands at the beginning of a text and belongs
// together, and how long that is.
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

// lineEnd is how lines end in text[start:end], else near it.
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
	return ends(text)
}

// endAt is the line end whose LF is at i, LF if that is none.
func endAt(text string, i int) string {
	if i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withEnds is a text with these line ends, and without a byte order mark.
func withEnds(text, end string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, mark), "\r\n", "\n"), "\r", "\n")
	if end == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", end)
}

// lineCount is how many lines end in a text.
func lineCount(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}

// Bounds of what is compared to find the nearest lines.
const (
	mostNear  = 12     // lines of the passage
	leastNear = 0.35   // of its words
	mostLines = 20_000 // of the text
)

// nearestLines says which lines of a text are most like a passage.
func nearestLines(text, old string) *NotFoundError {
	in, want := plainLines(text), plainLines(strings.Trim(old, "\r\n"))
	if len(in) > mostLines || len(want) == 0 {
		return &NotFoundError{}
	}
	want = want[:min(len(want), mostNear)]
	counts := make([]map[string]int, len(want))
	total := 0
	for i, line := range want {
		counts[i] = bag(line)
		total += size(counts[i])
	}
	bags := make([]map[string]int, len(in))
	for i, line := range in {
		bags[i] = bag(line)
	}
	best, at := 0.0, -1
	for i := range in {
		same, all := 0, total
		for j := range min(len(want), len(in)-i) {
			same += common(counts[j], bags[i+j])
			all += size(bags[i+j])
		}
		if all > 0 && 2*float64(same)/float64(all) > best {
			best, at = 2*float64(same)/float64(all), i
		}
	}
	if best < leastNear {
		return &NotFoundError{}
	}
	source := strings.Split(formOf(text, lineEnds).text, "\n")
	return &NotFoundError{Line: at + 1, Text: strings.Join(source[at:min(at+len(want), len(in))], "\n")}
}

// plainLines are the lines of a text without what makes no difference.
func plainLines(text string) []string {
	return slices.Collect(strings.SplitSeq(strings.ToLower(formOf(text, canonical).text), "\n"))
}

// bag is the words of a line, and how often it has each.
func bag(line string) map[string]int {
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

func size(bag map[string]int) (n int) {
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

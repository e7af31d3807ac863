package vault

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ibid/vault/md"
)

// Text is the content of a note (or another text file) at one moment.
type Text struct {
	Note    *Note     // parsed from exactly this content, with its line numbers
	Content string    // LF, valid UTF-8, no byte order mark
	ModTime time.Time // of the file when the bytes were read
	Size    int64     // bytes on disk
}

// Lines returns lines from..to of the content, from 1 and inclusive, without the end of the last line. Lines
// outside of the text are left out.
func (t *Text) Lines(from, to int) string {
	lines := strings.Split(t.Content, "\n")
	lines = lines[:max(min(to, len(lines)), 0)]
	return strings.Join(lines[min(max(from-1, 0), len(lines)):], "\n")
}

// Section returns the lines that a subpath names, from 1 and inclusive: "L10" or "L10-L20"; "^id", a block; or
// a heading, with everything below it up to the next heading of its level. "Heading#Sub" is a heading inside
// another one. Headings are compared ignoring case, punctuation and repeated spaces, block ids ignoring case.
// ok is false if the text has no such place.
func (t *Text) Section(subpath string) (start, end int, ok bool) {
	subpath = strings.Trim(strings.TrimSpace(subpath), "#")
	last := lastLineNumber(t.Content)
	if id, ok := strings.CutPrefix(subpath, "^"); ok {
		for _, b := range t.Note.Blocks() {
			if strings.EqualFold(b.ID, id) {
				return b.Start, max(b.End, headingEnd(t.Note.Headings, b.Start, last)), true
			}
		}
		return 0, 0, false
	}
	if start, end, ok := LineRange(subpath); ok {
		return start, min(end, last), start <= last
	}
	return section(t.Note.Headings, strings.Split(subpath, "#"), 1, last)
}

// section finds the nested headings names in lines from..to.
func section(headings []Heading, names []string, from, to int) (start, end int, ok bool) {
	want := plainHeading(names[0])
	if want == "" {
		return 0, 0, false
	}
	for i, h := range headings {
		if h.Line < from || h.Line > to || !h.isNamed(want) {
			continue
		}
		end := sectionEnd(headings, i, to)
		if len(names) == 1 {
			return h.Line, end, true
		}
		if start, end, ok := section(headings[i+1:], names[1:], h.Line+1, end); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// isNamed reports whether a plain name is that of the heading, with or without the block id at its end.
func (h Heading) isNamed(name string) bool {
	if plainHeading(h.Text) == name {
		return true
	}
	_, text, hasID := md.BlockID(h.Text)
	return hasID && plainHeading(text) == name
}

// sectionEnd returns the last line of the section of heading i, at most to.
func sectionEnd(headings []Heading, i, to int) int {
	for _, next := range headings[i+1:] {
		if next.Level <= headings[i].Level {
			return min(to, next.Line-1)
		}
	}
	return to
}

// headingEnd returns the last line of the section whose heading is in a line, 0 if there is none: the block of a
// heading is its section.
func headingEnd(headings []Heading, line, to int) int {
	for i, h := range headings {
		if h.Line == line {
			return sectionEnd(headings, i, to)
		}
	}
	return 0
}

// plainHeading returns a heading in the form in which links are compared with it.
func plainHeading(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
	return fold(md.OneLine(s))
}

// lineNumbers matches a subpath that names lines.
var lineNumbers = regexp.MustCompile(`^L([0-9]+)(?:-L?([0-9]+))?$`)

// LineRange parses "L10" or "L10-L20" ("L10-20" too).
func LineRange(s string) (start, end int, ok bool) {
	m := lineNumbers.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, false
	}
	start, err := strconv.Atoi(m[1])
	end, err2 := strconv.Atoi(cmp.Or(m[2], m[1]))
	return start, end, err == nil && err2 == nil && 0 < start && start <= end
}

// lastLineNumber returns the number of the last line of text, at least 1.
func lastLineNumber(text string) int {
	return max(1, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1)
}

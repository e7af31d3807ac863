package md

import (
	"regexp"
	"strings"
)

var footnote = regexp.MustCompile(`\[\^[^\s\[\]]+\]`)

// WithoutFootnotes removes the marks of footnotes, which could be mistaken for numbers of sources where a text
// is quoted. The text of a footnote stays, after its colon, and so does code.
func WithoutFootnotes(text string) string {
	if !strings.Contains(text, "[^") {
		return text
	}
	var fences Fences
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if fences.Line(line) || !strings.Contains(line, "[^") {
			continue
		}
		var b strings.Builder
		var spans CodeSpans
		for rest := line; rest != ""; {
			switch at := strings.IndexAny(rest, "`["); {
			case at < 0:
				b.WriteString(rest)
				rest = ""
			case rest[at] == '`':
				n := at + spans.Len(rest[at:])
				b.WriteString(rest[:n])
				rest = rest[n:]
			default:
				b.WriteString(rest[:at])
				mark := footnote.FindStringIndex(rest[at:])
				n := 0
				if mark != nil && mark[0] == 0 {
					n = mark[1]
				} else {
					b.WriteByte('[')
					n = 1
				}
				rest = rest[at+n:]
			}
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

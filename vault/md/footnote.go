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
			plain, _, _ := strings.Cut(rest, "`")
			b.WriteString(footnote.ReplaceAllString(plain, ""))
			rest = rest[len(plain):]
			n := spans.Len(rest)
			b.WriteString(rest[:n])
			rest = rest[n:]
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

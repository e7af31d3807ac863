package diff

import (
	"strings"

	"ibid/ui/theme"
	"ibid/vault/edit"
)

// Text returns a unified diff for a person who must agree to it, with lines in the form of
// [theme.ShowHidden]. A single line replaces many blank lines in a row and gives their number.
func Text(unified string) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(unified, "\n"), "\n")
	for len(lines) > 0 {
		l := lines[0]
		n, said := fold(len(lines), func(i int) bool {
			return lines[i] != "" && lines[i][0] == l[0] && strings.TrimSpace(lines[i][1:]) == ""
		})
		if said != "" {
			l = l[:1] + said
		}
		b.WriteString(theme.ShowHidden(l) + "\n")
		lines = lines[n:]
	}
	return b.String()
}

// foldBlankLines replaces many blank lines in a row by one.
func foldBlankLines(lines []edit.Line) (out []edit.Line) {
	for len(lines) > 0 {
		l := lines[0]
		n, said := fold(len(lines), func(i int) bool {
			return lines[i].Kind == l.Kind && strings.TrimSpace(lines[i].Text) == ""
		})
		if said != "" {
			l.Text, l.Parts, l.NoEnd = said, nil, lines[n-1].NoEnd
		}
		out = append(out, l)
		lines = lines[n:]
	}
	return out
}

// maxBlank is the largest number of blank lines in a row that are shown.
const maxBlank = 3

// fold returns how many of n lines, from the first on, are shown as one line, and the text of that
// line; "" for the line itself.
func fold(n int, blank func(i int) bool) (lines int, said string) {
	for lines < n && blank(lines) {
		lines++
	}
	if lines <= maxBlank {
		return 1, ""
	}
	return lines, "⋯ " + theme.Plural(lines, "blank line")
}

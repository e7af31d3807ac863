package diff

import (
	"strings"

	"ibid/ui/theme"
	"ibid/vault/edit"
)

// Text is a unified diff for a person who is to agree to it, as [theme.ShowHidden] draws its
// lines; for many blank lines in a row one stands that says how many.
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

// foldBlankLines is lines of a hunk, with one in place of many blank ones in a row.
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

// mostBlank is how many blank lines in a row are shown as they are.
const mostBlank = 3

// fold is how many of n lines, from the first on, are shown as one, and what that says;
// "" is a line as it is.
func fold(n int, blank func(i int) bool) (lines int, said string) {
	for lines < n && blank(lines) {
		lines++
	}
	if lines <= mostBlank {
		return 1, ""
	}
	return lines, "⋯ " + theme.Plural(lines, "blank line")
}

package diff

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
	"ibid/vault/edit"
)

// cell is a character of a line.
type cell struct {
	text    string
	width   int
	changed bool
}

// cells returns the characters of a line, all of them visible. A tab becomes a sign and spaces, so that
// it differs from spaces.
func cells(l *edit.Line, tab string) (out []cell) {
	parts := l.Parts
	if parts == nil {
		parts = []edit.Part{{Text: l.Text}}
	}
	var text strings.Builder
	ends := make([]int, len(parts)) // of the parts in text
	for i, part := range parts {
		text.WriteString(strings.ReplaceAll(theme.ShowHidden(part.Text), "\t", tab))
		ends[i] = text.Len()
	}
	part, at := 0, 0
	for rest := text.String(); rest != ""; {
		c, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		for ends[part] <= at {
			part++
		}
		rest, at = rest[len(c):], at+len(c)
		if w == 0 || len(out) == 0 && theme.Joins(c) { // it would join the character on its left
			c = "◌" + c
			w = ansi.StringWidth(c)
		}
		out = append(out, cell{c, w, parts[part].Changed})
	}
	return out
}

// wrap breaks a line into rows of at most w columns, after a space if possible. It drops nothing, and
// returns at least one row.
func wrap(line []cell, w int) (rows [][]cell) {
	for {
		used, n, blank := 0, 0, 0
		for n < len(line) && used+line[n].width <= w {
			used += line[n].width
			if n++; line[n-1].text == " " {
				blank = n
			}
		}
		switch {
		case n == len(line):
			return append(rows, line)
		case blank > n/2:
			n = blank
		case n == 0: // wider than the column
			n = 1
			line[0] = cell{"…", 1, line[0].changed}
		}
		rows, line = append(rows, line[:n]), line[n:]
	}
}

// paint draws a row: changed characters in the ink changed, the others in plain.
func paint(row []cell, plain, changed theme.Ink) string {
	var b, run strings.Builder
	for i, c := range row {
		run.WriteString(c.text)
		if i+1 < len(row) && row[i+1].changed == c.changed {
			continue
		}
		ink := plain
		if c.changed {
			ink = changed
		}
		b.WriteString(ink.Render(run.String()))
		run.Reset()
	}
	return b.String()
}

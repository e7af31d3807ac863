package md

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Columns returns a line for each row of cells, with two blanks between the columns, whose cells stand at their left or
// right side. The last cell of each row is as wide as its text.
func Columns(rows [][]string, right bool) []string {
	var b strings.Builder
	align := uint(0)
	if right {
		align = tabwriter.AlignRight
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', align)
	for _, cells := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) // in memory, so it cannot fail
	}
	_ = w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines[:len(rows)]
}

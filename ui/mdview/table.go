package mdview

import (
	"strings"

	"charm.land/lipgloss/v2"
	lgtable "charm.land/lipgloss/v2/table"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// minColumn is how many cells a column needs to be worth drawing, borders
// included. Narrower tables are shown one row after the other.
const minColumn = 8

// table is a table with its cells rendered.
type table struct {
	header []string
	rows   [][]string
	align  []lipgloss.Position
	width  int // of the whole, when nothing wraps
}

func (r *Renderer) table(n *east.Table, p *page) box {
	t := &table{}
	for _, a := range n.Alignments {
		pos := lipgloss.Left
		switch a {
		case east.AlignRight:
			pos = lipgloss.Right
		case east.AlignCenter:
			pos = lipgloss.Center
		}
		t.align = append(t.align, pos)
	}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := r.cells(row, p, len(t.align))
		if row.Kind() == east.KindTableHeader {
			t.header = cells
		} else {
			t.rows = append(t.rows, cells)
		}
	}
	t.width = 1
	for i := range t.align {
		w := lipgloss.Width(t.header[i])
		for _, row := range t.rows {
			w = max(w, lipgloss.Width(row[i]))
		}
		t.width += w + 3
	}
	return box{kind: tableBox, table: t}
}

// cells renders a row, filled up to n cells.
func (r *Renderer) cells(row ast.Node, p *page, n int) []string {
	out := make([]string, 0, n)
	for c := row.FirstChild(); c != nil && len(out) < n; c = c.NextSibling() {
		out = append(out, r.inline(c, p))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

// layoutTable draws t within width cells: as wide as it needs, wrapped if it must,
// and as a list of rows if the columns would be too narrow to read.
func (r *Renderer) layoutTable(t *table, width int) []string {
	if t.width > width && len(t.align)*minColumn+1 > width {
		return r.layoutRows(t, width)
	}
	border := lipgloss.NormalBorder()
	if r.theme.Options.ASCII {
		border = lipgloss.ASCIIBorder()
	}
	lt := lgtable.New().Border(border).BorderStyle(r.theme.Styles.Border).
		Headers(t.header...).Rows(t.rows...).
		StyleFunc(func(row, col int) lipgloss.Style {
			st := lipgloss.NewStyle().Padding(0, 1).Align(t.align[col])
			if row == lgtable.HeaderRow {
				return st.Bold(true)
			}
			return st
		})
	if t.width > width {
		lt = lt.Width(width)
	}
	return strings.Split(lt.String(), "\n")
}

// layoutRows draws every row as "header: cell" lines.
func (r *Renderer) layoutRows(t *table, width int) []string {
	var out []string
	rows := t.rows
	if len(rows) == 0 {
		rows = [][]string{make([]string, len(t.header))}
	}
	for i, row := range rows {
		if i > 0 {
			out = append(out, r.theme.Styles.Border.Render(strings.Repeat(r.theme.Glyphs.RuleFaint, width)))
		}
		for c, cell := range row {
			out = append(out, wrapText(r.theme.Styles.Strong.Render(t.header[c])+": "+cell, width)...)
		}
	}
	return out
}

package mdview

import (
	"bytes"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"ibid/ui/theme"
)

// minCell is the least width of a column that is worth drawing. The rows of narrower tables are
// text.
const minCell = 4

// wholeWord is the width of a word that is never broken in a cell.
const wholeWord = 10

// table is a table with its cells rendered.
type table struct {
	rows  [][]string // the first is the header
	align []east.Alignment
	width []int // of each column, when nothing wraps
	word  []int // of the widest word in each column
}

// table returns the box of a table.
func (r *Renderer) table(n *east.Table, p *page) box {
	t := &table{align: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([]string, len(t.align))
		i := 0
		whole, at := r.withCode(row, p, len(cells))
		for c := whole.FirstChild(); c != nil && i < len(cells); c = c.NextSibling() {
			cells[i] = r.inline(c, at)
			if row.Kind() == east.KindTableHeader {
				cells[i] = r.theme.Styles.Strong.Over(cells[i])
			}
			i++
		}
		t.rows = append(t.rows, cells)
	}
	t.measure()
	return box{kind: tableBox, table: t}
}

// withCode returns a row of a table again if bars in its code have cut it into more cells than the table has columns,
// and a page with its text; else the row as it is. Models write such code without the backslashes that GitHub's
// markdown asks for, and what stands after the last column would not be shown.
func (r *Renderer) withCode(row ast.Node, p *page, columns int) (ast.Node, *page) {
	first, ok := row.FirstChild().(*east.TableCell)
	if !ok || first.Lines().Len() == 0 {
		return row, p
	}
	start := lineStart(p.src, first.Lines().At(0).Start)
	line, _, _ := bytes.Cut(p.src[start:], []byte("\n"))
	escaped := escapeCodeBars(string(line))
	if len(escaped) == len(line) {
		return row, p
	}
	again := &page{base: p.base, refs: p.refs, links: p.links, whole: p.whole}
	text := strings.Repeat("|h", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + strings.TrimLeft(escaped, "> \t")
	table, ok := r.parse([]byte(text), again).FirstChild().(*east.Table)
	if !ok || table.LastChild().Kind() != east.KindTableRow {
		return row, p
	}
	return table.LastChild(), again
}

// escapeCodeBars returns a row of a table with a backslash before each bar in its code that has none.
func escapeCodeBars(line string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return b.String() + line
		}
		rest := strings.TrimLeft(line[at:], "`")
		mark := line[at : len(line)-len(rest)]
		code, after, isClosed := strings.Cut(rest, mark)
		b.WriteString(line[:at] + mark)
		if !isClosed {
			return b.String() + rest
		}
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(code, `\|`, "|"), "|", `\|`) + mark)
		line = after
	}
}

// measure computes the widths of the columns.
func (t *table) measure() {
	t.width, t.word = make([]int, len(t.align)), make([]int, len(t.align))
	for _, cells := range t.rows {
		for i, cell := range cells {
			t.width[i] = max(t.width[i], lipgloss.Width(cell))
			for word := range strings.FieldsFuncSeq(cell, canBreak) {
				t.word[i] = max(t.word[i], ansi.StringWidth(word))
			}
		}
	}
}

// canBreak reports whether a line may break beside a character: a space, or a character of a script
// without spaces.
func canBreak(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// fit returns the widths of the columns of a table of width cells, borders included. The widest columns
// shrink first, as long as their words stay whole; then long words are broken. It reports false if
// there is still too little room.
func (t *table) fit(width int) ([]int, bool) {
	room := width - 3*len(t.width) - 1
	out := make([]int, len(t.width))
	sum := 0
	for i, w := range t.width {
		out[i] = max(1, min(w, room))
		sum += out[i]
	}
	for most := room; sum > room; { // width of a word that stays whole
		widest := -1
		for i, w := range out {
			if w > min(t.word[i], most) && (widest < 0 || w > out[widest]) {
				widest = i
			}
		}
		switch {
		case widest >= 0 && out[widest] > minCell:
			out[widest]--
			sum--
		case most == wholeWord:
			return nil, false
		default:
			most = wholeWord
		}
	}
	return out, true
}

// layoutTable draws t within width cells: as wide as it needs, wrapped if necessary, and as rows of
// text if the columns would be too narrow to read.
func (r *Renderer) layoutTable(t *table, width int) []string {
	widths, ok := t.fit(width)
	if !ok {
		var out []string
		for _, cells := range t.rows {
			out = append(out, wrapText(strings.Join(cells, " | "), width)...)
		}
		return out
	}
	b := lipgloss.NormalBorder()
	if r.theme.Options.ASCII {
		b = lipgloss.ASCIIBorder()
	}
	rule := func(left, middle, right string) string {
		var parts []string
		for _, w := range widths {
			parts = append(parts, strings.Repeat(b.Top, w+2))
		}
		return r.theme.Styles.Border.Render(left + strings.Join(parts, middle) + right)
	}
	out := []string{frameMark + rule(b.TopLeft, b.MiddleTop, b.TopRight)}
	bar := r.theme.Styles.Border.Render(b.Left)
	for i, row := range t.rows {
		if i == 1 {
			out = append(out, tableMark+rule(b.MiddleLeft, b.Middle, b.MiddleRight))
		}
		out = append(out, t.row(row, widths, bar)...)
	}
	return append(out, frameMark+rule(b.BottomLeft, b.MiddleBottom, b.BottomRight))
}

// row draws one row with as many lines as its highest cell.
func (t *table) row(cells []string, widths []int, bar string) []string {
	wrapped := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		wrapped[i] = wrapText(c, widths[i])
		height = max(height, len(wrapped[i]))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		for i := range cells {
			text := ""
			if y < len(wrapped[i]) {
				// A wide character in a narrow cell.
				text = ansi.Truncate(theme.StripMarks(wrapped[i][y]), widths[i], "")
			}
			pad := max(widths[i]-ansi.StringWidth(text), 0)
			left := 0
			switch t.align[i] {
			case east.AlignRight:
				left = pad
			case east.AlignCenter:
				left = pad / 2
			}
			b.WriteString(bar + strings.Repeat(" ", left+1) + text + strings.Repeat(" ", pad-left+1))
		}
		out[y] = tableMark + b.String() + bar
	}
	return out
}

package mdview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// minTextWidth is the least width of a text column; a text is not indented further than that allows.
const minTextWidth = 6

// Marks in lines: foldMark in the first line of a callout that can be folded, codeMark before a line of
// code, barMark behind the bar of a quote, tableMark before a line of a table, and frameMark in a line that is only
// drawn around text. Terminals never get them, see theme.StripMarks, and foreign text cannot contain them.
const (
	foldMark  = "\x1d"
	codeMark  = "\x1c"
	barMark   = "\x17"
	tableMark = "\x16"
	frameMark = "\x19"
)

// IsFrame reports whether a line has no text of its own, but is a border or label.
func IsFrame(line string) bool { return strings.Contains(line, frameMark) }

// layout lays out boxes.
type layout struct {
	*Renderer
	scroll  bool         // long lines of code stay one line
	beside  int          // columns beside the text that code and tables may use
	lazy    bool         // code is plain until it is visible
	flipped map[int]bool // callouts whose state differs from the source, by offset
}

// linesOf returns the lines of b. None is wider than width cells, except lines that scroll.
func (l *layout) linesOf(b box, width int) []string {
	lines := l.lines(b, width)
	for i, line := range lines {
		if len(line) > width && !strings.Contains(line, codeMark) {
			lines[i] = ansi.Truncate(line, width+l.beside, l.theme.Glyphs.Ellipsis)
		}
	}
	return lines
}

// lines returns the lines of b before they are clipped.
func (l *layout) lines(b box, width int) []string {
	switch b.kind {
	case noBox:
		return nil
	case pictureBox:
		return b.picture.Lines(width)
	case codeBox:
		var out []string
		if b.head != "" {
			out = []string{l.padding() + codeMark + frameMark + ansi.Truncate(b.head, width-3, "")}
		}
		for _, line := range b.lines {
			out = append(out, l.code(line, width)...)
		}
		return out
	case formulaBox:
		pad := strings.Repeat(" ", max(width-widestLine(b.lines), 0)/2)
		var out []string
		for _, line := range b.lines {
			out = append(out, prefixLines(carryStyles(theme.WrapCode(line, width)), pad, pad)...)
		}
		return out
	case rawBox:
		var out []string
		for _, line := range b.lines {
			out = append(out, wrapText(line, width)...)
		}
		return out
	case ruleBox:
		if side := strings.Repeat(l.theme.Glyphs.Rule, 2); b.text != "" {
			return []string{l.theme.Styles.Muted.Render(side + " " + b.text + " " + side)}
		}
		return []string{l.theme.Styles.Border.Render(strings.Repeat(l.theme.Glyphs.Rule, width))}
	case tableBox:
		return l.layoutTable(b.table, width+l.beside)
	case quoteBox:
		return l.quoted(b, width)
	case itemBox:
		w := ansi.StringWidth(b.firstPrefix)
		inner, pad := indent(width, w, strings.Repeat(" ", w))
		if inner == width { // too deep to indent: the lead starts the first line
			return l.stack(append([]box{{kind: textBox, text: strings.TrimSpace(b.firstPrefix)}}, b.kids...), width)
		}
		kids := l.stack(b.kids, inner)
		if len(kids) == 0 {
			kids = []string{""}
		}
		return prefixLines(kids, b.firstPrefix, pad)
	case listBox:
		return l.stack(b.kids, width)
	default:
		out := wrapText(b.text, width)
		if b.underline != "" {
			out = append(out, frameMark+l.theme.Styles.Border.Render(strings.Repeat(b.underline, widestLine(out))))
		}
		return out
	}
}

func widestLine(lines []string) (n int) {
	for _, line := range lines {
		n = max(n, ansi.StringWidth(line))
	}
	return n
}

// quoted returns the lines of a quote or a callout beside its bar.
func (l *layout) quoted(b box, width int) []string {
	inner, bar := indent(width, ansi.StringWidth(b.linePrefix), b.linePrefix)
	out := prefixLines(l.head(b, inner), bar, bar)
	if l.folded(b) {
		return out
	}
	return append(out, prefixLines(l.stack(b.kids, inner), bar, bar)...)
}

// head returns the first lines of a callout, nil for a quote.
func (l *layout) head(b box, width int) []string {
	head := b.head
	if head == "" {
		return nil
	}
	if b.fold.on {
		sign := l.theme.Glyphs.Unfolded
		if l.folded(b) {
			sign = l.theme.Glyphs.Folded
		}
		head = foldMark + l.theme.Styles.Muted.Render(sign) + " " + head
	}
	return wrapText(head, width)
}

// folded reports whether only the head of a callout is shown.
func (l *layout) folded(b box) bool { return b.fold.on && b.fold.folded != l.flipped[b.fold.at] }

// callouts yields the visible callouts in b that can be folded, in order.
func (l *layout) callouts(b box, yield func(box)) {
	if b.fold.on {
		yield(b)
	}
	if l.folded(b) {
		return
	}
	for _, kid := range b.kids {
		l.callouts(kid, yield)
	}
}

// stack lays out boxes below each other. There is no blank line between a text and its list, nor
// between short items.
func (l *layout) stack(kids []box, width int) []string {
	var out []string
	for i, k := range kids {
		if i > 0 && !isTight(kids[i-1], k) {
			out = append(out, "")
		}
		out = append(out, l.lines(k, width)...)
	}
	return out
}

// isTight reports whether there is no blank line between two boxes.
func isTight(above, b box) bool {
	return b.kind == pictureBox && above.kind != pictureBox || b.kind == listBox && above.kind == textBox ||
		b.kind == itemBox && !above.needsBlank()
}

// code lays out a styled line of code. It stays one line if lines scroll, else it wraps at any
// character, so that every column stays in place.
func (l *layout) code(line string, width int) []string {
	lead := l.padding() + codeMark
	if width += l.beside - ansi.StringWidth(lead) - 1; l.scroll || len(line) <= width {
		return []string{lead + line}
	}
	return prefixLines(carryStyles(theme.WrapCode(line, max(width, 1))), lead, lead)
}

// padding returns the prefix of code: the surface begins with its last column.
func (l *layout) padding() string {
	if l.theme.Styles.Surface == (theme.Ink{}) {
		return l.theme.Styles.Border.Render(l.theme.Glyphs.Code) + " "
	}
	return " "
}

// indent returns the width beside a prefix of n cells, and the prefix. Without room for both, the
// prefix is "".
func indent(width, n int, prefix string) (int, string) {
	if width-n < minTextWidth {
		return width, ""
	}
	return width - n, prefix
}

func prefixLines(lines []string, first, rest string) []string {
	for i, l := range lines {
		switch {
		case i == 0:
			lines[i] = first + l
		case l == "" && strings.TrimSpace(rest) == "":
		default:
			lines[i] = rest + l
		}
	}
	return lines
}

// wrapText wraps styled text at words, and inside words that do not fit.
func wrapText(s string, width int) []string {
	return carryStyles(theme.Wrap(expandTabs(s), width))
}

// carryStyles ends each line's styles and links at its end and repeats them on the next one. It handles the
// sequences that this package's styles produce: SGR, with a bare or zero one as the reset, and OSC 8.
func carryStyles(lines []string) []string {
	style, link := "", ""
	for i, l := range lines {
		open := link + style
		style, link = pen(l, style, link)
		if open == "" && style == "" && link == "" {
			continue
		}
		l = open + l
		if style != "" {
			l += ansi.ResetStyle
		}
		if link != "" {
			l += ansi.ResetHyperlink()
		}
		lines[i] = l
	}
	return lines
}

// pen returns the style and link that are active at the end of l.
func pen(l, style, link string) (string, string) {
	for {
		i := strings.IndexByte(l, ansi.ESC)
		if i < 0 || i+1 >= len(l) {
			return style, link
		}
		l = l[i:]
		switch l[1] {
		case '[':
			end := strings.IndexByte(l, 'm')
			if end < 0 {
				return style, link
			}
			if seq := l[:end+1]; seq == "\x1b[m" || seq == "\x1b[0m" {
				style = ""
			} else {
				style += seq
			}
			l = l[end+1:]
		case ']':
			end := strings.IndexByte(l, ansi.BEL)
			if end < 0 {
				return style, link
			}
			if link = l[:end+1]; link == ansi.ResetHyperlink() {
				link = ""
			}
			l = l[end+1:]
		default:
			l = l[1:]
		}
	}
}

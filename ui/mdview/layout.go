package mdview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// minText is the narrowest column text is put into; what is indented more than
// that leaves is not indented any further.
const minText = 6

// layout returns the lines of b, none wider than width cells.
func (r *Renderer) layout(b box, width int) []string {
	lines := r.lines(b, width)
	for i, l := range lines {
		if ansi.StringWidth(l) > width {
			lines[i] = ansi.Truncate(l, width, r.theme.Glyphs.Ellipsis)
		}
	}
	return lines
}

func (r *Renderer) lines(b box, width int) []string {
	switch b.kind {
	case codeBox:
		var out []string
		for _, l := range b.lines {
			out = append(out, wrapCode(l, width)...)
		}
		return out
	case ruleBox:
		return []string{r.theme.Styles.Border.Render(strings.Repeat(r.theme.Glyphs.Rule, width))}
	case tableBox:
		return r.layoutTable(b.table, width)
	case quoteBox:
		inner, bar := indent(width, ansi.StringWidth(b.bar), b.bar)
		var out []string
		if b.head != "" {
			out = prefixed(wrapText(b.head, inner), bar, bar)
		}
		return append(out, prefixed(r.stack(b.kids, inner), bar, bar)...)
	case itemBox:
		w := ansi.StringWidth(b.lead)
		inner, pad := indent(width, w, strings.Repeat(" ", w))
		if inner == width { // too deep to indent: the lead takes the first line's start
			return r.stack(append([]box{{kind: textBox, text: strings.TrimSpace(b.lead)}}, b.kids...), width)
		}
		kids := r.stack(b.kids, inner)
		if len(kids) == 0 {
			kids = []string{""}
		}
		return prefixed(kids, b.lead, pad)
	case listBox:
		return r.stack(b.kids, width)
	default:
		return wrapText(b.text, width)
	}
}

// stack lays boxes out below each other. A list follows its text, and short
// items each other, without a blank line.
func (r *Renderer) stack(kids []box, width int) []string {
	var out []string
	for i, k := range kids {
		if i > 0 {
			prev := kids[i-1]
			tight := k.kind == listBox && prev.kind == textBox || k.kind == itemBox && !prev.tall()
			if !tight {
				out = append(out, "")
			}
		}
		out = append(out, r.lines(k, width)...)
	}
	return out
}

// indent returns the width that remains beside a prefix of n cells, and the
// prefix; without room for both, the prefix goes.
func indent(width, n int, prefix string) (int, string) {
	if width-n < minText {
		return width, ""
	}
	return width - n, prefix
}

func prefixed(lines []string, first, rest string) []string {
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

// wrapText wraps styled text at words, and within words that do not fit.
func wrapText(s string, width int) []string {
	if strings.Contains(s, "\t") {
		s = strings.ReplaceAll(s, "\t", "    ")
	}
	return carry(theme.Wrap(s, width))
}

// wrapCode wraps a styled line anywhere, so that every column stays in place.
func wrapCode(s string, width int) []string {
	if len(s) <= width {
		return []string{s}
	}
	return carry(theme.WrapCode(s, width))
}

// carry ends each line's styles and links at its end and takes them up on the
// next one. It knows the sequences that this package's styles produce: SGR, with
// a bare or zero one as the reset, and OSC 8.
func carry(lines []string) []string {
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

// pen returns the style and link that are in force at the end of l.
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

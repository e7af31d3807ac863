package theme

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Ink is a style as the bytes before and after its text, which is at most one line. Every row of every
// frame is painted, and lipgloss computes a style again for each piece and underlines rune by rune,
// which would separate clusters.
type Ink struct{ on, off string }

// InkOf returns the ink of a style.
func InkOf(st lipgloss.Style) Ink {
	on, off, _ := strings.Cut(st.Render("x"), "x")
	return Ink{on, off}
}

func (k Ink) write(b *strings.Builder, s string) {
	b.WriteString(k.on)
	b.WriteString(s)
	b.WriteString(k.off)
}

// Render returns s in this ink.
func (k Ink) Render(s string) string {
	if s == "" {
		return ""
	}
	return k.on + s + k.off
}

// Over returns s, which may have styles of its own, in this ink.
func (k Ink) Over(s string) string {
	return k.Render(strings.ReplaceAll(s, ansi.ResetStyle, ansi.ResetStyle+k.on))
}

// Line is a row that is being drawn. It counts the columns that are left, so that the row always has
// its exact width.
type Line struct {
	Left int    // columns that are not drawn yet
	Tail string // text at a place where something was clipped

	b strings.Builder
}

// Line begins a row of w columns.
func (t *Theme) Line(w int) *Line { return &Line{Left: max(w, 0), Tail: t.Glyphs.Ellipsis} }

// Words returns a row of w columns with one text.
func (t *Theme) Words(w int, k Ink, s string) string {
	ln := t.Line(w)
	ln.Put(k, s)
	return ln.End()
}

// Hanging returns foreign text after a sign, in rows of at most w columns as made by Wrap; further rows
// are indented.
func (t *Theme) Hanging(k Ink, sign, text string, w int) []string {
	text = strings.TrimRight(strings.ReplaceAll(Sanitize(text), "\t", "    "), "\n ")
	if text == "" {
		return nil
	}
	lead, indent := k.Render(sign), ansi.StringWidth(sign)
	rows := Wrap(text, max(w-indent, 1))
	for i, row := range rows {
		rows[i] = lead + k.Render(row)
		lead = strings.Repeat(" ", indent)
	}
	return rows
}

// SafeLine returns foreign text for one line. A combining mark at its start gets a base of its own, so
// that it cannot join, and widen, the character on its left.
func SafeLine(s string) string {
	s = OneLine(s)
	if Joins(s) {
		s = "◌" + s
	}
	return s
}

// Joins reports whether s, put after a character, would become part of it.
func Joins(s string) bool {
	if r, _ := utf8.DecodeRuneInString(s); r < 0x300 || r >= 0x3400 && r < 0xa000 || r >= 0xac00 && r < 0xd7a4 {
		return false // the scripts of most text
	}
	first, _ := ansi.FirstGraphemeCluster(" "+s, ansi.GraphemeWidth)
	return first != " "
}

// Put draws s, made safe for one line and clipped to the columns left.
func (l *Line) Put(k Ink, s string) {
	if l.Left <= 0 || s == "" {
		return
	}
	s = Cut(SafeLine(s), l.Left, l.Tail)
	l.Left -= ansi.StringWidth(s)
	k.write(&l.b, s)
}

// Raw draws a text that is ready to be shown and takes w columns.
func (l *Line) Raw(k Ink, s string, w int) {
	k.write(&l.b, s)
	l.Left -= w
}

// Skip leaves n columns blank.
func (l *Line) Skip(k Ink, n int) {
	if n = min(n, l.Left); n > 0 {
		k.write(&l.b, strings.Repeat(" ", n))
		l.Left -= n
	}
}

// AtRight draws s at the right end, one column from it, if there is room. It reports whether there was.
func (l *Line) AtRight(k Ink, s string) bool {
	s = SafeLine(s)
	n := l.Left - ansi.StringWidth(s) - 1
	if n > 0 {
		l.Skip(Ink{}, n)
		l.Put(k, s)
	}
	return n > 0
}

// Column draws s in exactly w columns, at their right end if right is true.
func (l *Line) Column(k Ink, s string, w int, right bool) {
	w = min(w, l.Left)
	s = Cut(SafeLine(s), w, l.Tail)
	used := ansi.StringWidth(s)
	if right {
		l.Skip(k, w-used)
	}
	l.Raw(k, s, used)
	if !right {
		l.Skip(k, w-used)
	}
}

// End returns the row; what is left of it is blank.
func (l *Line) End() string { return l.Done(Ink{}) }

// Done fills up the row and returns it.
func (l *Line) Done(k Ink) string {
	l.Skip(k, l.Left)
	return l.b.String()
}

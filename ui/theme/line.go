package theme

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Ink is a style as the bytes before and after what it paints, which is one line
// at most. Every row of every frame is painted, and lipgloss works a style out
// again for each piece and underlines rune by rune, which would take clusters
// apart.
type Ink struct{ on, off string }

// InkOf is the ink of a style.
func InkOf(st lipgloss.Style) Ink {
	on, off, _ := strings.Cut(st.Render("x"), "x")
	return Ink{on, off}
}

func (k Ink) write(b *strings.Builder, s string) {
	b.WriteString(k.on)
	b.WriteString(s)
	b.WriteString(k.off)
}

// Render is s in this ink.
func (k Ink) Render(s string) string {
	if s == "" {
		return ""
	}
	return k.on + s + k.off
}

// Over is s, which may have styles of its own, in this ink.
func (k Ink) Over(s string) string {
	return k.Render(strings.ReplaceAll(s, ansi.ResetStyle, ansi.ResetStyle+k.on))
}

// Line is a row that is being drawn. It knows how many columns are left, so
// that it always comes out at its exact width.
type Line struct {
	Left int    // columns that are not drawn yet
	Tail string // what stands where something was cut off

	theme *Theme
	b     strings.Builder
}

// Line begins a row of w columns.
func (t *Theme) Line(w int) *Line { return &Line{Left: max(w, 0), Tail: t.Glyphs.Ellipsis, theme: t} }

// Words is a row of w columns that says one thing.
func (t *Theme) Words(w int, k Ink, s string) string {
	ln := t.Line(w)
	ln.Put(k, s)
	return ln.Done(Ink{})
}

// Hanging is foreign text behind a sign, in rows of at most w columns as Wrap makes
// them; the further ones stand below the first.
func (t *Theme) Hanging(k Ink, sign, text string, w int) []string {
	text = strings.TrimRight(strings.ReplaceAll(Sanitize(text), "\t", "    "), "\n ")
	if text == "" {
		return nil
	}
	lead, indent := k.Render(sign), ansi.StringWidth(sign)
	rows := Wrap(t.Parted(text), max(w-indent, 1))
	for i, row := range rows {
		rows[i] = lead + k.Render(row)
		lead = strings.Repeat(" ", indent)
	}
	return rows
}

// SafeLine is foreign text for one line. A mark at its start gets a base of its own,
// so that it cannot join, and widen, what stands on its left.
func SafeLine(s string) string {
	s = OneLine(s)
	if Joins(s) {
		s = "◌" + s
	}
	return s
}

// Joins reports whether s, put behind a character, would become part of it.
func Joins(s string) bool {
	if r, _ := utf8.DecodeRuneInString(s); r < 0x300 || r >= 0x3400 && r < 0xa000 || r >= 0xac00 && r < 0xd7a4 {
		return false // the scripts that most text is in
	}
	first, _ := ansi.FirstGraphemeCluster(" "+s, ansi.GraphemeWidth)
	return first != " "
}

// safe is foreign text as the row can measure and cut it for its terminal.
func (l *Line) safe(s string) string {
	s = SafeLine(s)
	if l.theme != nil {
		s = l.theme.Parted(s)
	}
	return s
}

// Put draws s, made safe for one line and cut to what is left.
func (l *Line) Put(k Ink, s string) {
	if l.Left <= 0 || s == "" {
		return
	}
	s = Cut(l.safe(s), l.Left, l.Tail)
	l.Left -= ansi.StringWidth(s)
	k.write(&l.b, s)
}

// Raw draws what is ready to be shown and takes w columns.
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

// AtRight draws s at the right end, one column from it, if there is room. It
// reports whether there was.
func (l *Line) AtRight(k Ink, s string) bool {
	s = l.safe(s)
	n := l.Left - ansi.StringWidth(s) - 1
	if n > 0 {
		l.Skip(Ink{}, n)
		l.Put(k, s)
	}
	return n > 0
}

// Column draws s in exactly w columns, at their right end if right.
func (l *Line) Column(k Ink, s string, w int, right bool) {
	w = min(w, l.Left)
	s = Cut(l.safe(s), w, l.Tail)
	used := ansi.StringWidth(s)
	if right {
		l.Skip(k, w-used)
	}
	l.Raw(k, s, used)
	if !right {
		l.Skip(k, w-used)
	}
}

// Done fills the row up and returns it.
func (l *Line) Done(k Ink) string {
	l.Skip(k, l.Left)
	return l.b.String()
}

package inspector

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// ink is a style as the bytes before and after what it paints. Every row of
// every frame is painted, and lipgloss works a style out anew for each piece and
// underlines rune by rune, which would take clusters apart.
type ink struct{ on, off string }

func inkOf(st lipgloss.Style) ink {
	on, off, _ := strings.Cut(st.Render("x"), "x")
	return ink{on, off}
}

func (k ink) write(b *strings.Builder, s string) {
	b.WriteString(k.on)
	b.WriteString(s)
	b.WriteString(k.off)
}

func (k ink) paint(s string) string { return k.on + s + k.off }

// inks are the styles that the inspector paints with.
type inks struct {
	text, muted, strong, accent, title, rule, border ink
	selected, good, warn, bad                        ink
	cached, fresh, drifted, active                   ink
	added, removed                                   ink // lines of a diff
}

func newInks(st *theme.Styles) inks {
	return inks{
		text: inkOf(st.Text), muted: inkOf(st.Muted), strong: inkOf(st.Strong), accent: inkOf(st.Accent),
		title: inkOf(st.Title), rule: inkOf(st.Border), border: inkOf(st.BorderFocus), selected: inkOf(st.Selected),
		good: inkOf(st.Good), warn: inkOf(st.Warn), bad: inkOf(st.Bad),
		cached: inkOf(st.Context.Cached), fresh: inkOf(st.Context.New), drifted: inkOf(st.Context.Drifted),
		active: inkOf(st.Context.Active), added: inkOf(st.Diff.Add), removed: inkOf(st.Diff.Del),
	}
}

// line is a row that is being drawn. It knows how many columns are left, so
// that it always comes out at its exact width.
type line struct {
	b    strings.Builder
	left int
	tail string
}

// safe is foreign text for one line. A mark at its start gets a base of its own,
// so that it cannot join, and widen, what stands on its left.
func safe(s string) string {
	s = theme.OneLine(s)
	if joins(s) {
		s = "◌" + s
	}
	return s
}

// put draws s, made safe for one line and cut to what is left.
func (l *line) put(st ink, s string) {
	if l.left <= 0 || s == "" {
		return
	}
	s = theme.Cut(safe(s), l.left, l.tail)
	l.left -= ansi.StringWidth(s)
	st.write(&l.b, s)
}

// skip leaves n columns blank.
func (l *line) skip(st ink, n int) {
	if n = min(n, l.left); n > 0 {
		st.write(&l.b, strings.Repeat(" ", n))
		l.left -= n
	}
}

// column draws s in exactly w columns, at their right end if right.
func (l *line) column(st ink, s string, w int, right bool) {
	w = min(w, l.left)
	s = theme.Cut(safe(s), w, l.tail)
	used := ansi.StringWidth(s)
	if right {
		l.skip(st, w-used)
	}
	st.write(&l.b, s)
	l.left -= used
	if !right {
		l.skip(st, w-used)
	}
}

// done fills the row up.
func (l *line) done(st ink) string {
	l.skip(st, l.left)
	return l.b.String()
}

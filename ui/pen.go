package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// pen draws rows of w columns in one look.
type pen struct {
	theme *theme.Theme
	st    *theme.Styles
	g     *theme.Glyphs
	w     int
}

func newPen(t *theme.Theme, w int) pen { return pen{t, &t.Styles, &t.Glyphs, w} }

func width(s string) int { return ansi.StringWidth(s) }

// clip cuts a styled line to w columns.
func clip(s string, w int, tail string) string {
	if width(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(w, 0), tail)
}

// pad fills a styled line up to exactly w columns.
func pad(s string, w int) string {
	n := width(s)
	if n > w {
		return ansi.Truncate(s, max(w, 0), "")
	}
	return s + strings.Repeat(" ", w-n)
}

// dotted is parts of a line with dots between them; empty ones are left out.
func dotted(g *theme.Glyphs, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, isBlank), " "+g.Dot+" ")
}

// text is foreign text for one line, as the terminal draws it.
func (p pen) text(s string) string { return p.theme.Parted(theme.OneLine(s)) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// bar is a line with something at both ends; the right end goes first when there
// is no room for both.
func (p pen) bar(left, right string) string {
	left, right = p.theme.Parted(left), p.theme.Parted(right)
	room := max(p.w-2, 0)
	if right != "" && width(left)+2+width(right) > room {
		left = clip(left, max(room-width(right)-2, room/2), p.g.Ellipsis)
		right = clip(right, max(room-width(left)-2, 0), p.g.Ellipsis)
	}
	left = clip(left, room, p.g.Ellipsis)
	return " " + left + strings.Repeat(" ", max(room-width(left)-width(right), 0)) + right + " "
}

func (p pen) rule() string { return p.st.Border.Render(strings.Repeat(p.g.Rule, p.w)) }

// crossRule is a rule that meets the rules of the rails.
func (p pen) crossRule(f *frame, cross rune) string {
	if f.context.w == 0 || p.g.Rule != "─" {
		return p.rule()
	}
	cells := []rune(strings.Repeat("─", p.w))
	cells[f.context.x-2] = cross
	if f.chats.w > 0 {
		cells[f.chats.w] = cross
	}
	return p.st.Border.Render(string(cells))
}

// keyRow is keys and what they do, those that fit in room columns, the way out before
// others.
func (p pen) keyRow(hints []keys.Hint, room int) string {
	const space = "   "
	wide := func(k keys.Hint) int { return width(k.Key) + 1 + width(k.Does) + len(space) }
	room += len(space)
	for _, k := range hints {
		if k.Key == "esc" {
			room -= wide(k)
		}
	}
	var out strings.Builder
	for _, k := range hints {
		gap := ""
		if out.Len() > 0 {
			gap = space
		}
		if k.Key != "esc" {
			if wide(k) > room {
				continue
			}
			room -= wide(k)
		}
		out.WriteString(gap + p.st.Accent.Render(k.Key) + " " + p.st.Muted.Render(k.Does))
	}
	return out.String()
}

// keyRows is keys and what they do, in as many rows as they take.
func (p pen) keyRows(hints []keys.Hint) (rows []string) {
	for len(hints) > 0 {
		n, used := 0, 0
		for n < len(hints) {
			used += width(hints[n].Key) + 1 + width(hints[n].Does)
			if n > 0 && used > p.w-2 {
				break
			}
			used += len("   ")
			n++
		}
		rows = append(rows, p.bar(p.keyRow(hints[:n], p.w-2), ""))
		hints = hints[n:]
	}
	return rows
}

// message is what there is to say, in as many lines as it takes.
func (p pen) message(s say) []string {
	ink, sign, least := p.st.Good, "", 10
	if s.bad {
		ink, sign, least = p.st.Bad, p.g.Cross+" ", 12
	}
	return p.theme.Hanging(ink, sign, theme.OneLine(s.text), max(p.w-2, least))
}

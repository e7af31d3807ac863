package picker

import "ibid/ui/theme"

// inks are the styles that the picker paints with.
type inks struct {
	text, muted, strong, accent, title  theme.Ink
	rule, border, selected, match, hint theme.Ink
}

func newInks(st *theme.Styles) inks {
	return inks{
		text: theme.InkOf(st.Text), muted: theme.InkOf(st.Muted), strong: theme.InkOf(st.Strong), accent: theme.InkOf(st.Accent),
		title: theme.InkOf(st.Title), rule: theme.InkOf(st.Border), border: theme.InkOf(st.BorderFocus), selected: theme.InkOf(st.Selected),
		match: theme.InkOf(st.Match), hint: theme.InkOf(st.Placeholder),
	}
}

func (m *Model) line(w int) *theme.Line { return theme.NewLine(w, m.theme.Glyphs.Ellipsis) }

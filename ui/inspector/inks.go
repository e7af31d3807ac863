package inspector

import "ibid/ui/theme"

// inks are the styles that the inspector paints with.
type inks struct {
	text, muted, strong, accent, title, rule, border theme.Ink
	selected, good, warn, bad                        theme.Ink
	cached, fresh, drifted, active                   theme.Ink
	added, removed                                   theme.Ink // lines of a diff
}

func newInks(st *theme.Styles) inks {
	return inks{
		text: theme.InkOf(st.Text), muted: theme.InkOf(st.Muted), strong: theme.InkOf(st.Strong), accent: theme.InkOf(st.Accent),
		title: theme.InkOf(st.Title), rule: theme.InkOf(st.Border), border: theme.InkOf(st.BorderFocus), selected: theme.InkOf(st.Selected),
		good: theme.InkOf(st.Good), warn: theme.InkOf(st.Warn), bad: theme.InkOf(st.Bad),
		cached: theme.InkOf(st.Context.Cached), fresh: theme.InkOf(st.Context.New), drifted: theme.InkOf(st.Context.Drifted),
		active: theme.InkOf(st.Context.Active), added: theme.InkOf(st.Diff.Add), removed: theme.InkOf(st.Diff.Del),
	}
}

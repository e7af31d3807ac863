package mdview

import "ibid/ui/theme"

// Render returns the lines of the document md as a whole, none wider than width cells. Tests
// compare a finished View with it.
func (r *Renderer) Render(md string, width int) []string {
	width = clampWidth(width)
	l := layout{Renderer: r}
	var lines []string
	units := r.units([]byte(theme.Sanitize(md)), 0, nil, listState{})
	for i := range units {
		units[i].page.whole = true
		r.build(&units[i])
		r.colour(&units[i].box)
		if len(lines) > 0 && units[i].box.kind != noBox && gap(&units[i-1], &units[i]) {
			lines = append(lines, "")
		}
		lines = append(lines, l.linesOf(units[i].box, width)...)
	}
	return lines
}

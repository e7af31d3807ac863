package theme

import "github.com/charmbracelet/x/ansi"

// Cut shortens s to at most width columns, with tail at its end if it was clipped. It counts whole
// clusters: a cut inside one would change its width.
func Cut(s string, width int, tail string) string {
	if ansi.StringWidth(s) <= width {
		return s
	}
	room := width - ansi.StringWidth(tail)
	if room < 0 {
		room, tail = max(width, 0), ""
	}
	n := 0
	for n < len(s) {
		g, w := ansi.FirstGraphemeCluster(s[n:], ansi.GraphemeWidth)
		if w > room {
			break
		}
		room -= w
		n += len(g)
	}
	return s[:n] + tail
}

package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the columns that a styled text takes.
func Width(s string) int { return ansi.StringWidth(s) }

// Clip cuts a styled line to w columns, ending in tail if something is cut.
func Clip(s string, w int, tail string) string {
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(w, 0), tail)
}

// Pad makes a styled line exactly w columns wide.
func Pad(s string, w int) string {
	n := Width(s)
	if n > w {
		return ansi.Truncate(s, max(w, 0), "")
	}
	return s + strings.Repeat(" ", w-n)
}

// IsBlank reports whether a text has only white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Overlay replaces the last rows with those of over.
func Overlay(rows, over []string) {
	from := len(rows) - len(over)
	for i, line := range over {
		if at := from + i; at >= 0 {
			rows[at] = line
		}
	}
}

// LastPart cuts the beginning of a text, such as a long path, so that it fits in w columns with tail
// before it.
func LastPart(s string, w int, tail string) string {
	if n := Width(s); n > w && w > Width(tail) {
		return tail + ansi.TruncateLeft(s, n-w+Width(tail), "")
	}
	return s
}

package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells a styled text takes.
func Width(s string) int { return ansi.StringWidth(s) }

// Clip cuts a styled line to w columns.
func Clip(s string, w int, tail string) string {
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(w, 0), tail)
}

// Pad fills a styled line up to exactly w columns.
func Pad(s string, w int) string {
	n := Width(s)
	if n > w {
		return ansi.Truncate(s, max(w, 0), "")
	}
	return s + strings.Repeat(" ", w-n)
}

// IsBlank reports whether a text is nothing but blanks.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Overlay puts rows over the last ones.
func Overlay(rows, over []string) {
	from := len(rows) - len(over)
	for i, line := range over {
		if at := from + i; at >= 0 {
			rows[at] = line
		}
	}
}

// LastPart cuts a text, such as a long path, at its beginning.
func LastPart(s string, w int, tail string) string {
	if n := Width(s); n > w && w > Width(tail) {
		return tail + ansi.TruncateLeft(s, n-w+Width(tail), "")
	}
	return s
}

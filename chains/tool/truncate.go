package tool

import (
	"strings"
	"unicode/utf8"
)

// truncateText cuts a text to at most limit characters, 0 for no limit, and marks the cut. It cuts at the end of a
// paragraph or sentence if that is in the last 30 %. It compares floating-point numbers, which for some limits
// gives another result than integers.
func truncateText(text string, limit int) string {
	if limit <= 0 || utf8.RuneCountInString(text) <= limit {
		return text
	}
	text = string([]rune(text)[:limit])
	late := func(at int) bool {
		return at >= 0 && float64(utf8.RuneCountInString(text[:at])) > float64(limit)*0.7
	}
	if at := strings.LastIndex(text, "\n\n"); late(at) {
		return text[:at] + "\n\n[Content truncated...]"
	}
	if at := strings.LastIndex(text, ". "); late(at) {
		return text[:at+1] + " [Content truncated...]"
	}
	return text + "... [Content truncated]"
}

package theme

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// JSONLine returns v as one line of JSON that is safe to print, "" if it cannot be encoded. The "type" of
// a map, if it has one, comes first, so that a user can read along.
func JSONLine(v any) string {
	head := ""
	if m, ok := v.(map[string]any); ok && m["type"] != nil {
		rest := maps.Clone(m)
		delete(rest, "type")
		v, head = rest, fmt.Sprintf(`{"type":%q`, m["type"])
	}
	var buf strings.Builder
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return ""
	}
	body := buf.String()
	if head != "" {
		if body = body[1:]; body != "}\n" {
			head += ","
		}
	}
	line := head + body
	if !strings.ContainsFunc(line, isControl) {
		return line
	}
	var safe strings.Builder
	for _, r := range line {
		if isControl(r) {
			fmt.Fprintf(&safe, `\u%04x`, r)
		} else {
			safe.WriteRune(r)
		}
	}
	return safe.String()
}

// isControl reports whether a terminal may act on r: a control character, or one that changes the
// direction of text. JSON has escaped the characters below a space.
func isControl(r rune) bool {
	return 0x7f <= r && r <= 0x9f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

package theme

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// JSONLine is v as one line of JSON that is safe to print. The type of a map comes
// first, so that a person can read along.
func JSONLine(v any) string {
	head := ""
	if m, ok := v.(map[string]any); ok {
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
	return escapeActing(head + body)
}

func escapeActing(s string) string {
	if !strings.ContainsFunc(s, acts) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if acts(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// acts reports whether a terminal may act on r: as a control character, or by
// turning the direction of text. JSON has escaped what is below a space.
func acts(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

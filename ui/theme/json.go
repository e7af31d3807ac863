package theme

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSONLine is v as one line of JSON that is safe to print.
func JSONLine(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if m, ok := v.(map[string]any); ok {
		return line(m)
	}
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return escapeActing(buf.String())
}

// line writes a map with its type first, so that a person can read along.
func line(m map[string]any) string {
	kind := m["type"]
	rest := make(map[string]any, len(m))
	for k, v := range m {
		if k != "type" {
			rest[k] = v
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rest); err != nil {
		return ""
	}
	body := buf.String()[1:]
	head := fmt.Sprintf(`{"type":%q`, kind)
	if body != "}\n" {
		head += ","
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

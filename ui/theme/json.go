package theme

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
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
	return acting.ReplaceAllStringFunc(head+body, func(s string) string { return fmt.Sprintf(`\u%04x`, []rune(s)[0]) })
}

// acting is what a terminal may act on: control characters, and those that turn
// the direction of text. JSON has escaped what is below a space.
var acting = regexp.MustCompile("[\u007f-\u009f\u202a-\u202e\u2066-\u2069]")

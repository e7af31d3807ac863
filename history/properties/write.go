package properties

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// AppendNumber appends a property whose value is a number.
func AppendNumber(b []byte, key string, n int64) []byte {
	return append(strconv.AppendInt(append(b, key+": "...), n, 10), '\n')
}

// AppendList appends a property whose value is a list, or nothing if list is empty. add appends an element.
func AppendList(b []byte, key string, list []string, add func([]byte, string) []byte) []byte {
	for i, s := range list {
		if i == 0 {
			b = append(b, key+":\n"...)
		}
		b = append(add(append(b, "  - "...), s), '\n')
	}
	return b
}

// AppendQuoted appends a double-quoted YAML scalar on one line.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '\\' || r == '"':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			b = fmt.Appendf(b, `\x%02x`, r)
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == 0xfffe || r == 0xffff:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// AppendScalar appends a plain scalar if that is safe, else a quoted one.
func AppendScalar(b []byte, s string) []byte {
	var v any
	if !isPlain(s) || yaml.Unmarshal([]byte(s), &v) != nil || v != s {
		return AppendQuoted(b, s)
	}
	return append(b, s...)
}

// isPlain reports whether s consists of letters, digits, _ and /, and of - behind the first letter. It is no regular
// expression, because compiling one over all letters takes a millisecond of each start.
func isPlain(s string) bool {
	begun := false // a letter was seen
	return !strings.ContainsFunc(s, func(r rune) bool {
		begun = begun || unicode.IsLetter(r)
		return !unicode.IsLetter(r) && !unicode.Is(unicode.Nd, r) && r != '_' && r != '/' && (r != '-' || !begun)
	})
}

package calltext

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// looseReader parses JSON as models write it: with any quotes or none around keys and words, extra commas, Python's
// constants, line ends and unescaped quotes in strings, and without the end.
type looseReader struct {
	s     string
	i     int
	depth int
}

// maxDepth limits the nesting of values.
const maxDepth = 50

// looseValue parses the object or array at the beginning of s; end is the offset after it. Numbers are json.Number.
// v is nil if there is no object or array.
func looseValue(s string) (v any, end int) {
	l := &looseReader{s: s}
	l.space()
	if l.i == len(s) || s[l.i] != '{' && s[l.i] != '[' {
		return nil, 0
	}
	v = l.value()
	return v, l.i
}

// Object parses the object at the beginning of a text as models write it, as far as it goes; nil if there is none.
func Object(text string) map[string]any {
	v, _ := looseValue(text)
	object, _ := v.(map[string]any)
	return object
}

func (l *looseReader) space() {
	l.i += len(l.s[l.i:]) - len(strings.TrimLeft(l.s[l.i:], blanks))
}

func (l *looseReader) peek() byte {
	if l.i < len(l.s) {
		return l.s[l.i]
	}
	return 0
}

func (l *looseReader) value() any {
	l.space()
	if l.depth++; l.depth > maxDepth {
		l.i = len(l.s)
	}
	defer func() { l.depth-- }()
	switch c := l.peek(); {
	case c == '{':
		return l.object('}')
	case c == '[':
		return l.array()
	}
	if q, _ := l.quotes(); q != "" {
		return l.text()
	}
	return l.word(",}])\n")
}

// object parses members up to end, which for the arguments of a call in Python is ")".
func (l *looseReader) object(end byte) map[string]any {
	v := map[string]any{}
	l.members(end, func() {
		var key string
		if q, _ := l.quotes(); q != "" {
			key = l.text()
		} else {
			key, _ = l.word(":=,}])\n").(string)
		}
		l.space()
		if c := l.peek(); c == ':' || c == '=' {
			l.i++
			if l.peek() == '>' {
				l.i++
			}
			v[key] = l.value()
		}
	})
	return v
}

func (l *looseReader) array() []any {
	v := []any{}
	l.members(']', func() { v = append(v, l.value()) })
	return v
}

// members parses the text in brackets, up to the closing one.
func (l *looseReader) members(end byte, read func()) {
	for l.i++; ; {
		l.space()
		switch at, c := l.i, l.peek(); {
		case c == end:
			l.i++
			return
		case c == 0, c == ']', c == ')', c == '}': // a bracket of another kind ends an outer value
			return
		case c == ',', c == ';':
			l.i++
		default:
			if read(); l.i == at {
				l.i++
			}
		}
	}
}

// quotes returns the quotation marks of the string that begins here, "" if none does.
func (l *looseReader) quotes() (begin, end string) {
	for _, q := range [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}} {
		if strings.HasPrefix(l.s[l.i:], q[0]) {
			return q[0], q[1]
		}
	}
	return "", ""
}

// text parses a string in quotes. A quotation mark ends it only if what follows fits the end of a string, because
// models do not always escape marks within.
func (l *looseReader) text() string {
	begin, end := l.quotes()
	l.i += len(begin)
	var b strings.Builder
	for l.i < len(l.s) {
		rest := l.s[l.i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			l.escaped(&b)
			continue
		case strings.HasPrefix(rest, end):
			if after := strings.TrimLeft(rest[len(end):], blanks); after == "" ||
				strings.IndexByte(",}]:)=<;", after[0]) >= 0 {
				l.i += len(end)
				return b.String()
			}
		}
		b.WriteByte(rest[0])
		l.i++
	}
	// Not closed: brackets at the end belong to the values around it.
	all := strings.TrimRight(b.String(), blanks)
	for n := l.depth; n > 0 && all != "" && strings.IndexByte("}])", all[len(all)-1]) >= 0; n-- {
		all = strings.TrimRight(all[:len(all)-1], blanks)
	}
	return all
}

// escapes matches the escapes of JSON. Two of UTF-16 may be one character.
var escapes = regexp.MustCompile(`^\\(?:["\\/bfnrt]|u[[:xdigit:]]{4}(?:\\u[[:xdigit:]]{4})?)`)

// escaped parses a backslash escape.
func (l *looseReader) escaped(b *strings.Builder) {
	rest := l.s[l.i:]
	from, s := escapes.FindString(rest), ""
	if from != "" {
		_ = json.Unmarshal([]byte(`"`+from+`"`), &s) // it is valid JSON
	} else {
		_, size := utf8.DecodeRuneInString(rest[1:])
		from, s = rest[:1+size], rest[1:1+size]
	}
	b.WriteString(s)
	l.i += len(from)
}

// word parses a value without quotes, up to one of the characters in ends.
func (l *looseReader) word(ends string) any {
	rest := l.s[l.i:]
	n := strings.IndexAny(rest, ends)
	if n < 0 {
		n = len(rest)
	}
	l.i += n
	switch w := strings.TrimSpace(rest[:n]); w {
	case "true", "True":
		return true
	case "false", "False":
		return false
	case "null", "None", "undefined", "":
		return nil
	default:
		if (w[0] == '-' || w[0] >= '0' && w[0] <= '9') && json.Valid([]byte(w)) {
			return json.Number(w)
		}
		return w
	}
}

// JSON encodes a value that came from JSON, on one line and with sorted keys.
func JSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // maps, lists, strings and numbers always encode
	return strings.TrimSpace(b.String())
}

package calltext

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// loose reads JSON as models write it: with quotes of any kind or none around keys
// and words, commas too many, the constants of Python, line ends inside of texts,
// quotes inside of texts that are not escaped, and an end that is missing.
type loose struct {
	s     string
	i     int
	depth int
}

// deepest is how deep values may nest.
const deepest = 50

// looseValue reads the value at the beginning of s; end is where it stops. The value
// has numbers as json.Number. ok is false if there is no object and no array.
func looseValue(s string) (v any, end int, ok bool) {
	l := &loose{s: s}
	l.space()
	if l.i == len(s) || s[l.i] != '{' && s[l.i] != '[' {
		return nil, 0, false
	}
	v = l.value()
	return v, l.i, true
}

func (l *loose) space() {
	l.i += len(l.s[l.i:]) - len(strings.TrimLeft(l.s[l.i:], " \t\r\n"))
}

func (l *loose) peek() byte {
	if l.i < len(l.s) {
		return l.s[l.i]
	}
	return 0
}

func (l *loose) value() any {
	l.space()
	if l.depth++; l.depth > deepest {
		l.i = len(l.s)
	}
	defer func() { l.depth-- }()
	switch c := l.peek(); {
	case c == '{':
		return l.object('}')
	case c == '[':
		return l.array()
	case l.quoteLen() > 0:
		return l.text()
	}
	return l.word(",}])\n")
}

// object reads to its end, which for the arguments of a call in Python is ")".
func (l *loose) object(end byte) map[string]any {
	v := map[string]any{}
	for l.i++; ; {
		l.space()
		switch c := l.peek(); {
		case c == 0:
			return v
		case c == end:
			l.i++
			return v
		case c == ',' || c == ';':
			l.i++
			continue
		case c == ']' || c == ')' || c == '}': // a bracket of another kind: leave it to whom it belongs
			return v
		}
		at := l.i
		var key string
		if l.quoteLen() > 0 {
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
		if l.i == at {
			l.i++
		}
	}
}

func (l *loose) array() []any {
	v := []any{}
	for l.i++; ; {
		l.space()
		switch c := l.peek(); {
		case c == 0:
			return v
		case c == ']':
			l.i++
			return v
		case c == ',' || c == ';':
			l.i++
			continue
		case c == '}' || c == ')':
			return v
		}
		at := l.i
		v = append(v, l.value())
		if l.i == at {
			l.i++
		}
	}
}

// quotes are the marks that a text may stand in, with the one that ends it.
var quotes = [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}}

// quoteLen is the length of the mark of quotation here, 0 if there is none.
func (l *loose) quoteLen() int {
	for _, q := range quotes {
		if strings.HasPrefix(l.s[l.i:], q[0]) {
			return len(q[0])
		}
	}
	return 0
}

// text reads a text in quotes. A mark inside of it that is not escaped is told from
// the one at its end by what follows.
func (l *loose) text() string {
	n := l.quoteLen()
	end := ""
	for _, q := range quotes {
		if q[0] == l.s[l.i:l.i+n] {
			end = q[1]
		}
	}
	l.i += n
	var b strings.Builder
	for l.i < len(l.s) {
		rest := l.s[l.i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			l.escaped(&b)
			continue
		case strings.HasPrefix(rest, end):
			if after := strings.TrimLeft(rest[len(end):], " \t\r\n"); after == "" || strings.IndexByte(",}]:)=<;", after[0]) >= 0 {
				l.i += len(end)
				return b.String()
			}
		}
		b.WriteByte(rest[0])
		l.i++
	}
	// It is not closed: the brackets at the end are those that it stands in.
	all := strings.TrimRight(b.String(), " \t\r\n")
	for n := l.depth; n > 0 && all != "" && strings.IndexByte("}])", all[len(all)-1]) >= 0; n-- {
		all = strings.TrimRight(all[:len(all)-1], " \t\r\n")
	}
	return all
}

// escaped reads a backslash and what it stands for.
func (l *loose) escaped(b *strings.Builder) {
	rest := l.s[l.i:]
	for n := 2; n <= min(len(rest), 12); n++ { // a pair of surrogates is the longest
		var s string
		if json.Unmarshal([]byte(`"`+rest[:n]+`"`), &s) == nil {
			if rest[1] == 'u' && s == "\ufffd" && n < 12 && strings.HasPrefix(rest[6:], `\u`) {
				continue
			}
			b.WriteString(s)
			l.i += n
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest[1:])
	b.WriteString(rest[1 : 1+size])
	l.i += 1 + size
}

// word reads what stands without quotes, up to one of ends.
func (l *loose) word(ends string) any {
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

// encode is a value as JSON in one line.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // of maps, texts and numbers that were read: it always encodes
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

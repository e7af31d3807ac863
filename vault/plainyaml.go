package vault

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// plainFields reads the properties that nearly all notes have: one "key:
// scalar" a line, and lists of scalars. It gives up (ok is false) on anything
// else, and reads nothing otherwise than the YAML library does.
func plainFields(block string) (fields []field, ok bool) {
	if !plainBytes(block) {
		return nil, false
	}
	r := plainReader{rest: block, line: 1}
	for r.next() {
		if r.blank() {
			continue
		}
		key, value, ok := splitKey(r.cur)
		if !ok {
			return nil, false
		}
		n := node{line: r.line}
		switch {
		case value == "":
			if n.items, n.shape, ok = r.blockList(); !ok {
				return nil, false
			}
		case value[0] == '[':
			if n.items, ok = flowList(value, r.line); !ok {
				return nil, false
			}
			n.shape = listShape
		default:
			if n.text, n.quoted, ok = plainScalar(value); !ok {
				return nil, false
			}
		}
		if r.continues() {
			return nil, false
		}
		fields = append(fields, field{key, n})
	}
	return fields, true
}

// plainBytes reports whether block has no character that YAML forbids or
// treats as white space or a line break.
func plainBytes(block string) bool {
	for i := range len(block) {
		switch c := block[i]; {
		case c < ' ' && c != '\n', c == 0x7F:
			return false
		case c == 0xC2 && i+1 < len(block) && block[i+1] <= 0xA0, c == 0xEF, c == 0xE2 && strings.HasPrefix(block[i:], "\u2028"), c == 0xE2 && strings.HasPrefix(block[i:], "\u2029"):
			return false
		}
	}
	return true
}

// plainReader goes through a block line by line.
type plainReader struct {
	rest string
	cur  string // without trailing spaces
	line int    // of cur in the file
}

func (r *plainReader) next() bool {
	if r.rest == "" {
		return false
	}
	r.cur, r.rest, _ = strings.Cut(r.rest, "\n")
	r.cur = strings.TrimRight(r.cur, " ")
	r.line++
	return true
}

func (r *plainReader) blank() bool { return r.cur == "" || r.cur[0] == '#' }

// peek is the next line that is not blank and its indentation; indent is -1 at
// the end of the block.
func (r *plainReader) peek() (line string, indent int) {
	for l := range strings.SplitSeq(r.rest, "\n") {
		l = strings.TrimRight(l, " ")
		text := strings.TrimLeft(l, " ")
		if text != "" && l[0] != '#' {
			return text, len(l) - len(text)
		}
	}
	return "", -1
}

// continues reports whether the next line is indented: then it belongs to the
// value before it in a way that this reader does not know.
func (r *plainReader) continues() bool {
	_, indent := r.peek()
	return indent > 0
}

// blockList reads the list that follows a key without a value, or nothing.
func (r *plainReader) blockList() ([]node, shape, bool) {
	first, indent := r.peek()
	if !isItem(first) {
		return nil, scalarShape, true
	}
	var items []node
	for {
		text, in := r.peek()
		if in < indent || !isItem(text) {
			return items, listShape, in <= 0
		}
		if in > indent {
			return nil, 0, false
		}
		for r.next(); r.blank(); r.next() {
		}
		n := node{line: r.line}
		if text = strings.TrimLeft(text[1:], " "); text != "" {
			var ok bool
			if n.text, n.quoted, ok = plainScalar(text); !ok {
				return nil, 0, false
			}
		}
		items = append(items, n)
	}
}

func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// splitKey splits "key: value" at the first colon that ends a key.
func splitKey(line string) (key, value string, ok bool) {
	colon := strings.IndexByte(line, ':')
	if colon <= 0 || colon+1 < len(line) && line[colon+1] != ' ' {
		return "", "", false
	}
	key = strings.TrimRight(line[:colon], " ")
	if key == "" {
		return "", "", false
	}
	for i := range len(key) {
		c := key[i]
		word := c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !word && (i == 0 || c != ' ' && c != '-' && c != '.' && c != '/') {
			return "", "", false
		}
	}
	return key, strings.TrimLeft(line[colon+1:], " "), true
}

// plainScalar reads a scalar on one line, without trailing spaces.
func plainScalar(s string) (text string, quoted, ok bool) {
	switch c := s[0]; c {
	case '"', '\'':
		if len(s) < 2 || s[len(s)-1] != c {
			return "", false, false
		}
		inner := s[1 : len(s)-1]
		if strings.IndexByte(inner, c) >= 0 || c == '"' && strings.IndexByte(inner, '\\') >= 0 {
			return "", false, false
		}
		return inner, true, true
	case '-':
		if len(s) == 1 || s[1] == ' ' {
			return "", false, false
		}
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '%', '@', '`', '?', ':':
		return "", false, false
	}
	if strings.HasSuffix(s, ":") || strings.Contains(s, ": ") || strings.Contains(s, " #") {
		return "", false, false
	}
	return s, false, true
}

// flowList reads "[a, b]" on one line.
func flowList(s string, line int) ([]node, bool) {
	if s[len(s)-1] != ']' {
		return nil, false
	}
	s = strings.Trim(s[1:len(s)-1], " ")
	items := []node{}
	for s != "" {
		n := node{line: line}
		if c := s[0]; c == '"' || c == '\'' {
			end := strings.IndexByte(s[1:], c)
			if end < 0 || strings.IndexByte(s[1:end+1], '\\') >= 0 {
				return nil, false
			}
			n.text, n.quoted = s[1:end+1], true
			s = strings.TrimLeft(s[end+2:], " ")
			if s != "" && s[0] != ',' {
				return nil, false
			}
		} else {
			end := strings.IndexByte(s, ',')
			if end < 0 {
				end = len(s)
			}
			n.text = strings.TrimRight(s[:end], " ")
			if n.text == "" || strings.ContainsAny(n.text, "[]{}:#\"'&*!|>%@`?") || n.text[0] == '-' {
				return nil, false
			}
			s = s[end:]
		}
		items = append(items, n)
		if s != "" {
			s = strings.TrimLeft(s[1:], " ")
		}
	}
	return items, true
}

// looseFields reads properties that are not YAML: templates with {{holes}},
// titles with a second colon, values that start with an @. Every line that
// looks like a property is one.
func looseFields(block string) []field {
	var fields []field
	line := 1
	for l := range strings.SplitSeq(block, "\n") {
		line++
		text := strings.TrimSpace(l)
		if text == "" || text[0] == '#' {
			continue
		}
		if isItem(text) && len(fields) > 0 {
			last := &fields[len(fields)-1].value
			if last.text == "" {
				last.shape = listShape
				last.items = append(last.items, looseScalar(strings.TrimSpace(text[1:]), line))
			}
			continue
		}
		if l[0] == ' ' || l[0] == '\t' {
			continue
		}
		key, value, ok := strings.Cut(text, ":")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		if !ok || key == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
			continue
		}
		value = strings.TrimSpace(value)
		n := looseScalar(value, line)
		if len(value) > 1 && value[0] == '[' && value[1] != '[' && value[len(value)-1] == ']' {
			n = node{shape: listShape, line: line}
			for part := range strings.SplitSeq(value[1:len(value)-1], ",") {
				if part = strings.TrimSpace(part); part != "" {
					n.items = append(n.items, looseScalar(part, line))
				}
			}
		}
		fields = append(fields, field{key, n})
	}
	return fields
}

func looseScalar(s string, line int) node {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return node{text: s[1 : n-1], quoted: true, line: line}
	}
	return node{text: s, line: line}
}

// null reports whether n is a scalar without a value.
func (n *node) null() bool {
	if n.shape != scalarShape || n.quoted {
		return false
	}
	switch n.text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// value gives n its type, by the core schema of YAML 1.2 and with dates.
func (n *node) value() any {
	switch n.shape {
	case listShape:
		list := make([]any, len(n.items))
		for i := range n.items {
			list[i] = n.items[i].value()
		}
		return list
	case mapShape:
		m := make(map[string]any, len(n.items))
		for i := range n.items {
			m[n.keys[i]] = n.items[i].value()
		}
		return m
	}
	if n.quoted {
		return n.text
	}
	if n.null() {
		return nil
	}
	switch n.text {
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if c := n.text[0]; c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9' {
		return number(n.text)
	}
	return n.text
}

// number is the integer, float or date that s, which starts like one, is, else s.
func number(s string) any {
	if t, ok := date(s); ok {
		return t
	}
	base, digits := 10, s
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		base, digits = 16, rest
	} else if rest, ok := strings.CutPrefix(s, "0o"); ok {
		base, digits = 8, rest
	}
	if base == 10 || digits[0:min(1, len(digits))] != "-" && digits[0:min(1, len(digits))] != "+" {
		if i, err := strconv.ParseInt(digits, base, strconv.IntSize); err == nil {
			return int(i)
		}
	}
	switch strings.TrimLeft(s, "+-") {
	case ".inf", ".Inf", ".INF":
		if len(s) > 5 {
			return s
		}
		if s[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	case ".nan", ".NaN", ".NAN":
		if s[0] == '.' {
			return math.NaN()
		}
		return s
	}
	if strings.Trim(s, "0123456789.eE+-") == "" {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	}
	return s
}

// date reads a day or a time; without a zone it is UTC.
func date(s string) (time.Time, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	layouts := []string{time.DateOnly}
	if len(s) > 10 {
		layouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04"}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

package vault

import (
	"strconv"
	"strings"
	"time"
)

// lineFields parses properties line by line: one "key: scalar" per line, and lists of scalars. With strict set
// it parses the properties of nearly all notes exactly as the YAML library does, and returns ok false for
// anything that could mean more in YAML. Otherwise it is for invalid YAML: templates with {{holes}}, titles
// with a second colon, values that start with an @. Then every line that looks like a property counts as one.
func lineFields(block string, strict bool) (fields []field, ok bool) {
	if strict && !onlyPlainBytes(block) {
		return nil, false
	}
	line, listed := 1, -1 // listed is the indentation of the current list, -1 before it
	for l := range strings.SplitSeq(block, "\n") {
		line++
		text := strings.Trim(l, " \t")
		indent := strings.Index(l, text)
		if text == "" || text[0] == '#' && (indent == 0 || !strict) {
			continue
		}
		if isItem(text) && len(fields) > 0 {
			last := &fields[len(fields)-1].value
			if strict && (last.quoted || last.text != "" || listed < 0 && last.shape == listShape ||
				listed >= 0 && listed != indent) {
				return nil, false
			}
			if last.text == "" {
				item, ok := lineScalar(strings.Trim(text[1:], " \t"), line, strict)
				if !ok {
					return nil, false
				}
				last.shape, last.items, listed = listShape, append(last.items, item), indent
			}
			continue
		}
		key, value, colon := strings.Cut(text, ":")
		key = strings.TrimRight(key, " \t")
		name := strings.Trim(key, "\"'`")
		if indent > 0 || !colon || name == "" || value != "" && value[0] != ' ' && value[0] != '\t' ||
			strict && !plainKey(key) {
			if strict {
				return nil, false
			}
			continue
		}
		n, ok := lineValue(strings.Trim(value, " \t"), line, strict)
		if !ok {
			return nil, false
		}
		fields, listed = append(fields, field{name, n}), -1
	}
	return fields, true
}

// onlyPlainBytes reports whether block is free of characters that YAML forbids or treats as white space or a
// line break.
func onlyPlainBytes(block string) bool {
	for i := range len(block) {
		switch c := block[i]; {
		case c < ' ' && c != '\n', c == 0x7F:
			return false
		case c == 0xC2 && i+1 < len(block) && block[i+1] <= 0xA0, c == 0xEF,
			c == 0xE2 && strings.HasPrefix(block[i:], "\u2028"), c == 0xE2 && strings.HasPrefix(block[i:], "\u2029"):
			return false
		}
	}
	return true
}

func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// plainKey reports whether YAML reads key literally.
func plainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		word := c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !word && (i == 0 || c != ' ' && c != '-' && c != '.' && c != '/') {
			return false
		}
	}
	return len(key) < longestKey
}

// longestKey is the length in bytes from which on YAML accepts keys only in quotes.
const longestKey = 1024

// lineValue parses the text behind a key: nothing, a scalar, or a list in brackets.
func lineValue(s string, line int, strict bool) (n node, ok bool) {
	if len(s) < 2 || s[0] != '[' || s[1] == '[' || s[len(s)-1] != ']' {
		return lineScalar(s, line, strict)
	}
	n = node{shape: listShape, line: line}
	inside := strings.Trim(s[1:len(s)-1], " \t")
	if inside == "" {
		return n, true
	}
	for part := range strings.SplitSeq(inside, ",") {
		part = strings.Trim(part, " \t")
		if part == "" && !strict {
			continue
		}
		item, ok := lineScalar(part, line, strict)
		if strict && (!ok || part == "" ||
			!item.quoted && (part[0] == '-' || strings.ContainsAny(part, "[]{}:#\"'&*!|>%@`?"))) {
			return n, false
		}
		n.items = append(n.items, item)
	}
	return n, true
}

// lineScalar parses a scalar without white space around it.
func lineScalar(s string, line int, strict bool) (n node, ok bool) {
	n = node{text: s, line: line}
	if s == "" {
		return n, true
	}
	if c := s[0]; len(s) >= 2 && (c == '"' || c == '\'') && s[len(s)-1] == c {
		n.text, n.quoted = s[1:len(s)-1], true
		return n, !strict || strings.IndexByte(n.text, c) < 0 && strings.IndexByte(n.text, '\\') < 0
	}
	return n, !strict || plainText(s)
}

// plainText reports whether YAML reads s, without quotes, literally.
func plainText(s string) bool {
	switch s[0] {
	case '-':
		if len(s) == 1 || s[1] == ' ' {
			return false
		}
	case '"', '\'', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '%', '@', '`', '?', ':':
		return false
	}
	return !strings.HasSuffix(s, ":") && !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}

// isNull reports whether n is a scalar without a value.
func (n *node) isNull() bool {
	if n.shape != scalarShape || n.quoted {
		return false
	}
	switch n.text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// value converts n to a Go value, by the core schema of YAML 1.2 and with dates.
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
	if n.isNull() {
		return nil
	}
	switch n.text {
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if c := n.text[0]; c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9' {
		return parseNumber(n.text)
	}
	return n.text
}

// parseNumber parses s, which starts like a number, as an integer, float or date; other text is returned as it is.
func parseNumber(s string) any {
	if t, ok := parseDate(s); ok {
		return t
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if strings.Trim(s, "0123456789.eE+-") == "" {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	}
	return s
}

// parseDate parses a day or a time; without a zone it is UTC.
func parseDate(s string) (time.Time, bool) {
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

package offline

import (
	"slices"
	"strings"
)

// This file knows what single lines of markdown are.

// indentOf counts the columns of white space before the text of line.
func indentOf(line string) int {
	n := 0
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// headingLevel is 1 to 6 for "# …" to "###### …", else 0.
func headingLevel(line string) int {
	line = strings.TrimRight(line, " \t")
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// headingText is the text of a heading line without its markers.
func headingText(s string) string {
	s = strings.TrimSpace(s)
	if t := strings.TrimRight(s, "#"); t == "" || t != s && strings.HasSuffix(t, " ") {
		s = strings.TrimSpace(t)
	}
	return s
}

// underline is the level that a line of = or - gives to the text above it.
func underline(trimmed string) int {
	switch {
	case len(trimmed) >= 2 && strings.Trim(trimmed, "=") == "":
		return 1
	case len(trimmed) >= 2 && strings.Trim(trimmed, "-") == "":
		return 2
	}
	return 0
}

// isRule reports a thematic break.
func isRule(trimmed string) bool {
	s := strings.ReplaceAll(trimmed, " ", "")
	return len(s) >= 3 && (strings.Trim(s, "-") == "" || strings.Trim(s, "*") == "" || strings.Trim(s, "_") == "")
}

// fenceOf is the run of ` or ~ that opens a code fence on line, or "".
func fenceOf(line string) string {
	if indentOf(line) > 3 {
		return ""
	}
	s := strings.TrimLeft(line, " ")
	n := 0
	for n < len(s) && s[n] == s[0] && (s[0] == '`' || s[0] == '~') {
		n++
	}
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return ""
	}
	return s[:n]
}

// fenceEnd returns the line after the fence that opens at line i, whatever its
// indentation.
func (sc *scanner) fenceEnd(i int) int {
	mark := fenceOf(strings.TrimSpace(sc.line(i)))
	return sc.until(i+1, func(l string) bool {
		l = strings.TrimSpace(l)
		return len(l) >= len(mark) && strings.Trim(l, mark[:1]) == ""
	})
}

// isDelimiterRow reports the second line of a table.
func isDelimiterRow(line string) bool {
	s := strings.TrimSpace(line)
	return strings.Contains(s, "-") && strings.Trim(s, "|:- \t") == "" && strings.Contains(s, "|")
}

// markerLen is the length of a list marker with the space after it, or 0.
func markerLen(trimmed string) int {
	if trimmed == "" {
		return 0
	}
	n := 0
	switch c := trimmed[0]; {
	case c == '-' || c == '*' || c == '+':
		n = 1
	case c >= '0' && c <= '9':
		for n < len(trimmed) && n < 9 && trimmed[n] >= '0' && trimmed[n] <= '9' {
			n++
		}
		if n == len(trimmed) || trimmed[n] != '.' && trimmed[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if isRule(trimmed) || n < len(trimmed) && trimmed[n] != ' ' && trimmed[n] != '\t' {
		return 0
	}
	return min(n+1, len(trimmed))
}

// taskState is the character between the brackets of a checkbox item.
func taskState(trimmed string) (byte, bool) {
	s := strings.TrimLeft(trimmed[markerLen(trimmed):], " \t")
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && s[3] != ' ' {
		return 0, false
	}
	return s[1], true
}

// property reads the values that a frontmatter gives to one of the keys: a list
// in brackets, a list of lines, or a single value.
func property(lines []span, text string, keys ...string) []string {
	var values []string
	keep := func(s string) {
		if s = strings.Trim(strings.TrimSpace(s), `"'`); s != "" {
			values = append(values, s)
		}
	}
	inside := false
	for _, l := range lines {
		line := text[l.start:l.end]
		key, value, isKey := strings.Cut(line, ":")
		switch {
		case isKey && indentOf(line) == 0 && !strings.HasPrefix(line, "-"):
			inside = slices.Contains(keys, strings.ToLower(strings.TrimSpace(key)))
			if inside {
				for v := range strings.SplitSeq(strings.Trim(strings.TrimSpace(value), "[]"), ",") {
					keep(v)
				}
			}
		case inside && strings.HasPrefix(strings.TrimSpace(line), "-"):
			keep(strings.TrimSpace(line)[1:])
		}
	}
	return values
}

// asTags turns the values of the property tags into tags.
func asTags(values []string) []string {
	var tags []string
	for _, v := range values {
		for _, w := range strings.Fields(v) {
			if w = strings.TrimLeft(w, "#"); w != "" {
				tags = append(tags, "#"+w)
			}
		}
	}
	return tags
}

// mergeTags joins lists of tags; the first spelling of a tag wins.
func mergeTags(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, t := range list {
			if k := strings.ToLower(t); !seen[k] {
				seen[k] = true
				out = append(out, t)
			}
		}
	}
	return out
}

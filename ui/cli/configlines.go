package cli

import (
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// byteOrderMark begins the files of some editors.
const byteOrderMark = "\ufeff"

// keyPlace is a line of a configuration file that holds a key, or behind which it can
// stand, and the name that it has there.
type keyPlace struct {
	line int // -1 for none
	name toml.Key
}

// place finds the line on which a key stands; is reports whether there is one. Else at is
// the header of its table, or the last line of that table if that is written without one.
func place(lines []string, key toml.Key) (is bool, at keyPlace) {
	last := len(key) - 1
	table, depth := "", 0 // of the table that the lines belong to
	at = keyPlace{-1, key[last:]}
	parent := key[:last].String()
	begins := statements(lines)
	for i := range lines {
		trimmed := strings.TrimSpace(lines[i])
		if !begins[i] {
			continue
		}
		if strings.HasPrefix(trimmed, "[") {
			name, _, _ := strings.Cut(trimmed, "#")
			table, depth = keyWritten(strings.Trim(name, "[] \t")), -1
			for n := range key {
				if key[:n].String() == table {
					depth = n
				}
			}
			if depth == last {
				at = keyPlace{i, key[last:]}
			}
			continue
		}
		name, _, is := strings.Cut(trimmed, "=")
		if !is || strings.HasPrefix(trimmed, "#") || depth < 0 {
			continue
		}
		full := strings.TrimPrefix(table+"."+keyWritten(strings.TrimSpace(name)), ".")
		if full == key.String() {
			return true, keyPlace{i, key[depth:]}
		}
		if depth < last && strings.HasPrefix(full, parent+".") && !strings.Contains(full[len(parent)+1:], ".") {
			end := i
			for end+1 < len(lines) && !begins[end+1] {
				end++
			}
			at = keyPlace{end, key[depth:]}
		}
	}
	return false, at
}

// statements reports of each line whether it begins a header, a key, a comment or
// nothing at all, and does not go on with a value of several lines.
func statements(lines []string) []bool {
	begins := make([]bool, len(lines))
	quote, depth := "", 0 // of the text and the brackets that are open
	for i, line := range lines {
		begins[i] = quote == "" && depth == 0
		header := begins[i] && strings.HasPrefix(strings.TrimSpace(line), "[")
		for rest := line; rest != ""; {
			step := 1
			switch {
			case quote != "":
				switch {
				case rest[0] == '\\' && quote[0] == '"':
					step = min(2, len(rest))
				case strings.HasPrefix(rest, quote):
					step, quote = len(quote), ""
				}
			case rest[0] == '#':
				step = len(rest)
			case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
				quote, step = rest[:3], 3
			case rest[0] == '"', rest[0] == '\'':
				quote = rest[:1]
			case header:
			case rest[0] == '[', rest[0] == '{':
				depth++
			case rest[0] == ']', rest[0] == '}':
				depth = max(depth-1, 0)
			}
			rest = rest[step:]
		}
		if len(quote) == 1 { // such a text has one line
			quote = ""
		}
	}
	return begins
}

// aboveTables puts a line behind the last one that belongs to no table.
func aboveTables(lines []string, line, end string) []string {
	begins, first := statements(lines), -1
	for i := range lines {
		if begins[i] && strings.HasPrefix(strings.TrimSpace(lines[i]), "[") {
			first = i
			break
		}
	}
	if first < 0 {
		if n := len(lines) - 1; lines[n] != "" {
			lines[n] += end
			return append(lines, line+end)
		}
		return slices.Insert(lines, len(lines)-1, line+end)
	}
	is := func(i int, mark string) bool { return strings.HasPrefix(strings.TrimSpace(lines[i]), mark) }
	for i := first - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" && !is(i, "#") {
			return slices.Insert(lines, i+1, line+end)
		}
	}
	for first > 0 && is(first-1, "#") { // what stands above a table is about it
		first--
	}
	return slices.Insert(lines, first, line+end+end)
}

// comment is what stands behind a value, with the blanks before it.
func comment(value string) string {
	for i := range value {
		var v map[string]any
		if value[i] != '#' {
			continue
		}
		if _, err := toml.Decode("v ="+value[:i], &v); err == nil {
			return value[len(strings.TrimRight(value[:i], " \t")):]
		}
	}
	return ""
}

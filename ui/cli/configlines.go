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
	at = keyPlace{-1, key[last:]}
	parent := key[:last].String()
	for _, s := range statementsOf(lines) {
		depth := -1 // how much of the key the table is
		for n := range key {
			if key[:n].String() == s.table {
				depth = n
			}
		}
		switch {
		case depth < 0:
		case s.header:
			if depth == last {
				at = keyPlace{s.line, key[last:]}
			}
		case s.key == key.String():
			return true, keyPlace{s.line, key[depth:]}
		case depth < last && strings.HasPrefix(s.key, parent+".") && !strings.Contains(s.key[len(parent)+1:], "."):
			at = keyPlace{s.end - 1, key[depth:]}
		}
	}
	return false, at
}

// statement is a header of a table, or a key with its value.
type statement struct {
	line, end int // its first line, and the one behind its last
	header    bool
	table     string // that it begins, or in which it stands
	key       string // with its table
}

// statementsOf are the statements on these lines, which hold valid TOML.
func statementsOf(lines []string) (all []statement) {
	table, quote, depth := "", "", 0 // the text and the brackets that are open
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		header := false
		switch {
		case quote != "" || depth > 0:
			all[len(all)-1].end = i + 1
		case trimmed == "" || trimmed[0] == '#':
		case trimmed[0] == '[':
			name, _, _ := strings.Cut(trimmed, "#")
			header, table = true, keyWritten(strings.Trim(name, "[] \t"))
			all = append(all, statement{i, i + 1, true, table, table})
		default:
			name, _, _ := strings.Cut(trimmed, "=")
			all = append(all, statement{i, i + 1, false, table, strings.TrimPrefix(table+"."+keyWritten(name), ".")})
		}
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
	return all
}

// aboveTables puts a line behind the last one that belongs to no table.
func aboveTables(lines []string, line, end string) []string {
	last := 0 // the line behind it
	for _, s := range statementsOf(lines) {
		if !s.header {
			last = s.end
			continue
		}
		if last > 0 {
			return slices.Insert(lines, last, line+end)
		}
		first := s.line
		for first > 0 && strings.HasPrefix(strings.TrimSpace(lines[first-1]), "#") { // what stands above a table is about it
			first--
		}
		return slices.Insert(lines, first, line+end+end)
	}
	if n := len(lines) - 1; lines[n] != "" {
		lines[n] += end
		return append(lines, line+end)
	}
	return slices.Insert(lines, len(lines)-1, line+end)
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

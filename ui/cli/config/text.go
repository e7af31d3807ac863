package config

import (
	"slices"
	"strings"
)

// withKey is a text in which a key has a value: on the line that it has, else on a new one
// under the header of its table or behind one that is written with the name of that table,
// else in a new table at the end.
func withKey(text string, key Key, literal string) string {
	last := len(key) - 1
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	at, name := -1, key[last:] // behind which it can stand, and how it is written there
	for _, s := range statements(text) {
		if !s.header && slices.Equal(s.key, key) {
			return replaceLine(text, &s, s.name.String()+" = "+literal, s.to)
		}
		depth := len(s.table)
		inTable := depth <= last && slices.Equal(s.table, key[:depth])
		switch {
		case s.header && inTable && depth == last, // below, which comes first in the text
			!s.header && inTable && depth < last && len(s.key) == len(key) && slices.Equal(s.key[:last], key[:last]),
			!s.header && last == 0 && depth == 0:
			at, name = s.to, key[depth:]
		case s.header && last == 0 && at < 0: // above it, and what stands there is about it
			at = lineOf(text, s.from)
			for at > 0 && strings.HasPrefix(strings.TrimSpace(text[lineOf(text, at-1):at]), "#") {
				at = lineOf(text, at-1)
			}
			return text[:at] + name.String() + " = " + literal + end + end + text[at:]
		}
	}
	line := name.String() + " = " + literal + end
	switch {
	case at >= 0:
		at = lineEnd(text, at)
		if !strings.HasSuffix(text[:at], "\n") {
			line = end + line
		}
		return text[:at] + line + text[at:]
	case last == 0:
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += end
		}
		return text + line
	}
	return atEnd(text, "["+key[:last].String()+"]"+end+line, end)
}

// withoutKey is a text without the line of a key.
func withoutKey(text string, key Key) string {
	for _, s := range statements(text) {
		if !s.header && slices.Equal(s.key, key) {
			return replaceLine(text, &s, "", lineEnd(text, s.to))
		}
	}
	return text
}

// replaceLine is a text with a line in place of that of a key, up to end. A key on several
// lines stays: they may hold comments.
func replaceLine(text string, s *statement, line string, end int) string {
	if strings.Contains(text[s.from:s.to], "\n") {
		return text
	}
	return text[:lineOf(text, s.from)] + line + text[end:]
}

// withoutTable is a text without a table, those below it, and what is said of them.
func withoutTable(text string, key Key) string {
	kept, from, inside := "", 0, false
	for _, s := range statements(text) {
		was := inside
		if inside = len(s.table) >= len(key) && slices.Equal(s.table[:len(key)], key); !inside {
			continue
		}
		if !was {
			if kept = strings.TrimRight(kept+text[from:lineOf(text, s.from)], "\r\n\t "); kept != "" {
				kept += "\n"
			}
		}
		from = lineEnd(text, s.to)
	}
	if rest := text[from:]; !inside || strings.Contains(rest, "#") { // which may be about the next table
		return kept + rest
	}
	return kept
}

// atEnd is a text with a table behind it, and a blank line between.
func atEnd(text, table, end string) string {
	if text = strings.TrimRight(text, "\r\n"); text != "" {
		text += end + end
	}
	return text + table
}

// lineOf is where the line of a byte begins, and lineEnd where the one behind it does.
func lineOf(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

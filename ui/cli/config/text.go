package config

import (
	"slices"
	"strings"
)

// withKey returns the text with a value for a key. It replaces the line of the key. If there is none, it adds a line
// after the header of its table, or after a key with a dotted name in that table, else a new table at the end.
func withKey(text string, key Key, literal string) string {
	last := len(key) - 1
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	at, name := -1, key[last:] // end of the statement to insert it after, and its name there
	for _, s := range statements(text) {
		if !s.header && slices.Equal(s.key, key) {
			return replaceLine(text, &s, s.name.String()+" = "+literal, s.to)
		}
		depth := len(s.table)
		inTable := depth <= last && slices.Equal(s.table, key[:depth])
		switch {
		case s.header && inTable && depth == last, // the last of these wins
			!s.header && inTable && depth < last && len(s.key) == len(key) && slices.Equal(s.key[:last], key[:last]),
			!s.header && last == 0 && depth == 0:
			at, name = s.to, key[depth:]
		case s.header && last == 0 && at < 0: // top-level keys come before the first header and its comment
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

// withoutKey returns the text without the line of a key.
func withoutKey(text string, key Key) string {
	for _, s := range statements(text) {
		if !s.header && slices.Equal(s.key, key) {
			return replaceLine(text, &s, "", lineEnd(text, s.to))
		}
	}
	return text
}

// replaceLine replaces the line of a key up to end. It leaves a value on several lines as it is, since these may
// contain comments.
func replaceLine(text string, s *statement, line string, end int) string {
	if strings.Contains(text[s.from:s.to], "\n") {
		return text
	}
	return text[:lineOf(text, s.from)] + line + text[end:]
}

// withoutTable returns the text without a table, those below it, and their comments.
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
	if rest := text[from:]; !inside || strings.Contains(rest, "#") { // a comment there may be about the next table
		return kept + rest
	}
	return kept
}

// atEnd appends a table to a text, after a blank line.
func atEnd(text, table, end string) string {
	if text = strings.TrimRight(text, "\r\n"); text != "" {
		text += end + end
	}
	return text + table
}

// lineOf returns the start of the line of a byte, and lineEnd the start of the next line.
func lineOf(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

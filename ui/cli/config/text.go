package config

import (
	"slices"
	"strings"
)

// withKey returns the text with a value for a key. It replaces the line of the key. If there is none, it adds a line at
// the top of its table, or a new table at the end.
func withKey(text string, key Key, literal string) string {
	table := key[:len(key)-1]
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	at := -1 // the top of the table
	if len(table) == 0 {
		at = 0
	}
	for _, s := range statements(text) {
		switch {
		case !s.header && slices.Equal(s.key, key):
			return replaceLine(text, &s, s.name.String()+" = "+literal, s.to)
		case s.header && slices.Equal(s.table, table):
			at = lineEnd(text, s.to)
		}
	}
	line := key[len(table):].String() + " = " + literal + end
	if at < 0 {
		return atEnd(text, "["+table.String()+"]"+end+line, end)
	}
	if at > 0 && text[at-1] != '\n' {
		line = end + line
	}
	return text[:at] + line + text[at:]
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

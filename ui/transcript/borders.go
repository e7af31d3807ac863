package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// barsBefore returns the columns of the bars before the text of a drawn line, and whether the text is a row
// of a table, or the rule below its header.
func barsBefore(line, quote string) (columns int, table bool) {
	if columns = mdview.CodeFrom(line); columns > 0 {
		return columns, false
	}
	line = ansi.Strip(theme.StripMarks(line))
	rest := strings.TrimLeft(line, " ")
	for !tableLine(rest) {
		text, ok := strings.CutPrefix(rest, quote)
		if !ok || text != "" && text[0] != ' ' {
			return columns, false
		}
		rest = strings.TrimPrefix(text, " ")
		columns = ansi.StringWidth(line) - ansi.StringWidth(rest)
	}
	return columns, true
}

// tableLine reports whether a line without indentation is part of a table, as drawn by package mdview.
func tableLine(line string) bool {
	line = strings.TrimRight(line, " ")
	for _, ends := range [][2]string{{"│", "│"}, {"|", "|"}, {"├", "┤"}, {"+", "+"}} {
		if strings.HasPrefix(line, ends[0]) && strings.HasSuffix(line, ends[1]) && len(line) > len(ends[0]) {
			return true
		}
	}
	return false
}

// markdownRow converts a piece of a drawn table line to markdown.
func markdownRow(piece string) string {
	if strings.Trim(piece, "├┼┤─+-") != "" {
		return strings.ReplaceAll(piece, "│", "|")
	}
	cells := strings.FieldsFunc(piece, func(r rune) bool { return r != '─' && r != '-' })
	return "|" + strings.Repeat(" --- |", len(cells))
}

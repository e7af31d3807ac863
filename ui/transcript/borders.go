package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// borders takes away what the lines of a reply have drawn around their text: the bars
// of quotes. Tables become tables of markdown. Code stays as it is, so the lines must
// be given in order, from the first one on.
type borders struct {
	quote string // the bar
	code  bool   // a block of code has begun
	depth int    // columns of bars in front of it
}

// lead is how many columns of bars stand in front of a drawn line, and whether the
// line is a row or a rule of a table.
func (b *borders) lead(line string) (columns int, table bool) {
	line = ansi.Strip(theme.StripMarks(line))
	rest := strings.TrimLeft(line, " ")
	if b.code {
		columns, rest = b.depth, ansi.TruncateLeft(line, b.depth, "")
	}
	for !b.code && !tableLine(rest) {
		text, ok := strings.CutPrefix(rest, b.quote)
		if !ok || text != "" && text[0] != ' ' {
			break
		}
		rest = strings.TrimPrefix(text, " ")
		columns = ansi.StringWidth(line) - ansi.StringWidth(rest)
	}
	table = !b.code && tableLine(rest)
	if strings.HasPrefix(strings.TrimLeft(rest, " "), "```") {
		b.code, b.depth = !b.code, columns
	}
	return columns, table
}

// tableLine reports whether a line without indentation belongs to a table, as package
// mdview draws it.
func tableLine(line string) bool {
	line = strings.TrimRight(line, " ")
	for _, ends := range [][2]string{{"│", "│"}, {"|", "|"}, {"┌", "┐"}, {"├", "┤"}, {"└", "┘"}} {
		if strings.HasPrefix(line, ends[0]) && strings.HasSuffix(line, ends[1]) && len(line) > len(ends[0]) {
			return true
		}
	}
	return false
}

// markdownRow is a piece of a line of a table in markdown, false for a rule that
// markdown does not have.
func markdownRow(piece string) (string, bool) {
	if strings.ContainsAny(piece, "┌┐└┘┬┴") || strings.Trim(piece, "─") == "" {
		return "", false
	}
	if !strings.Contains(piece, "─") || strings.ContainsFunc(piece, func(r rune) bool { return !strings.ContainsRune("├┼┤─", r) }) {
		return strings.ReplaceAll(piece, "│", "|"), true
	}
	cells := strings.FieldsFunc(piece, func(r rune) bool { return r != '─' })
	return "| " + strings.Repeat("--- | ", len(cells)-1) + "--- |", true
}

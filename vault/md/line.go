package md

import (
	"regexp"
	"strings"
)

// Indent returns the width of the white space at the beginning of line, in columns and in bytes.
func Indent(line string) (columns, bytes int) {
	for bytes < len(line) {
		switch line[bytes] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, bytes
		}
		bytes++
	}
	return columns, bytes
}

// Heading parses an unindented line "## Text ##".
func Heading(line string) (level int, text string, ok bool) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, "", false
	}
	text = strings.Trim(line[level:], " \t")
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") ||
		strings.HasSuffix(bare, "\t") {
		text = strings.TrimRight(bare, " \t")
	}
	return level, text, true
}

// Underline returns the level of the heading that an unindented line of === or --- makes of the paragraph above
// it; 0 for other lines.
func Underline(line string) int {
	line = strings.TrimRight(line, " \t")
	switch {
	case line == "":
		return 0
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// Rule reports whether an unindented line is a thematic break: three or more of - * _.
func Rule(line string) bool {
	if len(line) < 3 || line[0] != '-' && line[0] != '*' && line[0] != '_' {
		return false
	}
	n := 0
	for i := range len(line) {
		switch line[i] {
		case line[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// ListMark returns the length of the list mark at the beginning of an unindented line, 0 if there is none.
func ListMark(line string) int {
	n := 0
	for n < len(line) && n < 9 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	switch {
	case n == len(line):
		return 0
	case n > 0 && (line[n] == '.' || line[n] == ')'):
		n++
	case n == 0 && (line[0] == '-' || line[0] == '*' || line[0] == '+'):
		n = 1
	default:
		return 0
	}
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// Frontmatter returns the properties of a text: the lines between a first line that is exactly "---" and the
// next such line, which may have trailing white space. rest is the offset of the first line after them.
func Frontmatter(text string) (block string, rest int, ok bool) {
	const mark = "---\n"
	if !strings.HasPrefix(text, mark) {
		return "", 0, false
	}
	for at := len(mark); at < len(text); {
		line, _, more := strings.Cut(text[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if strings.HasPrefix(line, "---") && strings.Trim(line[3:], " \t") == "" {
			return text[len(mark):at], next, true
		}
		at = next
	}
	return "", 0, false
}

// The marks of the comment in which ibid stores data of a saved chat.
const (
	HiddenOpen  = "<!-- ibid"
	HiddenClose = "-->"
)

// FindHidden finds ibid's first comment in a text: text[start:end], at the beginning of a line.
func FindHidden(text string) (start, end int, ok bool) {
	for {
		i := strings.Index(text[start:], HiddenOpen)
		if i < 0 {
			return 0, 0, false
		}
		start += i
		at := start + len(HiddenOpen)
		if (start == 0 || text[start-1] == '\n') &&
			(strings.HasPrefix(text[at:], " {") || strings.HasPrefix(text[at:], "-")) {
			n := strings.Index(text[at:], HiddenClose)
			return start, at + n + len(HiddenClose), n >= 0
		}
		start = at
	}
}

// CutHidden returns a text without ibid's comments and the blank lines below them.
func CutHidden(text string) string {
	return replaceHidden(text, func(comment, rest string) (string, string) {
		return "", strings.TrimLeft(rest, "\r\n")
	})
}

// BlankHidden returns a text with blank lines in place of ibid's comments, so that line numbers stay the same.
func BlankHidden(text string) string {
	return replaceHidden(text, func(comment, rest string) (string, string) {
		return strings.Repeat("\n", strings.Count(comment, "\n")), rest
	})
}

func replaceHidden(text string, with func(comment, rest string) (string, string)) string {
	var b strings.Builder
	for start, end, ok := FindHidden(text); ok; start, end, ok = FindHidden(text) {
		lines, rest := with(text[start:end], text[end:])
		b.WriteString(text[:start] + lines)
		text = rest
	}
	return b.String() + text
}

// BlockID splits a line before the block id at its end: "text ^id" gives the id and "text". An id alone has ""
// before it.
func BlockID(line string) (id, before string, ok bool) {
	line = strings.TrimRight(line, " \t")
	at := strings.LastIndexByte(line, '^')
	if at < 0 || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
		return "", "", false
	}
	if id = line[at+1:]; !blockID.MatchString(id) {
		return "", "", false
	}
	return id, strings.TrimRight(line[:at], " \t"), true
}

var blockID = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

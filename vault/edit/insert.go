package edit

import (
	"strings"

	"ibid/vault/md"
)

// Rewrite returns content as a replacement of text, with the line ends and the byte order mark of text. The
// frontmatter of text stays if content has none.
func Rewrite(text, content string) string {
	front := ""
	if _, _, has := md.Frontmatter(withEnds(content, "\n")); !has {
		front = text[:frontmatterEnd(text)]
	}
	if front == "" && strings.HasPrefix(text, mark) {
		front = mark
	}
	return joinLines(front, withEnds(content, lineEndOf(text)), lineEndOf(text))
}

// frontmatterEnd returns the offset of the first line after the frontmatter, 0 if there is none.
func frontmatterEnd(text string) int {
	plain := withEnds(text, "\n")
	_, rest, ok := md.Frontmatter(plain)
	if !ok {
		return 0
	}
	at := 0
	for n := strings.Count(plain[:rest], "\n"); n > 0; n-- {
		at = nextLine(text, at)
	}
	if !strings.HasSuffix(plain[:rest], "\n") {
		return len(text) // the last line has no end
	}
	return at
}

// nextLine returns the offset of the line after the one that begins at at.
func nextLine(text string, at int) int {
	i := strings.IndexAny(text[at:], "\r\n")
	switch {
	case i < 0:
		return len(text)
	case strings.HasPrefix(text[at+i:], "\r\n"):
		i++
	}
	return at + i + 1
}

// joinLines returns a followed by b, which begins on a line of its own.
func joinLines(a, b, end string) string {
	if a == "" || a == mark || strings.HasSuffix(a, "\n") || strings.HasSuffix(a, "\r") {
		return a + b
	}
	return a + end + b
}

// lineEndOf returns the kind of line ends of a text, that of its first line.
func lineEndOf(text string) string {
	i := strings.IndexByte(text, '\n')
	if i < 0 && strings.Contains(text, "\r") {
		return "\r"
	}
	return endAt(text, i)
}

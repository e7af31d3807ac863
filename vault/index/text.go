package index

import (
	"bytes"
	"cmp"
	"strings"
)

// pieceRunes bounds the pieces of sections that are ranked by themselves.
const pieceRunes = 2000

// piece is a section, or a part of a long one that ends at a line, if need be at a
// sentence.
type piece struct {
	*section
	from, to int // byte offsets in the text of the note
}

// pieces cuts the sections of a note into pieces.
func pieces(content string, all []section) []piece {
	list := make([]piece, 0, len(all))
	for i := range all {
		s := &all[i]
		for from, more := s.from, true; more; {
			to := from + breakAt(content[from:s.to], pieceRunes)
			list = append(list, piece{s, from, to})
			from, more = to, to < s.to
		}
	}
	return list
}

// lineEndAt is where the line ends that begins at from, with its line end.
func lineEndAt(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// breakAt is the offset of at most so many runes where a text is best cut: behind
// a line, else a sentence, else a word, of its second half.
func breakAt(text string, runes int) int {
	if len(text) <= runes {
		return len(text)
	}
	for i := range text {
		if runes--; runes < 0 {
			return cmp.Or(behindLast(text[:i], "\n", ". ", "。", " "), i)
		}
	}
	return len(text)
}

// behindLast is behind the last of the first mark that stands in the second half of a
// text, 0 if there is none.
func behindLast(text string, marks ...string) int {
	for _, mark := range marks {
		if at := strings.LastIndex(text, mark); at > len(text)/2 {
			return at + len(mark)
		}
	}
	return 0
}

// visibleText is what a reader sees of a text, and the addresses of links, which he does not.
func visibleText(text string) (seen, addresses string) {
	if !strings.Contains(text, "](") && !strings.Contains(text, "[[") && !strings.Contains(text, "://") {
		return text, ""
	}
	b, hidden := make([]byte, 0, len(text)), []byte{}
	for text != "" {
		at := strings.IndexAny(text, "[]:")
		if at < 0 {
			break
		}
		b = append(b, text[:at]...)
		text = text[at:]
		skip := 1
		switch {
		case strings.HasPrefix(text, "](") && addressEnd(text) > 0:
			skip = addressEnd(text)
		case strings.HasPrefix(text, "[["):
			skip = 2
			if end := strings.Index(text, "]]"); end > 0 && !strings.Contains(text[:end], "\n") {
				skip = strings.IndexByte(text[:end], '|') + 1
			}
		case strings.HasPrefix(text, "://"):
			scheme := bytes.TrimRightFunc(b, func(r rune) bool { return 'a' <= r|' ' && r|' ' <= 'z' })
			b, hidden = scheme, append(hidden, b[len(scheme):]...)
			if skip = strings.IndexAny(text, " \t\n)>\"，。"); skip < 0 {
				skip = len(text)
			}
		}
		skip = max(skip, 1)
		b, hidden = append(b, ' '), append(append(hidden, text[:skip]...), '\n')
		text = text[skip:]
	}
	return string(append(b, text...)), string(hidden)
}

// addressEnd is where the address of a link ends that begins with "](", 0 if it is none.
func addressEnd(text string) int {
	depth := 0
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case ' ', '\n':
			return 0
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

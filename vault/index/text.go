package index

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
)

// breakAt returns the best offset to cut a text after at most so many runes: in its second half
// behind a line, else a sentence, else a word.
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

// behindLast returns the offset behind the last occurrence of the first mark that is in the second
// half of a text, 0 if none is.
func behindLast(text string, marks ...string) int {
	for _, mark := range marks {
		if at := strings.LastIndex(text, mark); at > len(text)/2 {
			return at + len(mark)
		}
	}
	return 0
}

// address matches the address of a link, from its opening mark on. It does not go beyond another opening mark, so that
// many marks in a row do not each read to the end.
var address = regexp.MustCompile(`^(?:\]\((?:[^()\s]|\([^()\s]*\))*\)|\[\[[^\[\]\n|]*\||://[^\s)>"，。]*)`)

// visibleText separates the visible part of a text from the addresses of links.
func visibleText(text string) (seen, addresses string) {
	if !strings.Contains(text, "](") && !strings.Contains(text, "[[") && !strings.Contains(text, "://") {
		return text, ""
	}
	b, hidden := make([]byte, 0, len(text)), []byte{}
	for {
		at := strings.IndexAny(text, "[]:")
		if at < 0 {
			return string(append(b, text...)), string(hidden)
		}
		b, text = append(b, text[:at]...), text[at:]
		link := address.FindString(text)
		if strings.HasPrefix(link, ":") {
			scheme := bytes.TrimRightFunc(b, func(r rune) bool { return 'a' <= r|' ' && r|' ' <= 'z' })
			b, hidden = scheme, append(hidden, b[len(scheme):]...)
		}
		b, hidden = append(b, ' '), append(append(hidden, link...), '\n')
		text = text[max(len(link), 1):]
	}
}

package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/md"
)

const snippetRunes = 160

// place finds the line that fits t best, of a section or of some of its lines, and cuts
// a snippet from it. A line of the properties is taken only if it fits; where no line
// fits, the first one that says something, if need be one after them.
func (h *Hit) place(text *vault.Text, t *terms, in lineRange) {
	l := newLines(text.Content)
	h.End = min(h.End, l.count()) // the text may be newer than the index
	h.Start = min(h.Start, h.End)
	in = lineRange{max(in.from, h.Start), min(in.to, h.End)}
	h.Line = in.from
	best, bestLine := -1, ""
	var folded []byte
	c := newCounter(t.list)
	for n := in.from; n <= l.count() && (n <= in.to || best < 0); n++ {
		line := l.between(n, n)
		if folded = foldText(folded[:0], line); len(folded) == 0 {
			continue
		}
		if score := t.fit(folded, c); score > best && (score > 0 || n >= text.Note.BodyLine) {
			best, bestLine = score, line
			if n <= in.to {
				h.Line = n
			}
		}
	}
	h.Snippet = t.cut(bestLine)
}

// fit says how much of t stands in a folded line.
func (t *terms) fit(folded []byte, c *counter) (score int) {
	for _, w := range t.all {
		if w.in(folded) {
			score += 3
		}
	}
	held := map[string]bool{}
	eachToken(folded, func(word []byte) {
		if len(c.matches(word)) > 0 {
			held[string(word)] = true
		}
	})
	return score + len(held)
}

// cut cuts a line to snippetRunes around the first word that fits, and
// leaves out control characters and the marks that make a line a heading,
// list item or quote.
func (t *terms) cut(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, line)
	line = md.OneLine(strings.TrimLeft(line, "#>*+- "))
	runes := []rune(line)
	if at := t.marks(line); len(runes) > snippetRunes && len(at) > 0 && at[0] > snippetRunes/3 {
		from := min(at[0]-snippetRunes/3, len(runes)-snippetRunes+1)
		line = "…" + strings.TrimLeft(string(runes[from:]), " ")
	}
	return md.Clip(line, snippetRunes)
}

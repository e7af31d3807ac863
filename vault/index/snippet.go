package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
)

const snippetRunes = 160

// place finds the line of a section that fits t best and cuts a snippet from
// it. A line of the properties is taken only if it fits; where no line fits, the
// first one that says something, if need be one after the section.
func place(h *Hit, text *vault.Text, t terms) {
	lines := lineStarts(text.Content)
	h.End = min(h.End, len(lines)) // the text may be newer than the index
	h.Start = min(h.Start, h.End)
	h.Line = h.Start
	best, bestLine := -1, ""
	var folded []byte
	for n := h.Start; n <= len(lines) && (n <= h.End || best < 0); n++ {
		line := lineAt(text.Content, lines, n)
		folded = foldText(folded[:0], line)
		if len(folded) == 0 {
			continue
		}
		score := fit(folded, t)
		if score > best && (score > 0 || n >= text.Note.BodyLine) {
			best, bestLine = score, line
			if n <= h.End {
				h.Line = n
			}
		}
	}
	h.Snippet = cutSnippet(bestLine, t)
}

// fit says how much of t stands in a folded line.
func fit(folded []byte, t terms) int {
	score := 0
	for _, w := range t.all {
		if w.in(folded) {
			score += 3
		}
	}
	for _, w := range t.words {
		if w.in(folded) {
			score++
		}
	}
	return score
}

func lineAt(text string, lines []int, n int) string {
	end := len(text)
	if n < len(lines) {
		end = lines[n]
	}
	return text[lines[n-1]:end]
}

// cutSnippet cuts a line to snippetRunes around the first word that fits, and
// leaves out control characters and the marks that make a line a heading,
// list item or quote.
func cutSnippet(line string, t terms) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, line)
	line = strings.Join(strings.Fields(strings.TrimLeft(line, "#>*+- ")), " ")
	runes := []rune(line)
	if len(runes) <= snippetRunes {
		return line
	}
	from := 0
	if at := t.marks(line); len(at) > 0 && at[0] > snippetRunes/3 {
		from = min(at[0]-snippetRunes/3, len(runes)-snippetRunes+1)
	}
	to := min(from+snippetRunes-1, len(runes))
	s := strings.TrimSpace(string(runes[from:to]))
	if from > 0 {
		s = "…" + s
	}
	if to < len(runes) {
		s += "…"
	}
	return s
}

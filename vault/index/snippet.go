package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

const snippetRunes = 160

// place finds the section of h.lines, or else of h.Start, and cuts a snippet from the best line of
// these lines or of the section; of several joined ones, the section is that of the best line. If no line fits, it is
// the first line below the properties that is not blank, even behind the section.
func (h *Hit) place(p *page, c *counter) {
	all := p.sections()
	in, whole := h.lines, h.lines.from == 0
	if whole {
		in.from = min(h.Start, p.count())
	}
	h.locate(all, in.from)
	h.Line = in.from
	end := h.End
	if whole {
		end = max(end, h.joined.to)
		in = lineRange{h.Start, end}
	}
	best, bestLine := -1, ""
	from := max(in.from, p.Note.BodyLine) // for lines that do not fit
	if h.Shares.Words < h.Shares.Meaning && h.Heading != "" {
		from = max(from, h.Start+1)
	}
	for n := in.from; n <= p.count() && (n <= min(in.to, end) || best < 0); n++ {
		line := p.between(n, n)
		if score, words := c.fit(line); words > 0 && score > best && (score > 0 || n >= from) {
			best, bestLine = score, line
			if n <= in.to {
				h.Line = n
			}
		}
	}
	if whole && h.joined.from > 0 {
		h.locate(all, h.Line)
	}
	h.Snippet = h.found.cut(bestLine)
}

// locate sets the section of a line.
func (h *Hit) locate(all []section, line int) {
	for i := range all {
		s := &all[i]
		if s.start <= line && line <= s.end {
			h.Heading = s.heading
			h.Start = s.start
			h.End = s.end
		}
	}
}

// fit rates the terms in a line: one as it is written counts 4, a form of it 1. It returns the number of words, too.
func (c *counter) fit(line string) (score int, words float64) {
	exact, stems := c.empty(), c.empty()
	words = c.count(line, 1, exact, stems)
	for i := range stems {
		if exact[i] > 0 {
			score += 3
		}
		if stems[i] > 0 {
			score++
		}
	}
	return score, words
}

// cut shortens a line to snippetRunes around the first word that fits. It removes control
// characters and the marks of a heading, list item or quote.
func (t *terms) cut(line string) string {
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, md.OneLine(strings.TrimLeft(line, "#>*+- ")))
	runes := []rune(line)
	if at := t.marks(line); len(runes) > snippetRunes && len(at) > 0 && at[0] > snippetRunes/3 {
		from := min(at[0]-snippetRunes/3, len(runes)-snippetRunes+1)
		line = "…" + strings.TrimLeft(string(runes[from:]), " ")
	}
	return md.Clip(line, snippetRunes)
}

package index

import (
	"strings"
	"unicode/utf8"
)

// unit is a piece of a long section that windows are made of: a paragraph, a line
// of a long one, or a part of a long line.
type unit struct {
	from, to int // byte offsets
	runes    int
	counts   []float64 // of the wants
}

// window is the part of content[from:to] that has most of the query and is no
// longer than a passage may be. Of several that have as much, it is the one in the
// middle, so that there is something before and after.
func (c *cutter) window(n *cutNote, from, to int) (start, end int) {
	units := cutUnits(n.text.Content[from:to], from)
	s := c.scorer
	var folded []byte
	for i := range units {
		u := &units[i]
		u.counts = make([]float64, len(s.wants))
		if text := n.text.Content[u.from:u.to]; s.mayHold(text) {
			folded = foldText(folded[:0], text)
			clear(s.unused)
			s.count(folded, n.in, 1, s.unused, u.counts)
		}
	}
	counts := make([]float64, len(s.wants))
	runes, last, best := 0, 0, -1.0
	var firstBest, lastBest int // of windows in a row that are the best
	for first := range units {
		for last < len(units) && (last == first || runes+units[last].runes <= passageRunes) {
			for i, c := range units[last].counts {
				counts[i] += c
			}
			runes += units[last].runes
			last++
		}
		switch score := s.held(counts); {
		case score > best:
			best, firstBest, lastBest = score, first, first
		case score == best && lastBest == first-1 && best > 0:
			lastBest = first
		}
		for i, c := range units[first].counts {
			counts[i] = max(counts[i]-c, 0)
		}
		runes -= units[first].runes
	}
	first := (firstBest + lastBest) / 2
	end = units[first].to
	for runes, i := units[first].runes, first+1; i < len(units) && runes+units[i].runes <= passageRunes; i++ {
		runes, end = runes+units[i].runes, units[i].to
	}
	return units[first].from, end
}

// held rates counts of the wants by how rare they are; a word again counts less
// than another one.
func (s *scorer) held(counts []float64) float64 {
	sum := 0.0
	for i, c := range counts {
		sum += s.rarity[i] * c / (c + 0.5)
	}
	return sum
}

// cutUnits cuts a text that stands at an offset into units. Blank lines belong to
// the unit before them.
func cutUnits(text string, offset int) []unit {
	var units []unit
	add := func(from, to int) {
		units = append(units, unit{from: offset + from, to: offset + to, runes: utf8.RuneCountInString(text[from:to])})
	}
	for from := 0; from < len(text); {
		to := paragraphEnd(text, from)
		if utf8.RuneCountInString(text[from:to]) <= passageRunes {
			add(from, to)
			from = to
			continue
		}
		for from < to {
			end := lineEndAt(text, from)
			if end-from > passageRunes {
				end = from + breakAt(text[from:end], passageRunes/3)
			}
			add(from, end)
			from = end
		}
	}
	return units
}

// paragraphEnd is where the paragraph that begins at from ends, with the blank
// lines behind it.
func paragraphEnd(text string, from int) int {
	blank := false
	for at := from; at < len(text); {
		end := lineEndAt(text, at)
		switch empty := strings.TrimSpace(text[at:end]) == ""; {
		case empty:
			blank = at > from
		case blank:
			return at
		}
		at = end
	}
	return len(text)
}

// lineEndAt is where the line ends that begins at from, with its line end.
func lineEndAt(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// breakAt is the offset of at most so many runes where a text is best cut: behind
// a sentence, else a word, of its second half.
func breakAt(text string, runes int) int {
	end := len(text)
	for i := range text {
		if runes--; runes < 0 {
			end = i
			break
		}
	}
	if end == len(text) {
		return end
	}
	for _, mark := range []string{". ", "。", " "} {
		if at := strings.LastIndex(text[:end], mark); at > end/2 {
			return at + len(mark)
		}
	}
	return end
}

// longestRun is how much of the beginning of a text makes a passage: whole
// paragraphs, or lines, as far as they fit.
func longestRun(text string) int {
	runes, end := 0, 0
	for from := 0; from < len(text); from = end {
		to := paragraphEnd(text, from)
		n := utf8.RuneCountInString(text[from:to])
		if runes+n > passageRunes {
			break
		}
		runes, end = runes+n, to
	}
	if end > 0 {
		return end
	}
	return breakAt(text, passageRunes)
}

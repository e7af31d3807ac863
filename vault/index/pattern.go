package index

import (
	"strings"
	"unicode/utf8"
)

// pattern is a picker query, prepared.
type pattern struct {
	folded  string   // words joined by single spaces
	words   []string // parts of folded
	letters string   // folded without spaces
	mask    uint64
	tags    bool  // the query started with #
	path    bool  // the query has a slash: paths count as names
	at      []int // the bytes of the name that matched last, in any order
}

func parsePattern(query string) pattern {
	query = strings.TrimSpace(query)
	p := pattern{}
	if rest, ok := strings.CutPrefix(query, "#"); ok {
		p.tags, query = true, rest
	}
	words := strings.Fields(foldName(query))
	if n := len(words); n > 0 { // a name typed with its extension
		words[n-1] = strings.TrimSuffix(words[n-1], ".md")
	}
	p.words = words
	p.folded = strings.Join(words, " ")
	p.letters = strings.Join(words, "")
	p.mask = mask(p.letters)
	p.path = strings.Contains(p.folded, "/")
	return p
}

// match says how a name matches, and how well if its letters are scattered: at is which
// bytes of it do then. A match that is no better than limit need not be found.
func (p *pattern) match(name string, limit Tier) (t Tier, score int) {
	switch {
	case strings.HasPrefix(name, p.folded):
		p.at = p.at[:0]
		p.mark(0, p.folded)
		if len(name) == len(p.folded) {
			return Exact, 0
		}
		return Prefix, 0
	case limit > WordStart && p.holds(name, wordStart):
		return WordStart, 0
	case limit > Inside && p.holds(name, strings.Index):
		return Inside, 0
	case limit > Scattered:
		if score, ok := p.scattered(name); ok {
			return Scattered, score
		}
	}
	return noMatch, 0
}

func (p *pattern) mark(from int, w string) {
	for i := range w {
		p.at = append(p.at, from+i)
	}
}

// holds reports whether all words are found in a name.
func (p *pattern) holds(name string, find func(name, word string) int) bool {
	p.at = p.at[:0]
	for _, w := range p.words {
		from := find(name, w)
		if from < 0 {
			return false
		}
		p.mark(from, w)
	}
	return true
}

// wordStart is the first position of w in name where a word starts, or -1. In
// scripts without spaces a word may start anywhere.
func wordStart(name, w string) int {
	first, size := utf8.DecodeRuneInString(w)
	for from := 0; ; {
		i := strings.Index(name[from:], w)
		if i < 0 {
			return -1
		}
		i += from
		before, n := utf8.DecodeLastRuneInString(name[:i])
		if n == 0 || startsWord(before, first) {
			return i
		}
		from = i + size
	}
}

// startsWord reports whether a word can start at r when it comes after before.
func startsWord(before, r rune) bool {
	return isDense(r) || !wordRune(before) || isDense(before) || digit(before) != digit(r)
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// scattered finds the letters of p in a name, one behind the other: score is how many start
// a word or follow the one before at once.
func (p *pattern) scattered(name string) (score int, ok bool) {
	p.at = p.at[:0]
	end := 0
	for i, r := range p.letters {
		next := strings.IndexRune(name[end:], r)
		if next < 0 {
			return 0, false
		}
		end += next
		if before, n := utf8.DecodeLastRuneInString(name[:end]); next == 0 && i > 0 || n == 0 || startsWord(before, r) {
			score++
		}
		p.at = append(p.at, end)
		end += utf8.RuneLen(r)
	}
	return score, true
}

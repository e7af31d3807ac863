package index

import (
	"slices"
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
	at      []int // a buffer of scattered
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
		if words[n-1] == "" {
			words = words[:n-1]
		}
	}
	p.words = words
	p.folded = strings.Join(words, " ")
	p.letters = strings.Join(words, "")
	p.mask = mask(p.letters)
	p.path = strings.Contains(p.folded, "/")
	return p
}

// tier says how a name matches, and how well if its letters are scattered. A match that
// is no better than limit need not be found.
func (p *pattern) tier(name string, limit Tier) (t Tier, score int) {
	switch {
	case strings.HasPrefix(name, p.folded):
		if len(name) == len(p.folded) {
			return Exact, 0
		}
		return Prefix, 0
	case limit > WordStart && p.startsWords(name):
		return WordStart, 0
	case limit > Inside && p.inside(name):
		return Inside, 0
	case limit > Scattered:
		if at, score := p.scattered(name); len(at) > 0 {
			return Scattered, score
		}
	}
	return noMatch, 0
}

func (p *pattern) startsWords(name string) bool {
	return !slices.ContainsFunc(p.words, func(w string) bool { return wordStart(name, w) < 0 })
}

func (p *pattern) inside(name string) bool {
	return !slices.ContainsFunc(p.words, func(w string) bool { return !strings.Contains(name, w) })
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

// scattered are the positions in name of the letters of p, one behind the other, none if
// one is missing, and how many start a word or follow the one before at once.
func (p *pattern) scattered(name string) (at []int, score int) {
	at, end := p.at[:0], 0
	for i, r := range p.letters {
		next := strings.IndexRune(name[end:], r)
		if next < 0 {
			return nil, 0
		}
		end += next
		if before, n := utf8.DecodeLastRuneInString(name[:end]); next == 0 && i > 0 || n == 0 || startsWord(before, r) {
			score++
		}
		at = append(at, end)
		end += utf8.RuneLen(r)
	}
	p.at = at
	return at, score
}

// positions are the byte positions of the runes of name that make it match.
func (p *pattern) positions(name string, t Tier) []int {
	var at []int
	mark := func(from int, w string) {
		for i := range w {
			at = append(at, from+i)
		}
	}
	switch t {
	case Exact, Prefix:
		mark(0, p.folded)
	case WordStart:
		for _, w := range p.words {
			mark(wordStart(name, w), w)
		}
	case Inside, Outside:
		for _, w := range p.words {
			mark(strings.Index(name, w), w)
		}
	case Scattered:
		at, _ = p.scattered(name)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/index/fold"
)

// pattern is a parsed query.
type pattern struct {
	folded  string // words joined by single spaces
	words   []string
	letters string // folded without spaces
	mask    uint64
	tags    bool  // the query started with #
	path    bool  // the query has a slash: paths count as names
	at      []int // bytes of the last name that matched, in any order
}

func parsePattern(query string) (p pattern) {
	query, p.tags = strings.CutPrefix(fold.Name(strings.TrimSpace(query)), "#")
	p.words = strings.Fields(strings.TrimSuffix(query, ".md")) // a name typed with its extension
	p.folded, p.letters = strings.Join(p.words, " "), strings.Join(p.words, "")
	p.mask, p.path = fold.Mask(p.letters), strings.Contains(p.folded, "/")
	return p
}

// match returns how a name or a path matches, with a score if its letters are scattered, and sets
// at. A match that is no better than limit need not be found.
func (p *pattern) match(name string, path bool, limit Tier) (t Tier, score int) {
	switch {
	case path:
		if limit > Outside && p.holds(name, strings.Index) {
			return Outside, 0
		}
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

// wordStart returns the first position of w in name where a word starts, or -1. In scripts without
// spaces a word may start anywhere.
func wordStart(name, w string) int {
	for from := 0; ; from++ {
		i := strings.Index(name[from:], w)
		if i < 0 {
			return -1
		}
		if from += i; startsWord(name, from) {
			return from
		}
	}
}

// startsWord reports whether a word can start at a byte of a name.
func startsWord(name string, at int) bool {
	before, n := utf8.DecodeLastRuneInString(name[:at])
	r, _ := utf8.DecodeRuneInString(name[at:])
	return n == 0 || fold.IsDense(r) || !fold.IsWordRune(before) || fold.IsDense(before) ||
		unicode.IsDigit(before) != unicode.IsDigit(r)
}

// scattered finds the letters of p in a name, one behind the other. Those that start a word or
// follow the one before at once count for the score.
func (p *pattern) scattered(name string) (score int, ok bool) {
	p.at = p.at[:0]
	end := 0
	for i, r := range p.letters {
		next := strings.IndexRune(name[end:], r)
		if next < 0 {
			return 0, false
		}
		if end += next; next == 0 && i > 0 || startsWord(name, end) {
			score++
		}
		p.at = append(p.at, end)
		end += utf8.RuneLen(r)
	}
	return score, true
}

package vault

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// similarTable holds the letters and digits of every name, title and alias, for finding similar names.
type similarTable []similarName

type similarName struct {
	key  string
	path Path
}

func newSimilarTable(notes []*Note) similarTable {
	var t similarTable
	add := func(name string, p Path) {
		if k := foldLoosely(name); k != "" {
			t = append(t, similarName{k, p})
		}
	}
	for _, n := range notes {
		add(n.Path.Base(), n.Path)
		if n.Title != n.Path.Base() {
			add(n.Title, n.Path)
		}
		for _, a := range n.Aliases {
			add(a, n.Path)
		}
	}
	return t
}

// bestMatches returns the notes whose names are most similar to name, best first: those with the same letters, the
// same beginning, or one or two typing errors. At most maxCandidates are returned.
func (t similarTable) bestMatches(name string) []Path {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/")
	key := foldLoosely(name[strings.LastIndexAny(name, `/\`)+1:])
	if key == "" {
		return nil
	}
	type guess struct {
		path Path
		cost int
	}
	var all []guess
	slips := max(1, len(key)/5)
	for _, n := range t {
		cost := slips + 1
		if d := len(n.key) - len(key); max(d, -d) <= slips*utf8.UTFMax {
			cost = min(cost, levenshtein.ComputeDistance(n.key, key))
		}
		if cost <= slips || len(key) >= 3 && strings.HasPrefix(n.key, key) {
			all = append(all, guess{n.path, cost})
		}
	}
	slices.SortFunc(all, func(a, b guess) int { return cmp.Or(a.cost-b.cost, cmp.Compare(a.path, b.path)) })
	var out []Path
	for _, g := range all {
		if !slices.Contains(out, g.path) && len(out) < maxCandidates {
			out = append(out, g.path)
		}
	}
	return out
}

// foldLoosely returns the letters, marks and digits of a name, folded.
func foldLoosely(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, fold(name))
}

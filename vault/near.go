package vault

import (
	"slices"
	"strings"
	"unicode"
)

// nearTable finds names that look like another. It holds the letters and
// digits of every name, title and alias in two orders, from the front and from
// the back, so that a slip in one half of a name leaves the other half to find
// it by.
type nearTable struct {
	front, rear []nearName // sorted by key
}

type nearName struct {
	key  string
	path Path
}

// neighbours is how many names on each side of where a name would stand are
// compared with it.
const neighbours = 64

func newNearTable(notes []*Note) *nearTable {
	t := &nearTable{}
	add := func(name string, p Path) {
		if k := loose(name); k != "" {
			t.front = append(t.front, nearName{k, p})
			t.rear = append(t.rear, nearName{reversed(k), p})
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
	byKey := func(a, b nearName) int { return strings.Compare(a.key, b.key) }
	slices.SortStableFunc(t.front, byKey)
	slices.SortStableFunc(t.rear, byKey)
	return t
}

// like lists the notes whose name is closest to name, best first: the same
// letters, the same beginning, or a slip or two away.
func (t *nearTable) like(name string) []Path {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/")
	key := loose(name[strings.LastIndexByte(name, '/')+1:])
	if key == "" {
		return nil
	}
	type guess struct {
		path Path
		cost int
	}
	var all []guess
	slips := max(1, len(key)/5)
	look := func(list []nearName, key string) {
		at, _ := slices.BinarySearchFunc(list, key, func(n nearName, k string) int { return strings.Compare(n.key, k) })
		for _, n := range list[max(0, at-neighbours):min(len(list), at+neighbours)] {
			cost := distance(n.key, key, slips)
			if cost > slips && (len(key) < 3 || !strings.HasPrefix(n.key, key)) {
				continue
			}
			all = append(all, guess{n.path, cost})
		}
	}
	look(t.front, key)
	look(t.rear, reversed(key))
	slices.SortFunc(all, func(a, b guess) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return strings.Compare(string(a.path), string(b.path))
	})
	var out []Path
	for _, g := range all {
		if !slices.Contains(out, g.path) && len(out) < maxCandidates {
			out = append(out, g.path)
		}
	}
	return out
}

// loose is the letters and digits of a name, folded.
func loose(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, fold(name))
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// distance is the number of characters to insert, delete or replace to get
// from a to b; more than limit is reported as limit+1.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last, least := row[0], i+1
		row[0] = i + 1
		for j := range y {
			cost := last
			if x[i] != y[j] {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > limit {
			return limit + 1
		}
	}
	return min(row[len(y)], limit+1)
}

package edit

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Rebase applies a change to a text that differs from the one it was made for: each hunk goes to the only place
// where its lines occur. If the whole context is not found, the nearest lines of it are enough. conflicts are
// the indexes of the hunks that fit nowhere, or in several places; the returned change is without them.
func Rebase(c *Change, now string) (Change, []int) {
	if now == c.Before {
		return *c, nil
	}
	text := lines(now)
	var (
		out       []string
		conflicts []int
		at        int
	)
	for n := range c.Hunks {
		where, edits, ok := c.place(&c.Hunks[n], text, at)
		if !ok {
			conflicts = append(conflicts, n)
			continue
		}
		for _, b := range edits {
			out = append(out, text[at:where+b.Start]...)
			out = append(out, c.now[b.ReplStart:b.ReplEnd]...)
			at = where + b.End
		}
	}
	out = append(out, text[at:]...)
	return Compare(now, strings.Join(out, "")), conflicts
}

// place finds the place of a hunk in a text, after the line at. The old lines of the returned edits are
// relative to where.
func (c *Change) place(h *Hunk, text []string, at int) (where int, edits []lcs.Diff, ok bool) {
	first, last := c.blocks[h.first].Start, c.blocks[h.last-1].End
	for n := contextLines; n >= 0; n-- {
		from, to := max(first-n, 0), min(last+n, len(c.old))
		run := c.old[from:to]
		if n == 0 && !slices.ContainsFunc(run, func(line string) bool { return trimLineEnd(line) != "" }) {
			break // a place without any text to identify it is not certain
		}
		places := occurrences(text, run)
		switch {
		case len(places) > 1:
			return 0, nil, false
		case len(places) == 0:
			continue
		case places[0]+(first-from) < at:
			return 0, nil, false
		}
		for _, b := range c.blocks[h.first:h.last] {
			edits = append(edits, lcs.Diff{
				Start: b.Start - from, End: b.End - from, ReplStart: b.ReplStart, ReplEnd: b.ReplEnd,
			})
		}
		return places[0], edits, true
	}
	return 0, nil, false
}

// occurrences returns the indexes at which run occurs in text, nil for an empty run.
func occurrences(text, run []string) (at []int) {
	if len(run) == 0 {
		return nil
	}
	for i := 0; i+len(run) <= len(text); i++ {
		if slices.Equal(text[i:i+len(run)], run) {
			at = append(at, i)
		}
	}
	return at
}

package edit

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Rebase is a change for a text that is another one now: each hunk goes where its
// lines stand, which must be in one place exactly. Of the lines around a change, those
// nearest to it are enough. The numbers of the hunks that fit nowhere, or in several
// places, are the conflicts; the change that is returned is without them.
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

// place finds where a hunk goes in a text, behind the line at. The edits that it
// returns count their old lines from there.
func (c *Change) place(h *Hunk, text []string, at int) (where int, edits []lcs.Diff, ok bool) {
	first, last := c.blocks[h.first].Start, c.blocks[h.last-1].End
	for n := contextLines; n >= 0; n-- {
		from, to := max(first-n, 0), min(last+n, len(c.old))
		run := c.old[from:to]
		if n == 0 && !slices.ContainsFunc(run, func(line string) bool { return trimLineEnd(line) != "" }) {
			break // a place without a line to know it by is no place
		}
		places := runs(text, run)
		switch {
		case len(places) > 1:
			return 0, nil, false
		case len(places) == 0:
			continue
		case places[0]+(first-from) < at:
			return 0, nil, false
		}
		for _, b := range c.blocks[h.first:h.last] {
			edits = append(edits, lcs.Diff{Start: b.Start - from, End: b.End - from, ReplStart: b.ReplStart, ReplEnd: b.ReplEnd})
		}
		return places[0], edits, true
	}
	return 0, nil, false
}

// runs lists where run stands in text. An empty one stands nowhere.
func runs(text, run []string) (at []int) {
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

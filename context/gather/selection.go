package gather

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/legible"
)

// A selection stands for its text. A heading or a block is found by its name; lines are found by their text,
// wherever it is now.

// gatherAgain reads an item that was gathered before.
func (g *Gatherer) gatherAgain(ctx context.Context, k prompt.Item) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(k.Ref, &items, &missing)
	name, sub, _ := g.split(k.ID)
	if _, _, lines := vault.LineRange(sub); k.Kind != prompt.Selection || !lines || k.Content == "" {
		return g.gatherOne(ctx, k.Ref)
	}
	t, miss := g.read(k.Ref, name)
	if miss != nil {
		return nil, miss
	}
	from, to := k.StartLine, k.EndLine
	if prompt.CanonicalText(legible.Text(t.Lines(from, to))) != k.Content {
		from, to = followSelection(k, strings.TrimSuffix(legible.Lines(t.Content), "\n"))
	}
	if from == 0 {
		return nil, missingRef(k.Ref, "missing", k.ID+": these lines are not there any more")
	}
	it, left := g.partItem(k.Ref, &t, from, to)
	return []prompt.Item{it}, left
}

// maxCompared limits the bytes of a note that Find compares.
const maxCompared = 32 << 20

// Find returns the lines of a selection by the revision that they had, 16 hex digits, wherever they are in the note
// now: the place nearest to their numbers.
func (g *Gatherer) Find(ref prompt.Ref, revision string) (prompt.Item, bool) {
	name, sub, _ := g.split(ref.ID)
	from, to, ok := vault.LineRange(sub)
	if !ok || ref.Kind != prompt.Selection {
		return prompt.Item{}, false
	}
	t, miss := g.read(ref, name)
	if miss != nil {
		return prompt.Item{}, false
	}
	lines := strings.Split(strings.TrimSuffix(legible.Lines(t.Content), "\n"), "\n")
	last := len(lines) - (to - from) // the last possible first line
	compared := 0
	for far := 0; far < max(from, last) && compared < maxCompared; far++ {
		for _, at := range []int{from + far, from - far} {
			if at < 1 || at > last {
				continue
			}
			text := strings.Join(lines[at-1:at+to-from], "\n")
			compared += len(text)
			if prompt.NewItem(ref, "", "", text).Revision.Short() == revision {
				it, _ := g.partItem(ref, &t, at, at+to-from)
				return it, true
			}
		}
	}
	return prompt.Item{}, false
}

// followSelection finds the lines, from 1 and inclusive, where the text of a selection is now: the same text, at the
// place nearest to the old one; else the lines from its first to its last line, or as many as they were; else the
// lines of the same numbers. It returns 0, 0 if there are none.
func followSelection(k prompt.Item, text string) (from, to int) {
	lines, old := strings.Split(text, "\n"), strings.Split(k.Content, "\n")
	n := len(old)
	if from = nearestRun(lines, old, k.StartLine); from > 0 {
		return from, from + n - 1
	}
	if from = nearestRun(lines, old[:1], k.StartLine); from > 0 && identifiesPlace(old[0]) {
		rest := lines[from-1 : min(from+3*n+10, len(lines))]
		size := min(n, len(rest))
		if identifiesPlace(old[n-1]) {
			size = cmp.Or(nearestRun(rest, old[n-1:], n), size)
		}
		return from, from + size - 1
	}
	if k.StartLine > len(lines) {
		return 0, 0
	}
	return k.StartLine, min(k.EndLine, len(lines))
}

// nearestRun returns the number, from 1, of the line nearest to another at which a run of lines begins, 0 if there is
// none.
func nearestRun(lines, run []string, to int) (best int) {
	for at := 1; at+len(run) <= len(lines)+1; at++ {
		if slices.Equal(lines[at-1:at-1+len(run)], run) &&
			(best == 0 || max(at-to, to-at) < max(best-to, to-best)) {
			best = at
		}
	}
	return best
}

// identifiesPlace reports whether a line has enough text to identify a place.
func identifiesPlace(line string) bool {
	n := 0
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n > 2
}

package gather

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/md"
)

// A selection stands for its text. A heading or a block is found by its name; lines are found by their text,
// wherever it is now.

// gatherAgain reads an item that was gathered before.
func (g *Gatherer) gatherAgain(ctx context.Context, k prompt.Item) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(k.Ref, &items, &missing)
	name, sub, ok := g.split(k.ID)
	if k.Kind != prompt.Selection || !ok || !isLines(sub) || k.Content == "" {
		return g.gatherOne(ctx, k.Ref)
	}
	t, miss := g.read(k.Ref, name)
	if miss != nil {
		return nil, miss
	}
	from, to := k.StartLine, k.EndLine
	if prompt.CanonicalText(withoutData(t.Lines(from, to))) != k.Content {
		from, to = followSelection(k, strings.TrimSuffix(withoutData(t.Content), "\n"))
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
	var from, to int
	if n, _ := fmt.Sscanf(sub, "L%d-L%d", &from, &to); n != 2 || ref.Kind != prompt.Selection || from < 1 || to < from {
		return prompt.Item{}, false
	}
	t, miss := g.read(ref, name)
	if miss != nil {
		return prompt.Item{}, false
	}
	lines := strings.Split(strings.TrimSuffix(withoutData(md.BlankHidden(t.Content)), "\n"), "\n")
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

// followSelection finds the lines, 1-based and inclusive, where the text of a selection is now: the same text, at
// the place nearest to the old one; else the lines from its first to its last line, or as many before or after the
// one of them that still exists; else the lines of the same numbers. It returns 0, 0 if there are none.
func followSelection(k prompt.Item, text string) (from, to int) {
	old := strings.Split(k.Content, "\n")
	if at := places(text, k.Content); len(at) > 0 {
		from = closest(at, k.StartLine)
		return from, from + len(old) - 1
	}
	var first, last []int
	if identifiesPlace(old[0]) {
		first = places(text, old[0])
	}
	if identifiesPlace(old[len(old)-1]) {
		last = places(text, old[len(old)-1])
	}
	lines := strings.Count(text, "\n") + 1
	switch {
	case len(first) > 0:
		from = closest(first, k.StartLine)
		to = min(from+len(old)-1, lines)
		last = slices.DeleteFunc(last, func(at int) bool { return at < from || at-from > 3*len(old)+10 })
		if len(last) > 0 {
			to = closest(last, to)
		}
	case len(last) > 0:
		to = closest(last, k.EndLine)
		from = max(to-len(old)+1, 1)
	case k.StartLine <= lines:
		from, to = k.StartLine, min(k.EndLine, lines)
	}
	return from, to
}

// places returns the line numbers, from 1, at which whole lines of a text equal to lines begin.
func places(text, lines string) (at []int) {
	first, _, _ := strings.Cut(lines, "\n") // faster to find than all of them
	for number, done := 1, 0; ; {
		i := strings.Index(text[done:], first)
		if i < 0 {
			return at
		}
		start, end := done+i, done+i+len(lines)
		number += strings.Count(text[done:start], "\n")
		if (start == 0 || text[start-1] == '\n') && strings.HasPrefix(text[start:], lines) &&
			(end == len(text) || text[end] == '\n') {
			at = append(at, number)
		}
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return at
		}
		number, done = number+1, start+next+1
	}
}

// closest returns the place nearest to a line.
func closest(at []int, line int) int {
	far := func(n int) int { return max(n-line, line-n) }
	return slices.MinFunc(at, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
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

// movedPart finds the new reference of a part of a moved note, if the part is unchanged.
func (g *Gatherer) movedPart(ctx context.Context, k prompt.Item, moves []prompt.Move) (prompt.Move, bool) {
	path := ""
	if i := slices.IndexFunc(moves, func(m prompt.Move) bool {
		return m.From.Kind == prompt.Note && m.From.ID == k.Path
	}); i >= 0 {
		path = moves[i].To.ID
	} else if f := g.vault.Lookup(k.Path); f.State == vault.OK || f.State == vault.Moved {
		path = string(f.Path)
	}
	to := k
	to.ID = path + strings.TrimPrefix(k.ID, k.Path)
	if path == "" {
		return prompt.Move{}, false
	}
	found, _ := g.gatherAgain(ctx, to)
	if len(found) == 0 || found[0].Revision != k.Revision {
		return prompt.Move{}, false
	}
	return prompt.Move{From: k.Ref, To: found[0]}, true
}

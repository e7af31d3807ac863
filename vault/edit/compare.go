package edit

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// contextLines is the number of unchanged lines on each side of a change in its hunk.
const contextLines = 3

// Kind is the change of a line, if any.
type Kind uint8

// The kinds of lines.
const (
	Same Kind = iota
	Removed
	Added
)

// Line is a line of a hunk.
type Line struct {
	Kind     Kind
	Old, New int    // line number before and after, from 1; 0 if the line does not exist there
	Text     string // without the line end
	Parts    []Part // the words that differ, if the line resembles its counterpart; nil if all of it differs
	NoEnd    bool   // the text ends with this line, without a line end
}

// Part is a piece of a line's text. The parts of a line together are its text.
type Part struct {
	Text    string
	Changed bool
}

// Hunk is a group of changes that are close together, with the lines around them.
type Hunk struct {
	Lines []Line

	first, last int // range of the hunk's blocks in the change, without last
}

// Change is the difference between two texts. The zero value changes nothing.
type Change struct {
	Before, After string
	Hunks         []Hunk // in order; they share no lines

	old, now []string // lines with their line ends
	blocks   []lcs.Diff
}

// Compare returns the change from before to after.
func Compare(before, after string) Change {
	c := Change{Before: before, After: after, old: lines(before), now: lines(after)}
	c.blocks = lcs.DiffLines(c.old, c.now)
	for first := 0; first < len(c.blocks); {
		last := first + 1
		for last < len(c.blocks) && c.blocks[last].Start-c.blocks[last-1].End <= 2*contextLines {
			last++
		}
		c.Hunks = append(c.Hunks, c.hunk(first, last))
		first = last
	}
	return c
}

// lines returns the lines of a text with their line ends.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// hunk makes the hunk of the blocks first..last, last excluded.
func (c *Change) hunk(first, last int) Hunk {
	h := Hunk{first: first, last: last}
	at, end := c.blocks[first], c.blocks[last-1]
	back := min(contextLines, at.Start) // before the first change both sides are equal
	i, j := at.Start-back, at.ReplStart-back
	same := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			h.add(c, Same, i, j, nil)
		}
	}
	for _, b := range c.blocks[first:last] {
		same(b.Start)
		removed, added := markWords(c.old[b.Start:b.End], c.now[b.ReplStart:b.ReplEnd])
		for ; i < b.End; i++ {
			h.add(c, Removed, i, -1, removed[i-b.Start])
		}
		for ; j < b.ReplEnd; j++ {
			h.add(c, Added, -1, j, added[j-b.ReplStart])
		}
	}
	same(min(end.End+contextLines, len(c.old)))
	return h
}

// add appends line i of the old text, which is line j of the new one; -1 if it does not exist there.
func (h *Hunk) add(c *Change, kind Kind, i, j int, parts []Part) {
	l := Line{Kind: kind, Old: i + 1, New: j + 1, Parts: parts}
	raw := ""
	if j >= 0 {
		raw = c.now[j]
	} else {
		raw = c.old[i]
	}
	l.Text, l.NoEnd = trimLineEnd(raw), !strings.HasSuffix(raw, "\n")
	h.Lines = append(h.Lines, l)
}

// trimLineEnd returns a line without its line end and without a byte order mark.
func trimLineEnd(line string) string {
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), mark)
}

// mark is the byte order mark.
const mark = "\uFEFF"

// Count returns the number of lines that a hunk adds and removes.
func (h *Hunk) Count() (added, removed int) {
	for i := range h.Lines {
		switch h.Lines[i].Kind {
		case Added:
			added++
		case Removed:
			removed++
		}
	}
	return added, removed
}

// Count returns the number of lines that the change adds and removes.
func (c *Change) Count() (added, removed int) {
	for i := range c.Hunks {
		a, r := c.Hunks[i].Count()
		added, removed = added+a, removed+r
	}
	return added, removed
}

// Span returns the lines of the old text that a hunk changes, from 1 and inclusive. If it only adds lines, to
// is the line before them, and from is to+1.
func (h *Hunk) Span() (from, to int) {
	after := 0
	for i := range h.Lines {
		switch l := &h.Lines[i]; {
		case l.Kind == Removed:
			if from == 0 {
				from = l.Old
			}
			to = l.Old
		case l.Kind == Added && from == 0 && after == 0:
			after = -1
			if i > 0 {
				after = h.Lines[i-1].Old
			}
		}
	}
	if from == 0 {
		to = max(after, 0)
		return to + 1, to
	}
	return from, to
}

// Select returns the old text with the chosen hunks applied, given by their indexes; nil chooses all. The rest
// is byte for byte the old text.
func (c *Change) Select(chosen []int) string {
	if chosen == nil {
		return c.After
	}
	var b strings.Builder
	at := 0
	take := func(until int) {
		for ; at < until; at++ {
			b.WriteString(c.old[at])
		}
	}
	for n := range c.Hunks {
		if !slices.Contains(chosen, n) {
			continue
		}
		for _, block := range c.blocks[c.Hunks[n].first:c.Hunks[n].last] {
			take(block.Start)
			for _, line := range c.now[block.ReplStart:block.ReplEnd] {
				b.WriteString(line)
			}
			at = block.End
		}
	}
	take(len(c.old))
	return b.String()
}

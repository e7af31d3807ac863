package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ibid/vault"
)

// Passage is a section of a note that fits a query, or a piece of a long one.
type Passage struct {
	Note     *vault.Note
	Heading  string // of the section; "" before the first heading
	From, To int    // lines of Text, 1-based and inclusive
	Text     string
}

// Passages is the result of Searcher.Passages.
type Passages struct {
	List     []Passage // best first
	Sections int       // number of sections that fit, in the notes that were read
	Weak     string    // "1 of 4 words, none in a title" if the best note has less than half of the query, else ""
}

// Limits of passages.
const (
	passageBytes  = 24_000 // of all together
	withNeighbour = 4      // the first passages, which the sections before and behind them follow
	propertyBytes = 500    // properties up to here go with the text below them
	asRare        = 8      // times as many pieces as the rarest term: a more frequent one is no topic
)

// Passages answers q with sections of notes, best first, until q.Bytes are filled: those of
// notes that it mentions, then by the scores of section and note, with at least one for each
// rare word. Equal texts of several notes are given once. Without words, it gives the
// beginnings of the notes that the other fields select, the newest first. Operators of
// ParseQuery are ignored.
func (s Searcher) Passages(ctx context.Context, q Query) (found Passages, err error) {
	t := parseTerms(q.Text, q.Partial)
	t.add(q.Terms, 1)
	c := cutter{
		src: s.Source, limit: cmp.Or(q.Limit, math.MaxInt), left: cmp.Or(q.Bytes, passageBytes),
		notes: map[vault.Path]*cutNote{}, seen: map[string]bool{},
	}
	for _, text := range q.Phrasings {
		t.add(text, halfWeight)
	}
	if len(t.list) == 0 {
		var notes []DatedNote
		if q.filtered() {
			notes = NotesByDate(passingNotes(s.Source.Notes(), s.filter(&q)), s.dateNames())
		}
		found.Sections, err = c.openings(ctx, notes)
	} else {
		var notes []scoredNote
		q.Limit = 0
		t.complete()
		if notes, err = s.look(ctx, &q, &t, false); err == nil {
			found.Sections, err = c.best(ctx, notes, &t)
			found.Weak = t.weak(notes)
		}
	}
	if err != nil {
		return Passages{}, fmt.Errorf("search notes: %w", err)
	}
	found.List = c.list
	return found, nil
}

// cutter cuts passages out of notes.
type cutter struct {
	src         Source
	limit, left int // passages, bytes
	notes       map[vault.Path]*cutNote
	seen        map[string]bool // texts of passages
	list        []Passage
}

// cutNote is a note with its pieces.
type cutNote struct {
	*page
	pieces []piece
	taken  map[int]bool // numbers of pieces
}

// best takes pieces of scored notes: the best ones with their neighbours, then one for each topic
// that is in none of them, then the others.
func (c *cutter) best(ctx context.Context, notes []scoredNote, t *terms) (all int, err error) {
	var list, first, others []*part
	for i := range notes {
		for j := range notes[i].parts {
			list = append(list, &notes[i].parts[j])
		}
	}
	slices.SortStableFunc(list, func(a, b *part) int { return cmp.Compare(b.score, a.score) })
	fewest := math.Inf(1) // pieces with the rarest term that is found
	for i := range t.list {
		if w := &t.list[i]; w.pieces > 0 && !w.added {
			fewest = min(fewest, w.pieces)
		}
	}
	held := map[int]bool{}
	for i, p := range list {
		more := i < withNeighbour
		for k := range t.list {
			w := &t.list[k]
			more = more || p.stems[k] > 0 && !held[k] && !w.added && w.weight == 1 && w.pieces <= asRare*fewest
		}
		if !more {
			others = append(others, p)
			continue
		}
		first = append(first, p)
		for k, n := range p.stems {
			held[k] = held[k] || n > 0
		}
	}
	for i, p := range append(first, others...) {
		if ctx.Err() != nil || c.left <= 0 {
			break
		}
		if c.pick(p.note, p.nth); i < withNeighbour {
			c.pick(p.note, p.nth+1)
			c.pick(p.note, p.nth-1)
		}
	}
	return len(list), ctx.Err()
}

// read reads a note, once; it returns nil if the note cannot or may not be read.
func (c *cutter) read(of *vault.Note) *cutNote {
	n, known := c.notes[of.Path]
	if known {
		return n
	}
	if text, err := reader(c.src, c.src.Read)(of.Path); err == nil {
		n = &cutNote{text, text.pieces(), map[int]bool{}}
	}
	c.notes[of.Path] = n
	return n
}

// pick takes a piece of a note with its heading, unless it has nothing else. Properties come with
// the text below them, and long ones are left out.
func (c *cutter) pick(of *vault.Note, i int) {
	n := c.read(of)
	if n == nil || i < 0 || i >= len(n.pieces) || n.taken[i] {
		return
	}
	n.taken[i] = true
	body, p := n.bodyStart(), n.pieces[i]
	blank := func(from, to int) bool { return from >= to || strings.TrimSpace(n.Content[from:to]) == "" }
	from := p.from
	switch {
	case p.heading != "" && p.from == p.section.from:
		if from = n.start(p.start); blank(p.from, p.to) {
			return
		}
	case i == 0 && body > 0 && len(n.pieces) > 1 && blank(body, p.to):
		if body > pieceRunes { // they say little, and must not fill the answer
			p.to = breakAt(n.Content[:body], pieceRunes)
			break
		}
		p = n.pieces[1]
		n.taken[1] = true
	case i == 0 && body > propertyBytes && !blank(body, p.to):
		from = body
	}
	c.take(n, p.heading, from, p.to)
}

// take adds text of a note as a passage, as far as there is room, unless an equal one is there.
func (c *cutter) take(n *cutNote, heading string, from, to int) {
	text := n.Content[from:to]
	if len(text) > c.left {
		text = text[:behindLast(text[:max(c.left, 0)], "\n", "。", ". ")]
	}
	passage := strings.TrimSpace(text)
	if passage == "" || c.seen[passage] || len(c.list) == c.limit {
		return
	}
	c.seen[passage] = true
	c.left -= len(passage)
	line := n.lineOf(from + strings.Index(text, passage))
	c.list = append(c.list, Passage{n.Note, heading, line, line + strings.Count(passage, "\n"), passage})
}

// weak returns Passages.Weak for scored notes.
func (t *terms) weak(notes []scoredNote) string {
	if len(notes) == 0 {
		return ""
	}
	held, titled, all, c := 0, 0, 0, newCounter(t.list)
	inTitle := c.empty()
	c.count(titles(notes[0].note), 1, c.empty(), inTitle)
	for i, w := range t.list {
		if w.added || w.weight < 1 {
			continue
		}
		all++
		if notes[0].stems[i] > 0 {
			held++
		}
		if inTitle[i] > 0 {
			titled++
		}
	}
	if held == 0 || 2*held >= all {
		return ""
	}
	in := "none"
	if titled > 0 {
		in = strconv.Itoa(titled)
	}
	return fmt.Sprintf("%d of %d words, %s in a title", held, all, in)
}

// openings takes the beginnings of notes.
func (c *cutter) openings(ctx context.Context, list []DatedNote) (all int, err error) {
	each := max(c.left/max(len(list), 1), pieceRunes)
	for _, d := range list {
		if c.left <= 0 || ctx.Err() != nil {
			break
		}
		if n := c.read(d.Note); n != nil {
			from := n.bodyStart()
			c.take(n, "", from, from+breakAt(n.Content[from:], each))
		}
	}
	return len(list), ctx.Err()
}

package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/stem"
)

// Passage is a piece of a note that fits a query: a section, a short one with those
// below it, or of a long one the part with most of the query.
type Passage struct {
	Note     *vault.Note
	Heading  string // of the section, of several the one that the others belong to; "" before the first heading
	From, To int    // lines of Text, 1-based and inclusive
	Text     string // at most 1,500 characters
}

// The bounds of what Passages returns.
const (
	passageRunes  = 1500
	passagesEach  = 3   // of one note
	propertyBytes = 500 // properties up to here go with the text below them
	mostNamed     = 10  // notes that are taken because the query names them
)

// Passages answers q with pieces of notes, best first: of the notes that it links
// to or names a tag of, then by how well note and section fit. There are at most
// q.Limit, and of one note no more than three; a text that stands in several notes
// comes once. sections is how many fit among the notes that were looked at.
// Without words, the notes that the other fields ask for come from their
// beginning, daily notes first and of these and the others the newest. Operators
// of ParseQuery are not read.
func (s Searcher) Passages(ctx context.Context, q Query) (list []Passage, sections int, err error) {
	t := parseTerms(q.Text, q.partial())
	t.add(q.Also)
	c := cutter{ctx: ctx, src: s.Source, limit: q.limit(), notes: map[vault.Path]*cutNote{}, seen: map[[32]byte]bool{}}
	if len(t.any) == 0 {
		sections, err = c.openings(&q)
	} else {
		var notes []scored
		q.Limit = mostNamed
		if notes, c.scorer, err = s.look(ctx, &q, &t, q.filter(s.Source)); err == nil {
			sections, err = c.best(notes)
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("search notes: %w", err)
	}
	return c.passages(), sections, nil
}

// cutter cuts passages out of notes.
type cutter struct {
	ctx    context.Context
	src    Source
	scorer *scorer
	limit  int
	notes  map[vault.Path]*cutNote // that were read, nil for one that cannot be
	picks  []*pick
	seen   map[[32]byte]bool // texts that are picked
}

// cutNote is a note while passages are cut out of it.
type cutNote struct {
	text     vault.Text
	lines    []int
	sections []section
	in       stem.Languages
	picks    []*pick
	taken    int // sections in picks
}

// pick is what becomes a passage: sections first..last of a note, or a part of it.
type pick struct {
	note        *cutNote
	first, last int // -1 for none
	from, to    int // byte offsets
}

// best picks sections of scored notes. Their places among all sections count with
// the places of the notes.
func (c *cutter) best(notes []scored) (all int, err error) {
	type ranked struct {
		note  *scored
		part  scoredSection
		score float64
	}
	var list []ranked
	for i := range notes {
		n := &notes[i]
		for _, part := range n.sections {
			list = append(list, ranked{n, part, 0})
		}
		if len(n.sections) == 0 && (n.named || n.tagged) {
			list = append(list, ranked{n, scoredSection{nth: -1}, 0})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.part.score, a.part.score) })
	for i := range list {
		list[i].score = list[i].note.fused + 1/float64(rrfK+i+1)
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	for _, r := range list {
		if len(c.picks) == c.limit {
			break
		}
		n := c.read(r.note.note)
		if c.ctx.Err() != nil {
			return 0, c.ctx.Err()
		}
		if n != nil {
			c.pick(n, n.find(&r.part))
		}
	}
	return len(list), nil
}

// read reads a note, once; nil if that may or can not be done.
func (c *cutter) read(of *vault.Note) *cutNote {
	n, known := c.notes[of.Path]
	if known || c.ctx.Err() != nil {
		return n
	}
	if text, err := read(c.src, of.Path); err == nil {
		n = &cutNote{text: text, lines: lineStarts(text.Content), sections: sections(&text)}
		if c.scorer != nil {
			n.in = cmp.Or(stem.Detect(foldText(nil, text.Content[:min(len(text.Content), 4000)])), c.scorer.in)
		}
	}
	c.notes[of.Path] = n
	return n
}

// find is which section a scored one is now, -1 if it is gone. The beginning of
// the text is the section that stands for none.
func (n *cutNote) find(part *scoredSection) int {
	if part.nth < 0 {
		return max(slices.IndexFunc(n.sections, func(s section) bool { return s.end >= n.text.Note.BodyLine && strings.TrimSpace(s.text) != "" }), 0)
	}
	if part.nth < len(n.sections) && n.sections[part.nth].heading == part.heading {
		return part.nth
	}
	return slices.IndexFunc(n.sections, func(s section) bool { return s.heading == part.heading })
}

// pick takes a section: with its neighbour, if one belongs to the other and both fit
// into one passage, else by itself.
func (c *cutter) pick(n *cutNote, i int) {
	if i < 0 || n.taken == passagesEach {
		return
	}
	for _, p := range n.picks {
		first, last := min(p.first, i), max(p.last, i)
		if p.first <= i && i <= p.last {
			return
		}
		if last-first == p.last-p.first+1 && n.under(first, last) >= 0 {
			from, to := c.span(n, first, last)
			if utf8.RuneCountInString(n.text.Content[from:to]) <= passageRunes {
				p.first, p.last, p.from, p.to = first, last, from, to
				n.taken++
				return
			}
		}
	}
	last := i
	if i == 0 && len(n.sections) > 1 && n.onlyProperties() { // with what they are about
		if from, to := n.span(1, n.sections[1].end); utf8.RuneCountInString(n.text.Content[from:to]) <= passageRunes {
			last = 1
		}
	}
	from, to := c.span(n, i, last)
	if utf8.RuneCountInString(n.text.Content[from:to]) > passageRunes {
		from, to = c.window(n, from, to)
	}
	c.take(&pick{n, i, last, from, to})
}

// take adds a pick, unless the same text is there.
func (c *cutter) take(p *pick) {
	text := p.text()
	sum := sha256.Sum256([]byte(text))
	if text == "" || c.seen[sum] {
		return
	}
	c.seen[sum] = true
	c.picks = append(c.picks, p)
	p.note.picks = append(p.note.picks, p)
	p.note.taken++
}

// span is where sections first..last stand in the text. Long properties that have
// none of the words are left out, unless there is nothing else.
func (c *cutter) span(n *cutNote, first, last int) (from, to int) {
	from, to = n.span(n.sections[first].start, n.sections[last].end)
	if body := n.text.Note.BodyLine; from == 0 && 1 < body && body <= n.sections[last].end {
		start, _ := n.span(body, body)
		if start > propertyBytes && strings.TrimSpace(n.text.Content[start:to]) != "" && !c.scorer.mayHold(n.text.Content[:start]) {
			from = start
		}
	}
	return from, to
}

// under is which of the sections first..last the others belong to, so that its
// heading leads to all of their text; -1 if there is none. What has no text of its
// own belongs to what comes next.
func (n *cutNote) under(first, last int) int {
	top := &n.sections[first]
	switch {
	case first == last:
		return first
	case strings.TrimSpace(top.text) == "" || first == 0 && n.onlyProperties():
		return n.under(first+1, last)
	case top.heading == "":
		return -1
	}
	for _, s := range n.sections[first+1 : last+1] {
		if len(s.trail) <= len(top.trail) || !strings.HasPrefix(s.trail, top.trail) {
			return -1
		}
	}
	return first
}

// onlyProperties reports whether nothing but properties stands before the first
// heading.
func (n *cutNote) onlyProperties() bool {
	body := n.text.Note.BodyLine
	from, to := n.span(body, n.sections[0].end)
	return body > n.sections[0].end || strings.TrimSpace(n.text.Content[from:max(from, to)]) == ""
}

// span is where lines from..to stand in the text.
func (n *cutNote) span(from, to int) (start, end int) {
	start, end = n.lines[min(from, len(n.lines))-1], len(n.text.Content)
	if to < len(n.lines) {
		end = n.lines[to]
	}
	return start, end
}

func (p *pick) text() string { return strings.TrimSpace(p.note.text.Content[p.from:p.to]) }

// passages are the picks, without blank lines at their ends.
func (c *cutter) passages() []Passage {
	list := make([]Passage, len(c.picks))
	for i, p := range c.picks {
		content, text := p.note.text.Content, p.text()
		from := p.from + strings.Index(content[p.from:p.to], text)
		line := 1 + strings.Count(content[:from], "\n")
		list[i] = Passage{
			Note: p.note.text.Note, Text: text, From: line, To: line + strings.Count(text, "\n"),
		}
		if p.first >= 0 {
			list[i].Heading = p.note.sections[p.note.under(p.first, p.last)].heading
		}
	}
	return list
}

// openings picks the beginnings of the notes that q asks for.
func (c *cutter) openings(q *Query) (all int, err error) {
	if !q.filtered() {
		return 0, nil
	}
	type daily struct {
		note *vault.Note
		day  int64 // of its name, 0 if it has none
	}
	var list []daily
	pass := q.filter(c.src)
	for _, n := range c.src.Notes() {
		if pass(n) {
			d := daily{note: n}
			if day, ok := dates.InName(n.Path.Base(), time.Local); ok {
				d.day = day.Unix()
			}
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b daily) int { return cmp.Or(cmp.Compare(b.day, a.day), newer(a.note, b.note)) })
	each := min(max(c.limit/max(len(list), 1), 1), passagesEach)
	for _, d := range list {
		if len(c.picks) == c.limit {
			break
		}
		n := c.read(d.note)
		if c.ctx.Err() != nil {
			return 0, c.ctx.Err()
		}
		if n == nil {
			continue
		}
		from, end := n.span(max(n.text.Note.BodyLine, 1), len(n.lines))
		for range min(each, c.limit-len(c.picks)) {
			if from == end {
				break
			}
			to := from + longestRun(n.text.Content[from:end])
			c.take(&pick{n, -1, -1, from, to})
			from = to
		}
	}
	return len(list), nil
}

package offline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// How much a summary quotes.
const (
	mostNotes    = 6
	mostSections = 8 // of one note; of several, the notes share them, at least two each
)

// summarize quotes the sentences that carry each section of the documents: the
// ones whose words come back most often in the rest of the note, with a bonus
// for the first.
func (s *shelf) summarize(p *page, q request) {
	docs := slices.DeleteFunc(slices.Clone(q.docs), func(d int) bool { return len(s.docs[d].passages) == 0 })
	if len(docs) == 0 {
		p.para(fmt.Sprintf("There is no text to quote in %s.", s.names(q.docs)))
		return
	}
	more := docs[min(len(docs), mostNotes):]
	docs = docs[:len(docs)-len(more)]
	if len(docs) == 1 {
		p.para("The main sentences of " + s.link(docs[0]) + s.docs[docs[0]].size() + ":")
	} else {
		p.para("The main sentences of " + s.names(docs) + ":")
	}
	quota := max(2, mostSections/len(docs))
	for _, i := range docs {
		s.summarizeNote(p, i, quota)
	}
	if len(more) > 0 {
		p.para("Not summarized here: " + s.names(more) + ".")
	}
}

// size says what a note holds besides sentences.
func (d *document) size() string {
	open := 0
	for _, t := range d.tasks {
		if !t.done {
			open++
		}
	}
	if len(d.tasks) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %s open)", open, plural(len(d.tasks), "task"))
}

func (s *shelf) summarizeNote(p *page, i, quota int) {
	d := s.docs[i]
	picks := d.digest(quota)
	last := ""
	for k := 0; k < len(picks); {
		run := picks[k : k+1]
		for k++; k < len(picks) && d.joins(picks[k-1], picks[k]); k++ {
			run = run[:len(run)+1]
		}
		whole := run[0]
		whole.text.end = run[len(run)-1].text.end
		if place := s.place(i, whole); place != last {
			p.para("From " + place + ":")
			last = place
		}
		p.para(d.quote(run))
	}
	if left := d.written() - countSections(picks); left > 0 {
		p.para(fmt.Sprintf("(%s of %s left out.)", plural(left, "more section"), s.link(i)))
	}
}

// written counts the sections that have text of their own.
func (d *document) written() int { return countSections(d.bodies()) }

func countSections(ps []passage) int {
	n, last := 0, -1
	for _, p := range ps {
		if p.section != last {
			n, last = n+1, p.section
		}
	}
	return n
}

// bodies are the passages but for bare headings.
func (d *document) bodies() []passage {
	return slices.DeleteFunc(slices.Clone(d.passages), func(p passage) bool { return p.kind == heading })
}

// carrier is a candidate for a summary.
type carrier struct {
	passage
	weight float64
}

// digest picks up to quota sections, the weightiest ones, and returns what
// carries each, in reading order: one sentence, or up to three if the note has
// few sections.
func (d *document) digest(quota int) []passage {
	var all []carrier
	bodies := d.bodies()
	if len(bodies) == 0 {
		return d.passages[:min(len(d.passages), quota)]
	}
	written := max(1, d.written())
	each := min(3, max(1, (quota+written-1)/written))
	for from := 0; from < len(bodies); {
		to := from + 1
		for to < len(bodies) && bodies[to].section == bodies[from].section {
			to++
		}
		all = append(all, d.carriers(bodies[from:to], each)...)
		from = to
	}
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b carrier) int { return cmp.Compare(b.weight, a.weight) })
	chosen := map[int]bool{all[0].section: true} // how a note begins says most
	for _, c := range best {
		if len(chosen) < quota {
			chosen[c.section] = true
		}
	}
	var out []passage
	for _, c := range all {
		if chosen[c.section] {
			out = append(out, c.passage)
		}
	}
	return out
}

// carriers are the n best sentences of a section, or if it has none, the first
// passages of its list, table, callout or code.
func (d *document) carriers(section []passage, n int) []carrier {
	var found []carrier
	for _, p := range section {
		if p.kind != paragraph {
			continue
		}
		for _, s := range sentences(d.item.Content[:p.text.end], p.text) {
			c := carrier{passage: passage{kind: paragraph, section: p.section, text: s}}
			c.weight = d.weigh(s)
			if len(found) == 0 {
				c.weight *= 1.5
			}
			found = append(found, c)
		}
	}
	found = slices.DeleteFunc(found, func(c carrier) bool { return c.weight == 0 })
	if len(found) == 0 {
		for _, p := range d.openFirst(section)[:min(len(section), n)] {
			found = append(found, carrier{p, d.weigh(p.text) / 2})
		}
		slices.SortFunc(found, func(a, b carrier) int { return cmp.Compare(a.text.start, b.text.start) })
		return found
	}
	slices.SortStableFunc(found, func(a, b carrier) int { return cmp.Compare(b.weight, a.weight) })
	found = found[:min(len(found), n)]
	slices.SortFunc(found, func(a, b carrier) int { return cmp.Compare(a.text.start, b.text.start) })
	return found
}

// openFirst moves done tasks behind the rest: what is left to do says more.
func (d *document) openFirst(section []passage) []passage {
	section = slices.Clone(section)
	done := func(p passage) int {
		if state, ok := taskState(strings.TrimSpace(d.slice(p.text))); ok && state != ' ' {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(section, func(a, b passage) int { return cmp.Compare(done(a), done(b)) })
	return section
}

// weigh is how much of the note a piece of text speaks for: the sum over its
// words of ln(passages that hold the word), by the root of its length. Words
// that only this passage has speak for nothing else.
func (d *document) weigh(s span) float64 {
	sum, n := 0.0, 0
	seen := map[string]bool{}
	eachTerm(d.slice(s), func(t string) {
		n++
		if seen[t] || weightOf(t) == 0 {
			return
		}
		seen[t] = true
		if i, ok := slices.BinarySearch(d.index.vocabulary, t); ok {
			sum += 0.1 + math.Log(float64(len(d.index.lists[i])))
		}
	})
	if n == 0 {
		return 0
	}
	return math.Round(sum/math.Sqrt(float64(n)+6)*1e6) / 1e6
}

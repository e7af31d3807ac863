package offline

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ibid/vault/md"
)

// How much a summary quotes.
const (
	mostNotes    = 6
	mostSections = 8 // of one note; of several, the notes share them, at least two each
)

// summarize quotes the sentences that carry the sections of the documents: the
// ones whose words come back most often in the rest of the note, with a bonus
// for the first.
func (s *shelf) summarize(p *page, q request) {
	docs := q.docs[:min(len(q.docs), mostNotes)]
	p.para("The main sentences of " + s.names(docs) + ":")
	for _, i := range docs {
		picks, left := s.docs[i].digest(max(2, mostSections/len(docs)))
		for _, part := range s.partsOf(i, picks) {
			p.para("From " + part.place + ":")
			p.para(part.quote)
		}
		if left > 0 {
			p.para(fmt.Sprintf("(%s of %s left out.)", plural(left, "more section"), s.link(i)))
		}
	}
	if more := q.docs[len(docs):]; len(more) > 0 {
		p.para("Not summarized here: " + s.names(more) + ".")
	}
}

// digest is what carries each of the first sections, up to quota of them, in
// reading order: one sentence, or up to three if the note has few sections.
// left is how many sections more there are.
func (d *document) digest(quota int) (picks []passage, left int) {
	var sections [][]passage
	for _, p := range d.passages {
		if n := len(sections); n > 0 && sections[n-1][0].section == p.section {
			sections[n-1] = append(sections[n-1], p)
		} else if p.kind != md.Title {
			sections = append(sections, []passage{p})
		}
	}
	if len(sections) == 0 {
		return d.passages[:min(len(d.passages), quota)], 0
	}
	each := min(3, (quota+len(sections)-1)/len(sections))
	for _, section := range sections[:min(len(sections), quota)] {
		picks = append(picks, d.carriers(section, each)...)
	}
	return picks, max(0, len(sections)-quota)
}

// carriers are the n best sentences of a section, or if it has none, the first
// passages of its list, table, callout or code.
func (d *document) carriers(section []passage, n int) []passage {
	weights := map[int]float64{}
	var found []passage
	for _, p := range section {
		if p.kind != md.Paragraph {
			continue
		}
		for _, s := range sentences(d.item.Content, p.text) {
			if w := d.weigh(s); w > 0 {
				if p.text = s; len(found) == 0 {
					w *= 1.5
				}
				weights[s.start] = w
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return section[:min(len(section), n)]
	}
	slices.SortStableFunc(found, func(a, b passage) int { return cmp.Compare(weights[b.text.start], weights[a.text.start]) })
	found = found[:min(len(found), n)]
	slices.SortFunc(found, func(a, b passage) int { return cmp.Compare(a.text.start, b.text.start) })
	return found
}

// weigh is how much of the note a piece of text speaks for: the sum over its
// words of ln(passages that hold the word), by the root of its length. Words
// that only this passage has speak for nothing else.
func (d *document) weigh(s span) float64 {
	sum, n := 0.0, 0
	seen := map[string]bool{}
	eachTerm(d.slice(s), func(t string) {
		n++
		if list := d.index.lists[t]; len(list) > 0 && !seen[t] && weightOf(t) > 0 {
			seen[t] = true
			sum += 0.1 + math.Log(float64(len(list)))
		}
	})
	return math.Round(sum/math.Sqrt(float64(n)+6)*1e6) / 1e6
}

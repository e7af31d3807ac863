package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// How much a reply quotes.
const (
	mostPassages = 5
	mostPerNote  = 3
	mostQuoted   = 2200 // bytes
	keepScore    = 0.45 // of the best score
	keepCoverage = 0.6  // of the best passage's coverage
)

// What makes a passage an answer: it holds two words of the question, or its
// heading one, and with them this share of the question's weight; or one word
// that carries so much of it. Below the last bound a passage is not even worth showing as the nearest thing.
const (
	answerCoverage  = 0.3
	aloneCoverage   = 0.45
	nearestCoverage = 0.2
)

// answer writes the reply to q.
func (s *shelf) answer(ctx context.Context, p *page, q request) error {
	switch {
	case q.kind == list && s.list(p, q):
		return nil
	case q.kind == summary, q.kind == list && !topical(q.terms):
		s.summarize(p, q)
		return nil
	}
	if q.kind == idle {
		p.para("Attached: " + s.names(s.all()) + ". Ask about something that stands there, or for a summary, or for a list of the headings, tasks, links or tags.")
		return nil
	}
	hits, err := s.rank(ctx, q.docs, q.terms)
	if err != nil {
		return err
	}
	if s.item(p, q, hits) {
		return nil
	}
	if found := s.choose(hits, q); len(found) > 0 {
		s.quoteAll(p, s.complete(s.withSection(found, hits, q)), "")
		return nil
	}
	if section := s.withSection(nil, hits, q.known(s)); len(section) > 0 {
		s.quoteAll(p, s.complete(section), s.unknownLead(q)+" The rest of the question leads to this.")
		return nil
	}
	if q.named && len(q.docs) < len(s.docs) {
		rest := slices.DeleteFunc(s.all(), func(d int) bool { return slices.Contains(q.docs, d) })
		others, err := s.rank(ctx, rest, q.terms)
		if err != nil {
			return err
		}
		if found := s.choose(others, q); len(found) > 0 {
			s.quoteAll(p, s.complete(found), fmt.Sprintf("Nothing in %s answers that, but another note does. ", s.names(q.docs)))
			return nil
		}
	}
	s.nothing(p, q, hits)
	return nil
}

// need is how many words of the question a passage must hold to answer it.
func (q *request) need() int {
	n := 0
	for _, t := range q.terms {
		if t.surface != "" && t.weight > weakWeight {
			n++
		}
	}
	return max(1, min(2, n))
}

// choose takes the passages to quote from the ranked ones; none if even the
// best does not answer.
func (s *shelf) choose(hits []hit, q request) []hit {
	need := q.need()
	answers := func(h hit) bool {
		return h.coverage >= answerCoverage && (h.matched >= need || h.titled && h.matched > 0 || h.coverage >= aloneCoverage)
	}
	best := slices.IndexFunc(hits, answers)
	if best < 0 {
		return nil
	}
	var out []hit
	perNote := map[int]int{}
	size := 0
	texts := map[string]bool{}
	for _, h := range hits[best:] {
		if h.score < keepScore*hits[best].score || len(out) == mostPassages {
			break
		}
		d := s.docs[h.doc]
		text := d.slice(d.passages[h.passage].text)
		if !answers(h) || h.coverage < keepCoverage*hits[best].coverage || perNote[h.doc] == mostPerNote || texts[text] {
			continue
		}
		if size += min(len(text), clipBytes); size > mostQuoted && len(out) > 0 {
			break
		}
		texts[text] = true
		perNote[h.doc]++
		out = append(out, h)
	}
	return out
}

// quoteAll writes the chosen passages, by note, the best note first, and
// within a note in reading order.
func (s *shelf) quoteAll(p *page, found []hit, lead string) {
	var order []int
	for _, h := range found {
		if !slices.Contains(order, h.doc) {
			order = append(order, h.doc)
		}
	}
	slices.SortStableFunc(found, func(a, b hit) int {
		if a.doc != b.doc {
			return slices.Index(order, a.doc) - slices.Index(order, b.doc)
		}
		return a.passage - b.passage
	})
	parts := s.parts(found)
	switch {
	case len(parts) == 1 && lead == "":
		p.para(parts[0].place + " has this:")
		p.para(parts[0].quote)
		return
	case len(order) == 1 && lead == "":
		p.para(fmt.Sprintf("%s has this in %s.", s.link(order[0]), plural(len(parts), "place")))
	case lead == "":
		p.para(fmt.Sprintf("%d of the %d attached %ss have something on this.", len(order), len(s.docs), s.noun()))
	default:
		p.para(strings.TrimSpace(lead))
	}
	for _, part := range parts {
		p.para("From " + part.place + ":")
		p.para(part.quote)
	}
}

// nothing says that nothing answers, which words were not found at all, where
// it looked, and what to do; and shows the nearest passage if there is one.
func (s *shelf) nothing(p *page, q request, hits []hit) {
	text := fmt.Sprintf("Nothing in the %s of this conversation answers that", plural(len(s.docs), "attached "+s.noun()))
	if len(s.docs) == 1 {
		text = fmt.Sprintf("Nothing in %s answers that", s.link(0))
	}
	text += "."
	if lead := s.unknownLead(q); lead != "" {
		text += " " + lead
	}
	if len(s.docs) > 1 {
		text += " Looked in " + s.names(s.all()) + "."
	}
	p.para(text)
	if len(hits) > 0 && hits[0].coverage >= nearestCoverage && hits[0].matched > 0 {
		for _, part := range s.parts(hits[:1]) {
			p.para("The nearest passage is from " + part.place + ":")
			p.para(part.quote)
		}
	}
	p.para("If another note knows, attach it with @.")
}

// known is q without the words that no document holds.
func (q request) known(s *shelf) request {
	q.terms = slices.DeleteFunc(slices.Clone(q.terms), func(t term) bool { return s.lacks(t) })
	return q
}

// unknownLead says which words no document holds.
func (s *shelf) unknownLead(q request) string {
	unknown := s.unknown(q.terms)
	switch len(unknown) {
	case 0:
		return ""
	case 1:
		return unknown[0] + " occurs nowhere."
	}
	return andList(unknown) + " occur nowhere."
}

// unknown are the words of the question that no document holds, as typed.
func (s *shelf) unknown(terms []term) []string {
	var out []string
	for _, t := range terms {
		if t.surface == "" || t.weight <= weakWeight {
			continue
		}
		if s.lacks(t) {
			out = append(out, "“"+t.surface+"”")
		}
	}
	return out
}

// lacks reports whether no document holds t in any form.
func (s *shelf) lacks(t term) bool {
	found := false
	for _, d := range s.docs {
		d.index.match(t.text, func(posting, float64) { found = true })
	}
	return !found
}

// item answers a follow-up that names one item of a list: it looks for a list
// or table that the question before was about, and quotes that item. What is
// numbered comes first, a table last: nobody counts its rows.
func (s *shelf) item(p *page, q request, hits []hit) bool {
	if q.ordinal == 0 {
		return false
	}
	const deep = 2 * mostPassages
	best, at := 0, hit{}
	for _, h := range hits[:min(len(hits), deep)] {
		d := s.docs[h.doc]
		chosen, ok := d.itemOf(d.passages[h.passage].group, q.ordinal)
		if !ok {
			continue
		}
		if rank := d.countable(d.passages[chosen]); rank > best {
			best, at = rank, hit{doc: h.doc, passage: chosen}
		}
	}
	if best > 0 {
		s.quoteAll(p, []hit{at}, "")
	}
	return best > 0
}

// itemOf is the passage that begins the nth item of a list or table.
func (d *document) itemOf(group, nth int) (passage int, ok bool) {
	if group == 0 {
		return 0, false
	}
	last := 0
	for i, p := range d.passages {
		if p.group != group || p.item == last {
			continue
		}
		last = p.item
		if p.item == nth || nth == lastOne {
			passage, ok = i, true
		}
	}
	return passage, ok
}

// countable says how likely a person counts the things of which p is one.
func (d *document) countable(p passage) int {
	first := strings.TrimSpace(d.slice(p.text))
	switch {
	case p.kind == tableRow:
		return 1
	case first != "" && first[0] >= '0' && first[0] <= '9':
		return 3
	}
	return 2
}

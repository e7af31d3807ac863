package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/vault/md"
)

// How much a reply quotes.
const (
	mostPassages  = 5
	mostFound     = 3 // where some were looked up
	mostListed    = 7 // of what was looked up for a time
	mostPerNote   = 3
	mostQuoted    = 2200 // bytes
	keepScore     = 0.45 // of the best score
	keepCoverage  = 0.6  // of the best passage's coverage
	foundCoverage = 0.85 // the same where some were looked up: there is more to choose from
)

// What makes a passage an answer: it holds two words of the question, or its
// heading one, and with them this share of the question's weight; or one word
// that carries so much of it. Below the last bound a passage is not even worth showing as the nearest thing.
const (
	answerCoverage  = 0.3
	aloneCoverage   = 0.45
	lackingCoverage = 0.5 // of what was looked up, where a word of the question stands in none of it
	nearestCoverage = 0.2
)

// answer writes the reply to q.
func (s *shelf) answer(ctx context.Context, p *page, q request) error {
	switch {
	case q.kind == summary:
		s.summarize(p, q)
		return nil
	case q.kind == listing:
		s.list(p, "Found for that time:")
		return nil
	case q.kind == idle:
		p.para("Attached: " + s.names(s.all()) + ". Ask about something that stands there, or for a summary.")
		return nil
	}
	hits, err := s.rank(ctx, q.docs, q.terms)
	if err != nil {
		return err
	}
	s.prefer(hits, q.expects)
	if found := s.choose(hits, q); len(found) > 0 {
		s.quoteAll(p, s.complete(s.withSection(found, hits, q)), "")
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
	if q.timed {
		s.list(p, "None of the passages of that time says so in these words. There are:")
		return nil
	}
	s.nothing(p, q, hits)
	return nil
}

// list quotes the beginnings of what was looked up.
func (s *shelf) list(p *page, lead string) {
	p.para(lead)
	var found []hit
	for doc, d := range s.docs {
		if s.cited[doc] != nil && len(d.passages) > 0 && len(found) < mostListed {
			found = append(found, hit{doc: doc})
		}
	}
	for _, part := range s.parts(found) {
		p.para("From " + part.place + ":")
		p.para(part.quote)
	}
}

// choose takes the passages to quote from the ranked ones; none if even the
// best does not answer.
func (s *shelf) choose(hits []hit, q request) []hit {
	best := slices.IndexFunc(hits, func(h hit) bool { return s.answers(h, q) })
	if best < 0 {
		return nil
	}
	top, most, coverage := hits[best], mostPassages, keepCoverage
	if s.lookedUp() {
		most, coverage = mostFound, foundCoverage
	}
	var out []hit
	perNote, texts, size := map[int]int{}, map[string]bool{}, 0
	for _, h := range hits[best:] {
		if h.score < keepScore*top.score || len(out) == most {
			break
		}
		d := s.docs[h.doc]
		text := d.slice(d.passages[h.passage].text)
		if !s.answers(h, q) || h.coverage < coverage*top.coverage || perNote[h.doc] == mostPerNote || texts[text] {
			continue
		}
		if s.lookedUp() && top.expected && !h.expected && h.coverage < top.coverage {
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

// answers reports whether a passage answers the question. Of what was looked up
// the words alone are not enough where the question asks for a kind of thing.
func (s *shelf) answers(h hit, q request) bool {
	if h.passage >= s.docs[h.doc].text && !h.own && !h.expected {
		return false // every property of a note has its title
	}
	need := max(1, min(2, len(strong(q.terms)))) // of its words a passage must hold to answer the question
	least, alone := answerCoverage, aloneCoverage
	if s.lookedUp() {
		if len(s.unknown(q)) > 0 {
			least = lackingCoverage
		}
		if h.expected {
			alone = least
		} else if q.expects == aTime || q.expects == anAmount {
			need++
		}
	}
	return h.coverage >= least && h.matched > 0 && !s.repeats(h, q) && (h.matched >= need || h.titled || h.coverage >= alone)
}

// repeats reports whether a passage holds the question itself as code: an example of
// asking, and no answer.
func (s *shelf) repeats(h hit, q request) bool {
	d := s.docs[h.doc]
	p := d.passages[h.passage]
	text, question := d.slice(p.text), strings.TrimSpace(q.text)
	if p.kind != md.Code {
		question = "`" + question
	}
	return len(q.text) > 0 && len(question) > 8 && strings.Contains(text, question)
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
		p.para(fmt.Sprintf("%s has this in %s.", s.link(order[0]), md.Plural(len(parts), "place")))
	case lead == "" && s.lookedUp():
		paths := map[string]bool{}
		for _, doc := range order {
			paths[s.docs[doc].path0()] = true
		}
		p.para(fmt.Sprintf("%d places in %s have something on this.", len(parts), md.Plural(len(paths), "note")))
	case lead == "":
		p.para(fmt.Sprintf("%d of the %d attached notes have something on this.", len(order), len(s.docs)))
	default:
		p.para(strings.TrimSpace(lead))
	}
	for _, part := range parts {
		p.para("From " + part.place + ":")
		p.para(part.quote)
	}
}

// parts renders the chosen passages, which are sorted by document.
func (s *shelf) parts(found []hit) []part {
	var out []part
	for i := 0; i < len(found); {
		doc := found[i].doc
		var own []passage
		for ; i < len(found) && found[i].doc == doc; i++ {
			own = append(own, s.docs[doc].passages[found[i].passage])
		}
		out = append(out, s.partsOf(doc, own)...)
	}
	return out
}

// nothing says that nothing answers, which words were not found at all, where
// it looked, and what to do; and shows the nearest passage if there is one.
func (s *shelf) nothing(p *page, q request, hits []hit) {
	text := fmt.Sprintf("Nothing in %s answers that. %s", s.names(s.all()), s.unknownLead(q))
	if n := len(s.docs); n > 1 && s.lookedUp() {
		text = fmt.Sprintf("None of the %d passages that were found answers that. %s They are from %s.", n, s.unknownLead(q), s.names(s.all()))
	} else if n > 1 {
		text = fmt.Sprintf("Nothing in the %d attached notes of this conversation answers that. %s Looked in %s.", n, s.unknownLead(q), s.names(s.all()))
	}
	p.para(strings.Join(strings.Fields(text), " "))
	if len(hits) > 0 && hits[0].coverage >= nearestCoverage && hits[0].matched > 0 {
		for _, part := range s.parts(hits[:1]) {
			p.para("The nearest passage is from " + part.place + ":")
			p.para(part.quote)
		}
	}
	p.para("If another note knows, attach it with @.")
}

// unknown are the words of weight that no document holds; numbers are written in
// too many ways to say that of them.
func (s *shelf) unknown(q request) []string {
	var unknown []string
	for _, t := range q.terms {
		if t.surface != "" && t.weight > weakWeight && !strings.ContainsAny(t.text, "0123456789") && s.lacks(t) {
			unknown = append(unknown, "“"+t.surface+"”")
		}
	}
	return unknown
}

// unknownLead says which words no document holds.
func (s *shelf) unknownLead(q request) string {
	unknown := s.unknown(q)
	switch {
	case len(unknown) == 0:
		return ""
	case s.lookedUp():
		they := "They do"
		if len(s.docs) == 1 {
			they = "It does"
		}
		return they + " not hold " + andList(unknown) + "."
	case len(unknown) == 1:
		return unknown[0] + " occurs nowhere."
	}
	return andList(unknown) + " occur nowhere."
}

// lacks reports whether no document holds t in any form.
func (s *shelf) lacks(t term) bool {
	found := false
	for _, d := range s.docs {
		d.index.match(&t, func(posting, float64) { found = true })
	}
	return !found
}

// sectionBytes is how much of a section is quoted when the question names it.
const sectionBytes = 1600

// withSection looks whether the question asks for a whole section, or a note,
// by its heading: "what are the five layers?" where a note has that name. If
// so, what stands there is quoted in reading order, and of the other passages
// the two best. A day, a name or a number is
// not answered with a section.
func (s *shelf) withSection(found, hits []hit, q request) []hit {
	doc, section, ok := s.asked(hits, q)
	if !ok || q.expects == aTime || q.expects == aName || q.expects == anAmount {
		return found
	}
	var out []hit
	size := 0
	for i, p := range s.docs[doc].passages[:s.docs[doc].text] {
		if size += p.text.end - p.text.start; p.section != section {
			size = 0
		} else if size <= sectionBytes || len(out) == 0 {
			out = append(out, hit{doc: doc, passage: i})
		}
	}
	const others = 2
	rest := slices.DeleteFunc(slices.Clone(hits), func(h hit) bool {
		return h.doc == doc && s.docs[doc].passages[h.passage].section == section || h.score < keepScore*hits[0].score
	})
	rest = s.choose(rest, q)
	return append(out, rest[:min(len(rest), others)]...)
}

// asked finds the heading or the name that says what the question says: it
// holds every word of weight, and of its own at most one more, or none if the
// question has a single word.
func (s *shelf) asked(hits []hit, q request) (doc, section int, ok bool) {
	want := strong(q.terms)
	if len(want) == 0 {
		return 0, 0, false
	}
	const deep, first = 40, 3
	best := min(1, len(want)-1) + 1
	try := func(h hit, in int, name string) {
		have := strong(termsOf(name))
		if extra := lacking(have, want); extra < best && lacking(want, have) == 0 {
			doc, section, best, ok = h.doc, in, extra, true
		}
	}
	for _, h := range hits[:min(len(hits), deep)] {
		if s.foundAt(h.doc) > first {
			continue
		}
		d := s.docs[h.doc]
		in := d.passages[h.passage].section
		try(h, in, d.sections[in].title)
		for _, name := range d.names() {
			if d.text == 0 {
				break
			}
			try(h, d.passages[0].section, name)
		}
	}
	return doc, section, ok
}

// strong are the words of weight.
func strong(terms []term) []string {
	var out []string
	for _, t := range terms {
		if t.surface != "" && t.weight > weakWeight {
			out = append(out, t.text)
		}
	}
	return out
}

// lacking is how many of the words are not, in any form, among others.
func lacking(words, others []string) int {
	n := 0
	for _, w := range words {
		if !slices.ContainsFunc(others, func(o string) bool { return o == w || inflects(w) && inflects(o) && sameWord(o, w) }) {
			n++
		}
	}
	return n
}

// complete adds to a passage that ends in a colon what it announces: the list,
// the table or the code that follows.
func (s *shelf) complete(found []hit) []hit {
	const most = 4
	for _, h := range slices.Clone(found) {
		all := s.docs[h.doc].passages
		if !strings.HasSuffix(s.docs[h.doc].slice(all[h.passage].text), ":") {
			continue
		}
		for i := h.passage + 1; i < min(len(all), h.passage+1+most) && all[i].section == all[h.passage].section; i++ {
			if all[i].kind == md.Paragraph || i > h.passage+1 && (all[i].group == 0 || all[i].group != all[i-1].group) {
				break
			}
			if !slices.ContainsFunc(found, func(f hit) bool { return f.doc == h.doc && f.passage == i }) {
				found = append(found, hit{doc: h.doc, passage: i})
			}
		}
	}
	return found
}

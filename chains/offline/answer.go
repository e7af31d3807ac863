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
	mostPassages = 5
	mostFound    = 3 // where some were looked up
	mostListed   = 7 // of what was looked up for a time
	mostPerNote  = 3
	mostQuoted   = 2200 // bytes
	keepScore    = 0.45 // of the best score
	keepCoverage = 0.75 // of the best passage's coverage
)

// What makes a passage an answer: it holds this share of the question's weight.
// Below the last bound it is not even worth showing as the nearest thing.
const (
	answerCoverage   = 0.5
	expectedCoverage = 0.4 // of a passage that holds the kind of thing that is asked for
	nearestCoverage  = 0.25
)

// answer writes the reply to q.
func (s *shelf) answer(ctx context.Context, p *page, q request) error {
	switch {
	case q.kind == summary:
		s.summarize(p, q)
		return nil
	case q.kind == listing:
		s.list(p)
		return nil
	case q.kind == idle:
		p.para("Attached: " + s.names(s.all()) + ". Ask about something that stands there, or for a summary.")
		return nil
	}
	hits, err := s.find(ctx, q.docs, q)
	if err != nil {
		return err
	}
	if found := s.withSection(s.choose(hits, q), hits, q); len(found) > 0 {
		s.quoteAll(p, s.complete(found), "")
		return nil
	}
	if q.named && len(q.docs) < len(s.docs) {
		rest := slices.DeleteFunc(s.all(), func(d int) bool { return slices.Contains(q.docs, d) })
		others, err := s.find(ctx, rest, q)
		if err != nil {
			return err
		}
		if found := s.choose(others, q); len(found) > 0 {
			s.quoteAll(p, s.complete(found), fmt.Sprintf("Nothing in %s answers that, but another note does.", s.names(q.docs)))
			return nil
		}
	}
	s.nothing(p, q, hits)
	return nil
}

// find ranks the passages of documents for a question, without those that hold the
// question itself as code: an example of asking, and no answer.
func (s *shelf) find(ctx context.Context, docs []int, q request) ([]hit, error) {
	hits, err := s.rank(ctx, docs, q.terms)
	question := strings.TrimSpace(q.text)
	code := "`" + question
	hits = slices.DeleteFunc(hits, func(h hit) bool {
		d := s.docs[h.doc]
		p := d.passages[h.passage]
		text := d.slice(p.text)
		return len(question) > 8 && (strings.Contains(text, code) || p.kind == md.Code && strings.Contains(text, question))
	})
	s.prefer(hits, q.expects)
	return hits, err
}

// list quotes the beginnings of what was looked up.
func (s *shelf) list(p *page) {
	p.para("Found for that time:")
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
	most := mostPassages
	if s.lookedUp() {
		most = mostFound
	}
	var out []hit
	perNote, texts, size := map[int]int{}, map[string]bool{}, 0
	for _, h := range hits {
		if h.score < keepScore*hits[0].score || len(out) == most {
			break
		}
		d := s.docs[h.doc]
		text := d.slice(d.passages[h.passage].text)
		if !s.answers(h, q) || h.coverage < keepCoverage*hits[0].coverage || perNote[h.doc] == mostPerNote || texts[text] {
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

// answers reports whether a passage answers the question: by what it says itself, or
// by a property of that kind, since the title is that of all passages of a note.
func (s *shelf) answers(h hit, q request) bool {
	least := answerCoverage
	switch q.expects {
	case anything, aPlace, aName: // which are often written without a sign of being one
	default:
		if least = expectedCoverage; !h.expected {
			return false
		}
	}
	return h.coverage >= least && (h.own || h.expected && h.passage >= s.docs[h.doc].text)
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
	case lead != "":
		p.para(lead)
	case len(parts) == 1:
		p.para(parts[0].place + " has this:")
		p.para(parts[0].quote)
		return
	case len(order) == 1:
		p.para(fmt.Sprintf("%s has this in %s.", s.link(order[0]), md.Plural(len(parts), "place")))
	default:
		paths := map[string]bool{}
		for _, doc := range order {
			paths[s.docs[doc].path0()] = true
		}
		p.para(fmt.Sprintf("%d places in %s have something on this.", len(parts), md.Plural(len(paths), "note")))
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
	text, what := fmt.Sprintf("Nothing in %s answers that. %s", s.names(s.all()), s.unknownLead(q)), "attached notes"
	if s.lookedUp() {
		what = "passages that were found"
	}
	if n := len(s.docs); n > 1 {
		text = fmt.Sprintf("None of the %d %s answers that. %s Looked in %s.", n, what, s.unknownLead(q), s.names(s.all()))
	}
	p.para(md.OneLine(text))
	if len(hits) > 0 && hits[0].coverage >= nearestCoverage {
		for _, part := range s.parts(hits[:1]) {
			p.para("The nearest passage is from " + part.place + ":")
			p.para(part.quote)
		}
	}
	p.para("If another note knows, attach it with @.")
}

// unknownLead says which words of weight no document holds; numbers are written in
// too many ways to say that of them.
func (s *shelf) unknownLead(q request) string {
	var unknown []string
	for _, t := range q.terms {
		if t.surface != "" && t.weight > weakWeight && !t.before && !strings.ContainsAny(t.text, "0123456789") && s.lacks(t) {
			unknown = append(unknown, "“"+t.surface+"”")
		}
	}
	switch {
	case len(unknown) == 0:
		return ""
	case len(s.docs) == 1:
		return "It does not hold " + andList(unknown) + "."
	}
	return "They do not hold " + andList(unknown) + "."
}

// lacks reports whether no document holds t in any form.
func (s *shelf) lacks(t term) bool {
	found := false
	for _, d := range s.docs {
		d.index.match(&t, func(posting, float64) { found = true })
	}
	return !found
}

// sectionBytes bounds the quote of a section that the question names.
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
	want := strongWords(q.terms)
	if len(want) == 0 {
		return 0, 0, false
	}
	const deep = 40
	best := min(1, len(want)-1) + 1
	try := func(h hit, in int, name string) {
		have := strongWords(termsOf(name))
		if extra := countMissing(have, want); extra < best && countMissing(want, have) == 0 {
			doc, section, best, ok = h.doc, in, extra, true
		}
	}
	for _, h := range hits[:min(len(hits), deep)] {
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

// strongWords are the words of weight.
func strongWords(terms []term) []string {
	var out []string
	for _, t := range terms {
		if t.surface != "" && t.weight > weakWeight && !t.before {
			out = append(out, t.text)
		}
	}
	return out
}

// countMissing counts the words that are not, in any form, among others.
func countMissing(words, others []string) int {
	n := 0
	for _, w := range words {
		t := term{text: w, forms: map[string]bool{}}
		if !slices.ContainsFunc(others, func(o string) bool {
			return o == w || strings.HasPrefix(o, w[:prefixLen(w, 3)]) && t.isForm(o)
		}) {
			n++
		}
	}
	return n
}

// complete adds to a passage that ends in a colon what it announces: the list,
// the table or the code that follows.
func (s *shelf) complete(found []hit) []hit {
	for _, h := range slices.Clone(found) {
		all := s.docs[h.doc].passages
		lead := all[h.passage]
		if r := lastRune(s.docs[h.doc].slice(lead.text)); r != ':' && r != '：' {
			continue
		}
		for i := h.passage + 1; i < len(all) && all[i].section == lead.section &&
			all[i].text.end-lead.text.end <= sectionBytes; i++ {
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

package offline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/vault/md"
)

// Limits of the quotes in a reply.
const (
	maxPassages  = 5
	maxFound     = 3 // passages, if there were lookups
	maxPerNote   = 3
	maxQuoted    = 2200 // bytes
	keepScore    = 0.45 // share of the best score
	keepCoverage = 0.75 // share of the best passage's coverage
)

// The coverage, a share of the question's weight, that makes a passage an answer. Below nearestCoverage it is not
// even shown as the nearest passage.
const (
	answerCoverage   = 0.5
	expectedCoverage = 0.4 // for a passage that contains the expected kind of thing
	nearestCoverage  = 0.25
)

// answer writes the reply to q.
func (s *shelf) answer(ctx context.Context, p *page, q request) error {
	switch {
	case q.kind == summary:
		s.summarize(p, q)
		return nil
	case q.kind == idle:
		p.para("Attached: " + linkAll(s.docs) + ". Ask about something that stands there, or for a summary.")
		return nil
	}
	s.weighPassages(q.terms)
	hits, err := s.find(ctx, q.docs, q)
	if err != nil {
		return err
	}
	if found := s.withSection(s.choose(hits, q), hits, q); len(found) > 0 {
		s.quoteAll(p, complete(found))
		return nil
	}
	if q.named && len(q.docs) < len(s.docs) {
		rest := slices.DeleteFunc(slices.Clone(s.docs), func(d *document) bool { return slices.Contains(q.docs, d) })
		others, err := s.find(ctx, rest, q)
		if err != nil {
			return err
		}
		if found := s.choose(others, q); len(found) > 0 {
			p.para(fmt.Sprintf("Nothing in %s answers that, but another note does.", linkAll(q.docs)))
			s.quoteAll(p, complete(found))
			return nil
		}
	}
	s.writeNothingFound(p, q, hits)
	return nil
}

// find ranks the passages of documents for a question. It leaves out passages that contain the question itself as
// code, because these are examples of asking.
func (s *shelf) find(ctx context.Context, docs []*document, q request) ([]*passage, error) {
	hits, err := s.rank(ctx, docs, q.terms)
	question := strings.TrimSpace(q.text)
	hits = slices.DeleteFunc(hits, func(h *passage) bool {
		text := h.doc.slice(h.text)
		return len(question) > 8 &&
			(strings.Contains(text, "`"+question) || h.kind == md.Code && strings.Contains(text, question))
	})
	prefer(hits, q.expects)
	return hits, err
}

// choose selects the passages to quote from the ranked ones, none if even the best does not answer.
func (s *shelf) choose(hits []*passage, q request) []*passage {
	most := maxPassages
	if s.lookedUp() {
		most = maxFound
	}
	var out []*passage
	perNote, texts, size := map[*document]int{}, map[string]bool{}, 0
	for _, h := range hits {
		if h.score < keepScore*hits[0].score || len(out) == most {
			break
		}
		text := h.doc.slice(h.text)
		if !h.answers(q) || h.coverage < keepCoverage*hits[0].coverage || perNote[h.doc] == maxPerNote || texts[text] {
			continue
		}
		if size += min(len(text), clipBytes); size > maxQuoted && len(out) > 0 {
			break
		}
		texts[text] = true
		perNote[h.doc]++
		out = append(out, h)
	}
	return out
}

// answers reports whether a passage answers the question, by its own text or by a property of the expected kind.
// The title of the note is not enough, since all its passages share it.
func (p *passage) answers(q request) bool {
	least := answerCoverage
	switch q.expects {
	case anything, aPlace, aName: // often written without any sign of being one
	default:
		if least = expectedCoverage; !p.expected {
			return false
		}
	}
	return p.coverage >= least && (p.own || p.expected && p.property)
}

// quoteAll writes the chosen passages by note, the best note first, and within a note in reading order.
func (s *shelf) quoteAll(p *page, found []*passage) {
	var order []*document
	for _, h := range found {
		if !slices.Contains(order, h.doc) {
			order = append(order, h.doc)
		}
	}
	slices.SortStableFunc(found, func(a, b *passage) int {
		return cmp.Or(slices.Index(order, a.doc)-slices.Index(order, b.doc), a.n-b.n)
	})
	p.quote(s.parts(found))
}

// writeNothingFound says that nothing answers, which words were not found at all, where it looked, and what to do. It
// shows the nearest passage if there is one.
func (s *shelf) writeNothingFound(p *page, q request, hits []*passage) {
	text, what := fmt.Sprintf("Nothing in %s answers that. %s", linkAll(s.docs), s.unknownLead(q)), "attached notes"
	if s.lookedUp() {
		what = "passages that were found"
	}
	if n := len(s.docs); n > 1 {
		text = fmt.Sprintf("None of the %d %s answers that. %s Looked in %s.",
			n, what, s.unknownLead(q), linkAll(s.docs))
	}
	p.para(md.OneLine(text))
	if len(hits) > 0 && hits[0].coverage >= nearestCoverage {
		part := s.parts(hits[:1])[0]
		p.para("The nearest passage is from " + part.place + ":")
		p.para(part.quote)
	}
	p.para("If another note knows, attach it with @.")
}

// unknownLead names the significant words that no document contains. It leaves out numbers, which are written in
// too many ways.
func (s *shelf) unknownLead(q request) string {
	var unknown []string
	for i, t := range q.terms {
		if t.isStrong() && !strings.ContainsAny(t.text, "0123456789") && s.isMissing(i) {
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

// sectionBytes limits the quote of a section that the question names.
const sectionBytes = 1600

// withSection handles a question that asks for a whole section or note by its heading: "what are the five layers?"
// if a heading says that. It then returns the passages of that section in reading order, and the two best others. A
// question for a time, a name or an amount is not answered with a section.
func (s *shelf) withSection(found, hits []*passage, q request) []*passage {
	in := findAsked(hits, q)
	if in == nil || q.expects == aTime || q.expects == aName || q.expects == anAmount {
		return found
	}
	var out []*passage
	size := 0
	for _, p := range in.doc.passages[:in.doc.text] {
		if size += p.text.end - p.text.start; p.section != in.section {
			size = 0
		} else if size <= sectionBytes || len(out) == 0 {
			out = append(out, p)
		}
	}
	const others = 2
	rest := slices.DeleteFunc(slices.Clone(hits), func(h *passage) bool {
		return h.section == in.section || h.score < keepScore*hits[0].score
	})
	rest = s.choose(rest, q)
	return append(out, rest[:min(len(rest), others)]...)
}

// findAsked returns a passage of the section whose heading, or of the note whose name, matches the question: it
// contains every significant word of the question and at most one more, or none if the question has a single word.
// It returns nil if there is none.
func findAsked(hits []*passage, q request) (in *passage) {
	want := strongWords(q.terms)
	if len(want) == 0 {
		return nil
	}
	const deep = 40
	best := min(1, len(want)-1) + 1
	try := func(p *passage, name string) {
		have := strongWords(termsOf(name))
		if extra := countMissing(have, want); extra < best && countMissing(want, have) == 0 {
			in, best = p, extra
		}
	}
	for _, p := range hits[:min(len(hits), deep)] {
		try(p, p.section.title)
		for _, name := range p.doc.names {
			if p.doc.text > 0 {
				try(p.doc.passages[0], name)
			}
		}
	}
	return in
}

// isStrong reports whether t is a significant word.
func (t *term) isStrong() bool { return t.surface != "" && t.weight > weakWeight && !t.before }

// strongWords returns the significant words.
func strongWords(terms []term) []string {
	var out []string
	for _, t := range terms {
		if t.isStrong() {
			out = append(out, t.text)
		}
	}
	return out
}

// countMissing counts the words that others do not contain in any form.
func countMissing(words, others []string) int {
	n := 0
	for _, w := range words {
		t := term{text: w}
		if !slices.ContainsFunc(others, func(o string) bool { return o == w || t.isForm(o) }) {
			n++
		}
	}
	return n
}

// complete adds to each passage that ends in a colon the list, table or code that follows it.
func complete(found []*passage) []*passage {
	for _, lead := range slices.Clone(found) {
		if r := lastRune(lead.doc.slice(lead.text)); r != ':' && r != '：' {
			continue
		}
		all := lead.doc.passages
		for i := lead.n + 1; i < len(all) && all[i].section == lead.section &&
			all[i].text.end-lead.text.end <= sectionBytes; i++ {
			if all[i].kind == md.Paragraph || i > lead.n+1 && (all[i].group == 0 || all[i].group != all[i-1].group) {
				break
			}
			if !slices.Contains(found, all[i]) {
				found = append(found, all[i])
			}
		}
	}
	return found
}

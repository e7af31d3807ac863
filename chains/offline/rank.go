package offline

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/vault/index/stem"
	"ibid/vault/md"
)

// Passages are ranked by BM25 over fields, with a factor for coverage. For a
// question q of terms t with weights w(t), and a passage p of |p| terms:
//
//	score(p,q) = √coverage(p,q) · Σ w(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·|p|/avg))
//	f          = in the passage (in code and properties: 0.6 each) + 1.6·in its heading + 0.8·in the headings above,
//	             the title, and the table header over it
//	idf(t)     = ln(1 + (N − n + 0.5)/(n + 0.5)), n of the N passages holding t
//	coverage   = Σ w(t)·idf(t) over the terms that p holds / the same sum over all terms of q,
//	             both without the terms of an earlier question, and without words that say
//	             little and that no passage holds; a name that none holds counts twice
//
// A word in another form counts as half an occurrence. The score of a passage that
// holds the kind of thing that is asked for is multiplied in the end, see prefer.
const (
	k1            = 1.2
	b             = 0.5
	headingWeight = 1.6
	outerWeight   = 0.8
	formWeight    = 0.5
	codeWeight    = 0.6
	keyWeight     = 2   // of a name that no passage holds, or the first word, mostly what is asked for
	pairWeight    = 0.5 // of two characters that no passage holds: half of the pairs stand across the border of two words
	// added to N: other passages, which nobody attached or found, and which hold nothing of the question
	elsewhere = 200
)

// weigh notes in all passages what they hold of the terms of a question. A word in another
// form counts less; so does one that begins with a term and is longer by another word, or,
// in a passage that was looked up, that ends with it.
func (s *shelf) weigh(terms []term) {
	type holding struct {
		term   int
		weight float64
	}
	type word struct {
		text     string
		lookedUp bool
	}
	known := map[word][]holding{}
	holdings := func(w word) []holding {
		of, ok := known[w]
		for i := 0; i < len(terms) && !ok; i++ {
			if weight := terms[i].in(w.text, w.lookedUp); weight > 0 {
				of = append(of, holding{i, weight})
			}
		}
		known[w] = of
		return of
	}
	for _, d := range s.docs {
		for _, p := range d.passages {
			add := func(words []string, weight float64, own bool) {
				for _, w := range words {
					for _, h := range holdings(word{w, d.item.Source != nil}) {
						if p.found == nil {
							p.found = make([]float64, len(terms))
						}
						p.found[h.term] += weight * h.weight
						p.own = p.own || own && !terms[h.term].before
					}
				}
			}
			weight := 1.0
			if p.kind == md.Code || p.property {
				weight = codeWeight
			}
			text := termsIn(d.slice(p.text))
			p.words = len(text)
			add(text, weight, true)
			add(termsIn(d.slice(p.header)), outerWeight, true)
			weight = headingWeight
			for in := p.section; in.parent != nil; in = in.parent {
				if p.kind != md.Title || in != p.section {
					add(in.terms, weight, !d.isTitle(in))
				}
				weight = outerWeight
			}
			weight = outerWeight
			if p.section.parent == nil {
				weight += headingWeight
			}
			add(d.sections[0].terms, weight, false)
		}
	}
}

// in weighs a word for t.
func (t *term) in(word string, lookedUp bool) float64 {
	switch {
	case word == t.text:
		return 1
	case inflects(t.text) && (t.isForm(word) || lookedUp && isCompound(word, t.text, strings.HasSuffix)):
		return formWeight
	}
	return 0
}

// isForm reports whether word begins like t, and is another form of it or goes on with
// another word.
func (t *term) isForm(word string) bool {
	return strings.HasPrefix(word, t.text[:prefixLen(t.text, 3)]) &&
		(stem.SameStem(t.text, word) || sameStem(t.text, word) || isCompound(word, t.text, strings.HasPrefix))
}

// lacks reports whether no document holds a term in any form.
func (s *shelf) lacks(term int) bool {
	return !slices.ContainsFunc(s.docs, func(d *document) bool {
		return slices.ContainsFunc(d.passages, func(p *passage) bool { return p.found != nil && p.found[term] > 0 })
	})
}

// isCompound reports whether word is term and another word, as German and Dutch join them.
func isCompound(word, term string, at func(s, part string) bool) bool {
	const least = 4
	return len(term) >= least && len(word) >= len(term)+least && at(word, term)
}

func prefixLen(s string, runes int) int {
	n := 0
	for ; runes > 0 && n < len(s); runes-- {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	return n
}

// rank sorts the passages of documents that hold something of the terms by their score,
// best first; equal ones in reading order. Scores are rounded first, so that no machine's
// last bit decides what a person reads.
func (s *shelf) rank(ctx context.Context, docs []*document, terms []term) ([]*passage, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	var hits []*passage
	passages, words := 0, 0
	for _, d := range docs {
		passages += len(d.passages)
		for _, p := range d.passages {
			if words += p.words; p.found != nil {
				hits = append(hits, p)
			}
		}
	}
	total := float64(passages + elsewhere)
	avg := max(1, float64(words)/max(1, float64(passages)))
	all := 0.0
	known := "" // of scripts without spaces
	for i, t := range terms {
		if t.surface == "" && t.weight > weakWeight && !s.lacks(i) {
			known += t.text
		}
	}
	for i, t := range terms {
		n := 0.0
		for _, p := range hits {
			if p.found[i] > 0 {
				n++
			}
		}
		idf := math.Log(1 + (total-n+0.5)/(n+0.5))
		share := t.weight * idf
		switch {
		case t.before, n == 0 && (t.weight <= weakWeight || strings.ContainsAny(t.text, known)):
			share = 0
		case n == 0 && t.key:
			share *= keyWeight
		case n == 0 && t.surface == "":
			share *= pairWeight
		}
		all += share
		for _, p := range hits {
			if f := p.found[i]; f > 0 {
				p.score += t.weight * idf * f * (k1 + 1) / (f + k1*(1-b+b*float64(p.words)/avg))
				p.coverage += share
			}
		}
	}
	for _, p := range hits {
		if p.coverage > 0 {
			p.coverage = math.Min(1, p.coverage/all)
		}
		p.score = math.Round(p.score*math.Sqrt(p.coverage)*1e6) / 1e6
	}
	hits = slices.DeleteFunc(hits, func(p *passage) bool { return p.score == 0 })
	sortByScore(hits)
	return hits, nil
}

func sortByScore(hits []*passage) {
	slices.SortStableFunc(hits, func(a, b *passage) int { return cmp.Compare(b.score, a.score) })
}

// prefer moves up what holds the kind of thing that the question asks for.
func prefer(hits []*passage, e expect) {
	const deep = 60
	hits = hits[:min(len(hits), deep)]
	for _, p := range hits {
		if p.expected = p.holds(e); p.expected {
			p.score *= expectGain
		}
	}
	sortByScore(hits)
}

// holds reports whether a passage has what is expected, itself or by a heading or
// title that says it of all that is below; of a property the key tells.
func (p *passage) holds(e expect) bool {
	text := strings.TrimSpace(p.doc.slice(p.text))
	text = p.doc.slice(p.header) + " " + text[md.ListMark(text):]
	if p.property {
		key, _, _ := strings.Cut(text[1:], ":")
		return e != anything && isIn("key-"+string(e), fold(key))
	}
	return e.in(text) || (e == aName || e == aTime) && e.in(p.doc.names[0]) ||
		(e == aDecision || e == aTime) && e.in(p.section.title)
}

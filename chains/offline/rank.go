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

// Passages are ranked by BM25 over fields, multiplied by a factor for coverage. For a question q of terms t with
// weights w(t), and a passage p of |p| terms:
//
//	score(p,q) = √coverage(p,q) · Σ w(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·|p|/avg))
//	f          = in the passage (in code and properties: 0.6 each) + 1.6·in its heading + 0.8·in the headings above,
//	             the title, and the table header over it
//	idf(t)     = ln(1 + (N − n + 0.5)/(n + 0.5)), n of the N passages contain t
//	coverage   = Σ w(t)·idf(t) over the terms that p contains / the same sum over all terms of q,
//	             both without the terms of an earlier question, and without words of little
//	             weight that no passage contains; a name that none contains counts twice
//
// Another form of a word counts as half an occurrence. Finally, the score of a passage that contains the expected
// kind of thing is multiplied, see prefer.
const (
	k1            = 1.2
	b             = 0.5
	headingWeight = 1.6
	outerWeight   = 0.8
	formWeight    = 0.5
	codeWeight    = 0.6
	keyWeight     = 2   // for a name that no passage contains, or the first word, which is mostly what is asked for
	pairWeight    = 0.5 // for two characters that no passage contains: half of the pairs are parts of two words
	// added to N for the passages that nobody attached or found, and that contain nothing of the question
	otherPassages = 200
)

// weighPassages records in all passages how much they contain of the terms of a question. Another form of a word counts
// less. So does a compound that begins with a term or, in a passage from a lookup, ends with it.
func (s *shelf) weighPassages(terms []term) {
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

// in returns the weight of a word for t.
func (t *term) in(word string, lookedUp bool) float64 {
	switch {
	case word == t.text:
		return 1
	case inflects(t.text) && (t.isForm(word) || lookedUp && isCompound(word, t.text, strings.HasSuffix)):
		return formWeight
	}
	return 0
}

// isForm reports whether word is another form of t, or a compound that begins with it.
func (t *term) isForm(word string) bool {
	return strings.HasPrefix(word, t.text[:prefixLen(t.text, 3)]) &&
		(stem.SameStem(t.text, word) || sameStem(t.text, word) || isCompound(word, t.text, strings.HasPrefix))
}

// isMissing reports whether no document contains a term in any form.
func (s *shelf) isMissing(term int) bool {
	return !slices.ContainsFunc(s.docs, func(d *document) bool {
		return slices.ContainsFunc(d.passages, func(p *passage) bool { return p.found != nil && p.found[term] > 0 })
	})
}

// isCompound reports whether word is term joined with another word, as in German and Dutch.
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

// rank returns the passages of documents that contain any of the terms, the best score first, equal ones in reading
// order. It rounds scores, so that differences between machines in the last bit have no effect.
func (s *shelf) rank(ctx context.Context, docs []*document, terms []term) ([]*passage, error) {
	if err := ctx.Err(); err != nil {
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
	total := float64(passages + otherPassages)
	avg := max(1, float64(words)/max(1, float64(passages)))
	all := 0.0
	known := "" // terms in scripts without spaces
	for i, t := range terms {
		if t.surface == "" && t.weight > weakWeight && !s.isMissing(i) {
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

// prefer raises the scores of passages that contain the expected kind of thing.
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

// holds reports whether a passage contains the expected kind of thing, or its heading or title says so for
// everything below. For a property the key decides.
func (p *passage) holds(e expect) bool {
	text := strings.TrimSpace(p.doc.slice(p.text))
	text = p.doc.slice(p.header) + " " + text[md.ListMark(text):]
	if p.property {
		key, _, _ := strings.Cut(text[1:], ":")
		return e != anything && isIn("key-"+string(e), foldWord(key))
	}
	return e.in(text) || (e == aName || e == aTime) && e.in(p.doc.names[0]) ||
		(e == aDecision || e == aTime) && e.in(p.section.title)
}

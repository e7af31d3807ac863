package offline

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sort"
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
	elsewhere     = 200 // added to N: other passages, which nobody attached or found, and which hold nothing of the question
)

// posting says that a passage is found by a term.
type posting struct {
	passage int32
	f       float32
	own     bool // in the passage or the headings over it, not in the title alone
}

// postings is the index of one document.
type postings struct {
	small      bool     // a passage: its words can be looked at one by one
	vocabulary []string // sorted
	lists      map[string][]posting
}

// build fills the index of d.
func (d *document) build() {
	lists := map[string][]posting{}
	add := func(passage int, term string, weight float32, own bool) {
		list := lists[term]
		if n := len(list); n > 0 && list[n-1].passage == int32(passage) {
			p := &list[n-1]
			p.f, p.own = p.f+weight, p.own || own
			return
		}
		lists[term] = append(list, posting{int32(passage), weight, own})
	}
	titles := d.sectionTerms()
	for i := range d.passages {
		p := &d.passages[i]
		weight := float32(1)
		if p.kind == md.Code || i >= d.text {
			weight = codeWeight
		}
		eachTerm(d.slice(p.text), func(t string) {
			p.words++
			add(i, t, weight, true)
		})
		eachTerm(d.slice(p.header), func(t string) { add(i, t, outerWeight, true) })
		if own := p.section > 0 && !d.isTitle(p.section); p.kind != md.Title {
			for _, t := range titles[p.section] {
				add(i, t, headingWeight, own)
			}
		}
		for s := d.sections[p.section].parent; s > 0; s = d.sections[s].parent {
			for _, t := range titles[s] {
				add(i, t, outerWeight, !d.isTitle(s))
			}
		}
		for _, t := range titles[0] {
			add(i, t, outerWeight, false)
		}
	}
	d.index = postings{small: d.item.Source != nil, vocabulary: slices.Sorted(maps.Keys(lists)), lists: lists}
}

// sectionTerms are the terms of every heading, and under 0 those of the
// document's names.
func (d *document) sectionTerms() [][]string {
	terms := make([][]string, len(d.sections))
	for i, s := range d.sections {
		text := s.title
		if i == 0 {
			text = strings.Join(d.names(), " / ")
		}
		eachTerm(text, func(t string) { terms[i] = append(terms[i], t) })
	}
	slices.Sort(terms[0])
	terms[0] = slices.Compact(terms[0])
	return terms
}

// match calls f for the postings of term and, at half the weight, of other
// forms of the word, and of words that begin with it and are longer by another
// word; in a passage that was looked up also of those that end with it.
func (x *postings) match(t *term, f func(p posting, weight float64)) {
	term := t.text
	visit := func(term string, weight float64) {
		for _, p := range x.lists[term] {
			f(p, weight*float64(p.f))
		}
	}
	visit(term, 1)
	if !inflects(term) {
		return
	}
	prefix := term[:prefixLen(term, 3)]
	for i := sort.SearchStrings(x.vocabulary, prefix); i < len(x.vocabulary) && strings.HasPrefix(x.vocabulary[i], prefix); i++ {
		if w := x.vocabulary[i]; w != term && t.isForm(w) {
			visit(w, formWeight)
		}
	}
	for _, w := range x.vocabulary {
		if x.small && isCompound(w, term, strings.HasSuffix) {
			visit(w, formWeight)
		}
	}
}

// isForm reports whether word, which begins like t, is another form of it, or
// begins with it and goes on with another word.
func (t *term) isForm(word string) bool {
	is, ok := t.forms[word]
	if !ok {
		is = stem.Same(t.text, word) || sameStem(t.text, word) || isCompound(word, t.text, strings.HasPrefix)
		t.forms[word] = is
	}
	return is
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

// hit is a passage that holds something of the question.
type hit struct {
	doc      int
	passage  int
	score    float64
	coverage float64
	own      bool // something of it not only in the title
	expected bool // it holds the kind of thing that is asked for
}

// rank sorts the passages of the documents by their score for the terms, best
// first; equal ones in reading order.
func (s *shelf) rank(ctx context.Context, docs []int, terms []term) ([]hit, error) {
	passages, words := 0, 0
	for _, d := range docs {
		passages += len(s.docs[d].passages)
	}
	hits := make([]hit, 0, passages)
	for _, d := range docs {
		for j, p := range s.docs[d].passages {
			hits = append(hits, hit{doc: d, passage: j})
			words += p.words
		}
	}
	total := float64(passages + elsewhere)
	avg := max(1, float64(words)/max(1, float64(passages)))
	all := 0.0
	f := make([]float64, len(hits))
	found := ""
	for _, t := range terms {
		if t.surface == "" && t.weight > weakWeight && !s.lacks(t) {
			found += t.text
		}
	}
	for _, t := range terms {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		n := float64(s.count(docs, t, f, hits))
		idf := math.Log(1 + (total-n+0.5)/(n+0.5))
		share := t.weight * idf
		switch {
		case t.before, n == 0 && (t.weight <= weakWeight || strings.ContainsAny(t.text, found)):
			share = 0
		case n == 0 && t.key:
			share *= keyWeight
		case n == 0 && t.surface == "":
			share *= pairWeight
		}
		all += share
		for at, tf := range f {
			if tf == 0 {
				continue
			}
			f[at] = 0
			h := &hits[at]
			length := float64(s.docs[h.doc].passages[h.passage].words)
			h.score += t.weight * idf * tf * (k1 + 1) / (tf + k1*(1-b+b*length/avg))
			h.coverage += share
		}
	}
	return order(hits, all), nil
}

// prefer moves up what holds the kind of thing that the question asks for.
func (s *shelf) prefer(hits []hit, e expect) {
	const deep = 60
	hits = hits[:min(len(hits), deep)]
	for i := range hits {
		h := &hits[i]
		if s.holds(h, e) {
			h.score *= expectGain
			h.expected = true
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
}

// holds reports whether a passage has what is expected, itself or by a heading or
// title that says it of all that is below; of a property the key tells.
func (s *shelf) holds(h *hit, e expect) bool {
	d := s.docs[h.doc]
	p := d.passages[h.passage]
	text := strings.TrimSpace(d.slice(p.text))
	text = d.slice(p.header) + " " + text[md.ListMark(text):]
	if h.passage >= d.text {
		key, _, _ := strings.Cut(text[1:], ":")
		return e != anything && isIn("key-"+string(e), fold(key))
	}
	return e.in(text) || (e == aName || e == aTime) && e.in(d.names()[0]) || (e == aDecision || e == aTime) && e.in(d.sections[p.section].title)
}

// count sums up the occurrences of t per passage in f and returns how many
// passages hold it outside of the title.
func (s *shelf) count(docs []int, t term, f []float64, hits []hit) int {
	n, base := 0, 0
	for _, d := range docs {
		s.docs[d].index.match(&t, func(p posting, weight float64) {
			at := base + int(p.passage)
			if f[at] == 0 {
				n++
			}
			f[at] += weight
			hits[at].own = hits[at].own || p.own && !t.before
		})
		base += len(s.docs[d].passages)
	}
	return n
}

// order drops what was not hit and sorts the rest. Scores are rounded first,
// so that no machine's last bit decides what a person reads.
func order(hits []hit, all float64) []hit {
	hits = slices.DeleteFunc(hits, func(h hit) bool { return h.score == 0 })
	for i := range hits {
		h := &hits[i]
		if h.coverage > 0 {
			h.coverage = math.Min(1, h.coverage/all)
		}
		h.score = math.Round(h.score*math.Sqrt(h.coverage)*1e6) / 1e6
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits
}

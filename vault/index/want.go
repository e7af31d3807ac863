package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/vault/index/stem"
)

// want is one term of a query, and what counts as it.
type want struct {
	term
	word   bool // one word that is not quoted: its forms count too
	phrase bool // made of other wants, so that it is no more of the query than they are
	joined int  // if above 0: the words of wants[joined-1] and wants[joined], written as one
	common bool // it stands in most texts, and the query has other words
	half   bool // it counts half
	stems  stem.Stems
	start  string   // what its forms start with
	near   []string // where it stands nowhere, and no word begins with it: words that it may be a slip of

	exact, loose int // how many notes hold it, and it or one of its forms
	forms        []string
}

// wants prepares the terms of a query of notes in some languages. Common words do
// not decide: they are looked for only in notes that hold another word, if the
// query has any.
func (t *terms) wants(in stem.Languages) []want {
	var wants []want
	for _, part := range t.any {
		w := want{term: part, half: slices.Contains(t.half, part.folded)}
		if w.word = !strings.Contains(part.folded, " ") && !quoted(t, part); w.word {
			w.stems = stem.Of(part.folded, in)
			w.start = w.stems.Prefix()
			w.common = !part.prefix && commonWord(part.folded)
		}
		wants = append(wants, w)
	}
	for _, whole := range t.all {
		if tokens, _ := whole.tokens(); len(tokens) > 1 && !slices.Contains(t.any, whole) {
			wants = append(wants, want{term: whole, phrase: true})
		}
	}
	for i := range len(t.any) - 1 {
		if a, b := wants[i], wants[i+1]; a.word && b.word && !b.prefix && !b.half && wordy([]byte(a.folded)) && wordy([]byte(b.folded)) {
			wants = append(wants, want{term: term{folded: a.folded + b.folded}, phrase: true, joined: i + 1})
		}
	}
	if !slices.ContainsFunc(wants, func(w want) bool { return !w.common && !w.phrase }) {
		for i := range wants {
			wants[i].common = false
		}
	}
	return wants
}

// part makes w two words in a row, cut at an offset.
func (w *want) part(at int) {
	w.term = term{folded: w.folded[:at] + " " + w.folded[at:]}
	w.word, w.stems, w.start = false, stem.Stems{}, ""
}

// quoted reports whether a term is looked for as it is written.
func quoted(t *terms, part term) bool { return slices.Contains(t.quoted, part.folded) }

// commonRunes are runes of which words for asking and joining are made in
// Chinese and Japanese. A pair with one of them tells little.
const commonRunes = "的了是吗呢么吧和在有怎如何什为要我你他她它们这那哪个对很多会可以也就都与或及把被让用做多少はがをにでとのもへやかですます"

// commonWord reports whether a word, or a pair of runes, is one of those that
// stand in most texts.
func commonWord(word string) bool {
	if r, _ := utf8.DecodeRuneInString(word); dense(r) {
		return strings.ContainsAny(word, commonRunes)
	}
	return stem.Common(word)
}

// rarity is how much it tells that a note holds a term that n of all notes hold.
func rarity(n, all int) float64 {
	return math.Log(1 + (float64(all-n)+0.5)/(float64(n)+0.5))
}

// What a common word, and one that was only named besides, counts of its rarity.
const (
	commonWeight = 0.15
	halfWeight   = 0.5
)

// match is how a word of a note fits a want.
type match struct {
	want  int
	in    stem.Languages // in which the word is a form of the want
	exact bool
}

// matcher finds the wants in folded text. It is for one goroutine.
type matcher struct {
	wants  []want
	known  map[string][]match
	starts [1 << 16]bool // the first two bytes of words of interest
	heads  []string      // how words of interest begin
	pairs  bool          // whether dense scripts are looked for
	folded []byte        // a buffer

	bytes, found int // looked at by countASCII
}

func newMatcher(wants []want) *matcher {
	m := &matcher{wants: wants, known: map[string][]match{}}
	for i := range wants {
		w := &wants[i]
		r, _ := utf8.DecodeRuneInString(w.folded)
		m.pairs = m.pairs || dense(r)
		for _, s := range append([]string{w.folded, cmp.Or(w.start, w.folded)}, w.near...) {
			m.start(s)
		}
	}
	return m
}

// start takes in that words which begin with s are of interest.
func (m *matcher) start(s string) {
	if !slices.Contains(m.heads, s) {
		m.heads = append(m.heads, s)
	}
	first := int(s[0]) << 8
	if len(s) > 1 {
		m.starts[first|int(s[1])] = true
		return
	}
	for second := range 256 {
		m.starts[first|second] = true
	}
}

// starting reports whether the word at i may be of interest.
func (m *matcher) starting(folded []byte, i int) bool {
	second := byte(' ')
	if i+1 < len(folded) {
		second = folded[i+1]
	}
	return m.starts[int(folded[i])<<8|int(second)]
}

// count adds weight to exact and loose, by want, for each time that it stands in
// folded text, loose counts forms in the languages of the text too.
func (m *matcher) count(folded []byte, in stem.Languages, weight float64, exact, loose []float64) {
	for i := 0; i < len(folded); {
		c := folded[i]
		if c == ' ' || c == '\n' {
			i++
			continue
		}
		end := i
		if r, n := utf8.DecodeRune(folded[i:]); dense(r) {
			end = i + n
			if !m.pairs {
				i = end
				continue
			}
			m.add(folded[i:end], in, weight, exact, loose)
			if next, n := utf8.DecodeRune(folded[end:]); dense(next) {
				m.add(folded[i:end+n], in, weight, exact, loose)
			}
			i = end
			continue
		}
		for end < len(folded) && folded[end] != ' ' && folded[end] != '\n' {
			if folded[end] >= utf8.RuneSelf {
				r, n := utf8.DecodeRune(folded[end:])
				if dense(r) {
					break
				}
				end += n
				continue
			}
			end++
		}
		if m.starting(folded, i) && m.startsLike(folded[i:end]) {
			m.add(folded[i:end], in, weight, exact, loose)
		}
		i = end
	}
	for i := range m.wants {
		if w := &m.wants[i]; !w.single() {
			n := weight * float64(w.count(folded))
			exact[i] += n
			loose[i] += n
		}
	}
}

// mayHold reports, at little cost, whether text may have a want: of other text than
// that of ASCII it does not know.
func (m *matcher) mayHold(text string) bool {
	if !plainASCII(text) {
		return true
	}
	for i := range m.wants {
		w := &m.wants[i]
		start, _, _ := strings.Cut(cmp.Or(w.start, w.folded), " ")
		if !w.common && containsFold(text, start) {
			return true
		}
		for _, word := range w.near {
			if containsFold(text, word) {
				return true
			}
		}
	}
	return false
}

// countASCII is count for text of ASCII that is not folded, in which it looks at
// nothing but what begins like a want. ok is false for wants of which it does not know.
func (m *matcher) countASCII(text string, in stem.Languages, weight float64, exact, loose []float64) (ok bool) {
	for i := range m.wants {
		if w := &m.wants[i]; !w.single() {
			first, _, _ := strings.Cut(w.folded, " ")
			if containsFold(text, first) {
				return false
			}
		}
	}
	if m.often(len(text)) {
		m.tokens(text, func(f match) { f.add(in, weight, exact, loose) })
		return true
	}
	for i := range m.wants {
		w := &m.wants[i]
		if !w.single() {
			continue
		}
		start := cmp.Or(w.start, w.folded)
		fit := func(f match) { f.add(in, weight, exact, loose) }
		m.words(text, start, false, i, fit)
		for _, near := range w.near {
			if !strings.HasPrefix(near, start) {
				m.words(text, near, true, i, fit)
			}
		}
	}
	return true
}

// often takes in that a text of so many bytes is looked at, and reports whether so much
// was found in those before that it is faster to go through all of it.
func (m *matcher) often(bytes int) bool {
	m.bytes += bytes
	return m.found > m.bytes/oneIn
}

// oneIn is for how many bytes with one word of interest a search for these takes as
// long as a look at each word.
const oneIn = 500

// tokens calls fit for the words of a text of ASCII that fit a want.
func (m *matcher) tokens(text string, fit func(match)) {
	for i := 0; i < len(text); i++ {
		first := asciiFold[text[i]]
		if first <= ' ' {
			continue
		}
		second := byte(' ')
		if i+1 < len(text) {
			second = asciiFold[text[i+1]]
		}
		if m.starts[int(first)<<8|int(second)] && m.begins(text[i:]) {
			i = m.word(text, i)
			m.found++
			for _, f := range m.fits(m.folded) {
				fit(f)
			}
			continue
		}
		for i < len(text) && asciiFold[text[i]] > ' ' {
			i++
		}
	}
}

// begins reports whether a text of ASCII begins like a word of interest.
func (m *matcher) begins(text string) bool {
	for _, s := range m.heads {
		n := 0
		for n < len(s) && n < len(text) && asciiFold[text[n]] == s[n] {
			n++
		}
		if n == len(s) {
			return true
		}
	}
	return false
}

// startsLike reports whether a folded word begins like one of interest.
func (m *matcher) startsLike(word []byte) bool {
	return slices.ContainsFunc(m.heads, func(s string) bool { return len(s) <= len(word) && string(word[:len(s)]) == s })
}

// word folds the word of a text of ASCII that begins at an offset, and returns where
// it ends.
func (m *matcher) word(text string, at int) (end int) {
	m.folded = m.folded[:0]
	for ; at < len(text) && asciiFold[text[at]] > ' '; at++ {
		m.folded = append(m.folded, asciiFold[text[at]])
	}
	return at
}

// words calls fit for the words of a text of ASCII that begin with start, or are it as
// a whole, and fit one want.
func (m *matcher) words(text, start string, whole bool, want int, fit func(match)) {
	for at := range allFold(text, start) {
		m.found++
		if at > 0 && asciiFold[text[at-1]] > ' ' {
			continue
		}
		if m.word(text, at); whole && len(m.folded) > len(start) {
			continue
		}
		for _, f := range m.fits(m.folded) {
			if f.want == want {
				fit(f)
			}
		}
	}
}

// single reports whether a want is one token of the index.
func (w *want) single() bool {
	r, n := utf8.DecodeRuneInString(w.folded)
	return !dense(r) && !strings.Contains(w.folded, " ") || utf8.RuneCountInString(w.folded[n:]) < 2 && dense(r)
}

func (m *matcher) add(word []byte, in stem.Languages, weight float64, exact, loose []float64) {
	for _, f := range m.fits(word) {
		f.add(in, weight, exact, loose)
	}
}

func (f match) add(in stem.Languages, weight float64, exact, loose []float64) {
	if f.exact {
		exact[f.want] += weight
	}
	if f.exact || f.in&(in|stem.Russian) != 0 { // a word in Cyrillic letters is Russian in any text
		loose[f.want] += weight
	}
}

// fits is how a folded word fits the wants.
func (m *matcher) fits(word []byte) []match {
	matches, ok := m.known[string(word)]
	if !ok {
		matches = m.find(string(word))
		m.known[string(word)] = matches
	}
	return matches
}

func (m *matcher) find(word string) []match {
	var found []match
	for i := range m.wants {
		w := &m.wants[i]
		switch {
		case !w.single():
		case word == w.folded, w.prefix && strings.HasPrefix(word, w.folded), slices.Contains(w.near, word):
			found = append(found, match{want: i, exact: true})
		case w.word && !w.common && strings.HasPrefix(word, w.start):
			if in := w.stems.Shared(word); in != 0 {
				found = append(found, match{want: i, in: in})
			}
		}
	}
	return found
}

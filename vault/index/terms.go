package index

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
)

// terms is the text of a query in terms.
type terms struct {
	list  []term // for the ranking
	text  string
	exprs []*regexp.Regexp // of operators
}

// term is one or more words that stand next to each other.
type term struct {
	folded string  // words joined by single spaces
	prefix bool    // the last word may go on
	quoted bool    // it is looked for as it is written
	added  bool    // the query has it in another form
	weight float64 // 1, or halfWeight

	stems []string // words with one of these count as it
	forms []string // the words of the index with one of these stems
	near  []string // words that replace it if it is unknown

	statistics         // numbers of notes and pieces with it
	rows       []int64 // the newest rows of the index with it, if they were looked up
}

// phrase reports whether t is several words, or more runes of a dense script than a pair.
func (t *term) phrase() bool {
	return strings.Contains(t.folded, " ") || t.dense() && t.runes() > 2
}

func (t *term) runes() int { return utf8.RuneCountInString(t.folded) }

// dense reports whether t is of a script without spaces between words.
func (t *term) dense() bool {
	r, _ := utf8.DecodeRuneInString(t.folded)
	return fold.IsDense(r)
}

// maxTerms bounds the terms of a query: of a pasted page the beginning is enough.
const maxTerms = 32

// parseTerms cuts text into terms: words, also the parts of "gpt-4", and texts in quotes. A
// quotation mark that nothing closes means nothing. The last word of a partial text may go on.
func parseTerms(text string, partial bool) terms {
	t := terms{text: text}
	parts := strings.Split(text, `"`)
	for i, part := range parts {
		folded, last := fold.Text(nil, part), i == len(parts)-1
		if i%2 == 1 && !last {
			t.list = addTerm(t.list, term{folded: string(folded), quoted: true, weight: 1})
			continue
		}
		fold.EachToken(folded, func(word []byte) {
			w := term{folded: string(word), weight: 1}
			from := cap(folded) - cap(word)
			to := from + len(word)
			if w.dense() { // in a run of runes the pairs count
				w.added = w.runes() == 1 && (from > 0 && folded[from-1] > ' ' || to < len(folded) && folded[to] > ' ')
			} else {
				w.prefix = partial && last && to == len(folded) && w.runes() > 1 && !strings.HasSuffix(text, " ")
			}
			t.list = addTerm(t.list, w)
		})
	}
	t.list = t.list[:min(len(t.list), maxTerms)]
	return t
}

// addTerm adds t to a list unless it has it.
func addTerm(list []term, t term) []term {
	i := slices.IndexFunc(list, func(o term) bool { return o.folded == t.folded })
	switch {
	case t.folded == "":
	case i < 0:
		list = append(list, t)
	default:
		list[i].prefix = list[i].prefix || t.prefix
	}
	return list
}

// add adds the terms of a text.
func (t *terms) add(text string, weight float64) {
	for _, w := range parseTerms(text, false).list {
		w.weight = weight
		t.list = addTerm(t.list, w)
	}
}

// halfWeight is the weight of a term of other phrasings.
const halfWeight = 0.5

// mayBeMistyped reports whether word may be a typing error or have other forms: it starts with a
// letter and is of no dense script.
func mayBeMistyped(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) && !fold.IsDense(r)
}

// complete adds the compounds of each two successive words to the list, and removes common words if
// there are others.
func (t *terms) complete() {
	list := slices.Clone(t.list)
	for i := 1; i < len(t.list); i++ {
		a, b := &t.list[i-1], &t.list[i]
		if mayBeMistyped(a.folded) && mayBeMistyped(b.folded) && !a.phrase() && !b.phrase() {
			list = addTerm(list,
				term{folded: a.folded + b.folded, prefix: a.prefix, quoted: a.quoted, weight: a.weight, added: true})
		}
	}
	for i := range list {
		if w := &list[i]; !w.phrase() && !w.quoted {
			w.stems = stem.Of(w.folded)
		}
	}
	telling := slices.DeleteFunc(slices.Clone(list), func(w term) bool { return !w.prefix && stem.Common(w.folded) })
	if t.list = list; slices.ContainsFunc(telling, func(w term) bool { return !w.added }) {
		t.list = telling
	}
}

// SignificantWords returns the folded words of a text without common ones. A run of runes of a script
// without spaces is cut into pairs.
func SignificantWords(text string) (words []string) {
	for _, w := range parseTerms(text, false).list {
		if !w.added && !stem.Common(w.folded) &&
			!(w.dense() && strings.ContainsFunc(w.folded, func(r rune) bool { return stem.Common(string(r)) })) {
			words = append(words, w.folded)
		}
	}
	return words
}

// match returns t in the query language of FTS5: its tokens, one after the other.
func (t *term) match() string {
	words := t.folded
	if t.phrase() {
		words = ""
		fold.EachToken([]byte(t.folded), func(word []byte) { words += string(word) + " " })
	}
	if t.prefix {
		return `"` + words + `" *`
	}
	return `"` + words + `"`
}

// any returns t or any of its forms in the query language of FTS5.
func (t *term) any() string {
	if len(t.forms) == 0 {
		return t.match()
	}
	forms := `"` + strings.Join(t.forms, `" OR "`) + `"`
	if t.prefix {
		return t.match() + " OR " + forms
	}
	return forms
}

// index returns the offset of t in folded text, or -1. Except in dense scripts, t must begin and end
// with whole words of the text.
func (t *term) index(folded []byte) int {
	first, step := utf8.DecodeRuneInString(t.folded)
	last, _ := utf8.DecodeLastRuneInString(t.folded)
	joins := func(r rune) bool { return fold.IsWordRune(r) && !fold.IsDense(r) }
	for from := 0; ; from += step {
		i := bytes.Index(folded[from:], []byte(t.folded))
		if i < 0 {
			return -1
		}
		from += i
		before, _ := utf8.DecodeLastRune(folded[:from])
		after, _ := utf8.DecodeRune(folded[from+len(t.folded):])
		if (fold.IsDense(first) || !joins(before)) && (t.prefix || fold.IsDense(last) || !joins(after)) {
			return from
		}
	}
}

// in reports whether t stands in folded text.
func (t *term) in(folded []byte) bool { return t.index(folded) >= 0 }

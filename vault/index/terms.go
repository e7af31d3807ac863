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

// terms are a query's text, prepared.
type terms struct {
	list  []term // by which notes are ranked
	text  string
	exprs []*regexp.Regexp // of operators
}

// term is one or more words that stand next to each other.
type term struct {
	folded string  // words joined by single spaces
	prefix bool    // the last word may go on
	quoted bool    // it is looked for as it is written
	added  bool    // the query has it in another form
	weight float64 // 1, or less for one that was only named besides

	stems []string // words with one of these count as it
	forms []string // words of the index that do
	near  []string // where it stands nowhere: words that it may be a slip of

	statistics         // of what holds it
	rows       []int64 // the newest of the index with it, as far as they were looked up
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

// maxTerms bounds the words of a query that are looked for: a pasted page is
// no better a question than its beginning.
const maxTerms = 32

// parseTerms cuts text into terms: words, also of what is several words without a space
// ("gpt-4"), and what stands in quotes. A quotation mark that nothing closes means nothing.
// The last word of a partial text may go on.
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
			if w.dense() { // of a run of runes there are the pairs
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

// addTerm adds t to a list that does not have it.
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

// add takes further words in, as far as they are not there.
func (t *terms) add(text string, weight float64) {
	for _, w := range parseTerms(text, false).list {
		w.weight = weight
		t.list = addTerm(t.list, w)
	}
}

// halfWeight is what a term counts that was only named besides.
const halfWeight = 0.5

// mayBeMistyped reports whether word is one that a person may mistype, or of which there
// may be other forms: it starts with a letter, and is of no dense script.
func mayBeMistyped(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) && !fold.IsDense(r)
}

// complete adds to the list what two words come to as one, and leaves out words that stand
// in most texts, if there are others.
func (t *terms) complete() {
	list := slices.Clone(t.list)
	for i := 1; i < len(t.list); i++ {
		a, b := &t.list[i-1], &t.list[i]
		if mayBeMistyped(a.folded) && mayBeMistyped(b.folded) && !a.phrase() && !b.phrase() {
			list = addTerm(list, term{folded: a.folded + b.folded, prefix: a.prefix, quoted: a.quoted, weight: a.weight, added: true})
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

// SignificantWords are the words of a text as they are looked for, without those that stand
// in most texts. A run of runes of a script without spaces comes in pairs.
func SignificantWords(text string) (words []string) {
	for _, w := range parseTerms(text, false).list {
		if !w.added && !stem.Common(w.folded) && !(w.dense() && strings.ContainsFunc(w.folded, func(r rune) bool { return stem.Common(string(r)) })) {
			words = append(words, w.folded)
		}
	}
	return words
}

// match is t in the query language of FTS5: its tokens, one after the other.
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

// any is what counts as t in the query language of FTS5.
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

// index is the position of the first match of t in folded text, or -1. A word of the text
// that only contains a word of t does not count, except in dense scripts.
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

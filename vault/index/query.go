package index

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/stem"
)

// Query says what to look for. Words of Text are looked for everywhere in a
// note, "words in quotes" next to each other. The other fields bound the notes;
// with Text empty and at least one of them set, Search lists those notes, newest
// first.
type Query struct {
	Text     string
	Also     string       // words that are looked for too and count half
	Partial  bool         // the last word is still being typed: with two letters or more it may go on
	Limit    int          // hits at most; 0 means 20, and of passages as many as fit
	Bytes    int          // of all passages together; 0 means 24,000
	Sections bool         // every section that fits is a hit, not only the best of each note
	Folder   vault.Path   // only notes in it, at any depth
	Tags     []string     // only notes with all of these tags, or tags below them; # optional
	Notes    []vault.Path // only these; nil for any

	// When are times that the words speak of: notes of them come earlier, or are all that
	// is found. A note has the date of its name, as daily notes have one, of its property
	// "date" or "created", else of its last change.
	When     []dates.Range
	TimeOnly bool

	Chats bool       // saved chats too
	Hide  vault.Path // a note that is not found: the chat that is open
	Skip  vault.Path // a folder whose notes are not found: that of the saved prompts

	Near     map[vault.Path]int // link distance of notes from the active one, see Links.Near: near ones come a little earlier
	Timeless bool               // when notes were changed says nothing of their order

	where *cond              // what else ParseQuery found
	inner string             // words in it to rank by
	lines map[vault.Path]int // where in notes where fits, 0 for no line
}

// Hit is a section of a note that fits a query.
type Hit struct {
	Path       vault.Path
	Title      string  // of the note
	Heading    string  // of the section, "" before the first heading
	Start, End int     // lines of the section, 1-based, inclusive
	Line       int     // the line that fits best, within them
	Snippet    string  // that line, cut to some 160 runes around the match, without control characters
	Score      float64 // higher is better; comparable within one answer only

	found *terms // by which it was found
}

func (q *Query) limit() int {
	if q.Limit <= 0 {
		return 20
	}
	return q.Limit
}

func (q *Query) partial() goesOn {
	if q.Partial {
		return lastWord
	}
	return noWord
}

func (q *Query) filtered() bool {
	return q.Folder != "" || len(q.Tags) > 0 || q.Notes != nil || q.TimeOnly || q.where != nil
}

// timed reports whether notes of some times come earlier.
func (q *Query) timed() bool { return len(q.When) > 0 && !q.TimeOnly }

// filter makes the test of a note of src that the fields besides Text ask for.
// Private notes never pass.
func (q *Query) filter(src Source) func(*vault.Note) bool {
	tags := make([]string, len(q.Tags))
	for i, t := range q.Tags {
		tags[i] = foldName(strings.Trim(strings.TrimPrefix(t, "#"), "/"))
	}
	var only map[vault.Path]bool
	if q.Notes != nil {
		only = make(map[vault.Path]bool, len(q.Notes))
		for _, p := range q.Notes {
			only[p] = true
		}
	}
	var dated calendar
	if q.TimeOnly {
		dated = newCalendar(src.Notes())
	}
	return func(n *vault.Note) bool {
		if n.Private || n.Chat && !q.Chats || !n.Path.In(q.Folder) || n.Path == q.Hide && q.Hide != "" || q.Skip != "" && n.Path.In(q.Skip) || only != nil && !only[n.Path] {
			return false
		}
		if q.TimeOnly && dated.near(n, q.When) < 1 {
			return false
		}
		for _, t := range tags {
			if !hasTag(n, t) {
				return false
			}
		}
		return true
	}
}

// Telling are the words of a text as they are looked for, without those that stand
// in most texts. A run of runes of a script without spaces comes in pairs.
func Telling(text string) (words []string) {
	for _, w := range parseTerms(text, noWord).any {
		if !commonWord(w.folded) && !(w.dense() && strings.ContainsAny(w.folded, commonRunes)) {
			words = append(words, w.folded)
		}
	}
	return words
}

// hasTag reports whether n has a tag, folded by foldName, or one below it.
func hasTag(n *vault.Note, tag string) bool {
	for _, t := range n.Tags {
		if !plainASCII(t) {
			t = foldName(t)
		}
		if len(t) >= len(tag) && strings.EqualFold(t[:len(tag)], tag) && (len(t) == len(tag) || t[len(tag)] == '/') {
			return true
		}
	}
	return false
}

// maxTerms bounds the words of a query that are looked for: a pasted page is
// no better a question than its beginning.
const maxTerms = 32

// terms are a query's text, prepared.
type terms struct {
	all []term // wanted together at first
	any []term // wanted one by one when that does not give enough

	quoted []string // folded terms that are looked for as they are written
	half   []string // folded terms that count half

	list  []term           // by which notes are ranked
	exprs []*regexp.Regexp // of operators
	meant string           // the text without slips, "" if there are none
}

// term is one or more words that stand next to each other.
type term struct {
	folded string // words joined by single spaces
	prefix bool   // the last word may go on

	// For the ranking.
	phrase, quoted bool     // several words; looked for as it is written
	added          bool     // the query has it in another form
	weight         float64  // 1, or less for one that was only named besides
	stems          []string // tokens of pieces that count as it
	near           []string // where it stands nowhere: words that it may be a slip of

	notes, exact, pieces float64 // how many hold it, it as it is written, and pieces
}

// written reports whether the words as they are written are looked up, not their stems.
func (t *term) written() bool { return t.phrase || t.quoted || t.prefix }

// standFor makes t stand for the first of some words, which it may be a slip of.
func (t *term) standFor(words []string) {
	t.near, t.stems = words[:min(len(words), mostNear)], nil
	for _, w := range t.near {
		t.stems = append(t.stems, stem.Of(w, stem.Any)...)
	}
}

// dense reports whether t is of a script without spaces between words.
func (t *term) dense() bool {
	r, _ := utf8.DecodeRuneInString(t.folded)
	return dense(r)
}

// halfWeight is what a term counts that was only named besides.
const halfWeight = 0.5

// ranked makes the terms by which notes are ranked. Words that stand in
// most texts are left out, if there are others.
func (t *terms) ranked() (list []term) {
	add := func(word string, of *term, added bool) {
		r := term{folded: word, prefix: of.prefix, weight: 1, added: added, quoted: slices.Contains(t.quoted, of.folded)}
		if slices.Contains(t.half, of.folded) {
			r.weight = halfWeight
		}
		if r.phrase = strings.Contains(word, " ") || utf8.RuneCountInString(word) > 2 && r.dense(); !r.phrase && !r.quoted {
			r.stems = stem.Of(word, stem.Any)
		}
		if !slices.ContainsFunc(list, func(o term) bool { return o.folded == word && o.prefix == r.prefix }) {
			list = append(list, r)
		}
	}
	for i := range t.any {
		w := &t.any[i]
		add(w.folded, w, false)
		if w.dense() && !slices.Contains(t.quoted, w.folded) && utf8.RuneCountInString(w.folded) == 2 {
			for _, r := range w.folded {
				add(string(r), w, false)
			}
		}
		if i > 0 && wordy([]byte(w.folded)) && wordy([]byte(t.any[i-1].folded)) && !strings.Contains(t.any[i-1].folded+w.folded, " ") {
			add(t.any[i-1].folded+w.folded, &t.any[i-1], true) // written as one
		}
	}
	telling := slices.DeleteFunc(slices.Clone(list), func(w term) bool { return !w.prefix && commonWord(w.folded) })
	if slices.ContainsFunc(telling, func(w term) bool { return !w.added }) {
		return telling
	}
	return list
}

// commonRunes are runes of which words for asking and joining are made in
// Chinese and Japanese.
const commonRunes = "的了是吗呢么吧和在有怎如何什为要我你他她它们这那哪个对很多会可以也就都与或及把被让用做少はがをにでとのもへやかですます"

// commonWord reports whether a word, or a rune, is one of those that stand in most texts.
func commonWord(word string) bool {
	if r, n := utf8.DecodeRuneInString(word); dense(r) {
		return n == len(word) && strings.ContainsRune(commonRunes, r)
	}
	return stem.Common(word)
}

// goesOn says which words of a query may go on.
type goesOn int

const (
	noWord goesOn = iota
	lastWord
	anyWord
)

// parseTerms cuts text into terms. What stands between spaces is one term, even
// if it is several words ("gpt-4"). Words that a person did not join by quotes
// are taken apart in any, and words of a dense script there into pairs of runes.
func parseTerms(text string, partial goesOn) terms {
	var t terms
	text = strings.TrimLeft(text, " \t\r\n")
	for text != "" && len(t.all) < maxTerms {
		var chunk string
		quoted := false
		if rest, ok := strings.CutPrefix(text, `"`); ok {
			if chunk, text, ok = strings.Cut(rest, `"`); ok {
				quoted = true
			} else {
				text = rest // a quote that nothing closes means nothing
			}
		}
		if !quoted {
			if end := strings.IndexAny(text, " \t\r\n\""); end > 0 {
				chunk, text = text[:end], text[end:]
			} else {
				chunk, text = text, ""
			}
		}
		open := !quoted && (partial == anyWord || partial == lastWord && text == "")
		text = strings.TrimLeft(text, " \t\r\n")
		folded := strings.ReplaceAll(string(foldText(nil, chunk)), "\n", " ")
		if folded = strings.TrimSpace(folded); folded == "" {
			continue
		}
		last := folded[strings.LastIndexByte(folded, ' ')+1:]
		whole := term{folded: folded, prefix: open && utf8.RuneCountInString(last) > 1}
		t.all = appendTerm(t.all, whole)
		if quoted {
			t.any = appendTerm(t.any, whole)
			t.quoted = append(t.quoted, folded)
		} else {
			t.any = appendParts(t.any, whole)
		}
	}
	t.any = dropShort(t.any)
	return t
}

func appendTerm(list []term, t term) []term {
	for i := range list {
		if list[i].folded == t.folded {
			list[i].prefix = list[i].prefix || t.prefix
			return list
		}
	}
	return append(list, t)
}

// add takes words in that count half, as far as they are not there.
func (t *terms) add(text string) {
	more := parseTerms(text, noWord)
	for _, part := range more.any {
		if n := len(t.any); len(appendTerm(t.any, part)) > n {
			t.any, t.half = append(t.any, part), append(t.half, part.folded)
		}
	}
	t.quoted = append(t.quoted, more.quoted...)
}

// appendParts appends the words of t, those of dense scripts as pairs.
func appendParts(list []term, t term) []term {
	words := strings.Fields(string(appendTokens(nil, []byte(t.folded))))
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		if dense(first) && size == len(w) && i > 0 && strings.HasSuffix(words[i-1], w) {
			continue // the single rune after the pairs
		}
		list = appendTerm(list, term{folded: w, prefix: t.prefix && i == len(words)-1})
	}
	return list[:min(len(list), maxTerms)]
}

// dropShort leaves out single letters that are words of a language, if there is
// anything else: as one of several words they fit nearly every note.
func dropShort(list []term) []term {
	long := list[:0:0]
	for _, t := range list {
		r, n := utf8.DecodeRuneInString(t.folded)
		if n < len(t.folded) || dense(r) || !stem.Common(t.folded) {
			long = append(long, t)
		}
	}
	if len(long) == 0 {
		return list
	}
	return long
}

// tokens are those of the index that stand for t, one after the other. prefix
// says that the last may go on.
func (t term) tokens() (tokens []string, prefix bool) {
	tokens = strings.Fields(string(appendTokens(nil, []byte(t.folded))))
	prefix = t.prefix
	if last, size := utf8.DecodeLastRuneInString(t.folded); dense(last) {
		before, _ := utf8.DecodeLastRuneInString(t.folded[:len(t.folded)-size])
		if prefix = !dense(before); !prefix {
			tokens = tokens[:len(tokens)-1] // in a note the run of runes may go on
		}
	}
	return tokens, prefix
}

// match is t in the query language of FTS5.
func (t term) match() string {
	tokens, prefix := t.tokens()
	m := `"` + strings.Join(tokens, " ") + `"`
	if prefix {
		m += " *"
	}
	return m
}

// expression joins terms to a query of FTS5.
func expression(list []term, operator string) string {
	parts := make([]string, len(list))
	for i, t := range list {
		parts[i] = t.match()
	}
	return strings.Join(parts, operator)
}

// index is the position of the first match of t in folded text and its length
// in bytes, or -1. A word of the text that only contains a word of t does not
// count, except in dense scripts.
func (t term) index(folded []byte) (at, size int) {
	first, rest, _ := strings.Cut(t.folded, " ")
	r, _ := utf8.DecodeRuneInString(first)
	_, step := utf8.DecodeRuneInString(first)
	for from := 0; ; from += step {
		i := bytes.Index(folded[from:], []byte(first))
		if i < 0 {
			return -1, 0
		}
		from += i
		if before, n := utf8.DecodeLastRune(folded[:from]); n > 0 && !dense(r) && wordRune(before) && !dense(before) {
			continue
		}
		end := from + len(first)
		if rest != "" {
			n := len(rest) + 1
			if end+n > len(folded) || !equalWords(folded[end+1:end+n], rest) || folded[end] != ' ' && folded[end] != '\n' {
				continue
			}
			end += n
		}
		last, _ := utf8.DecodeLastRuneInString(t.folded)
		if after, n := utf8.DecodeRune(folded[end:]); n > 0 && !t.prefix && !dense(last) && wordRune(after) && !dense(after) {
			continue
		}
		return from, end - from
	}
}

// in reports whether t stands in any of the folded texts.
func (t term) in(texts ...[]byte) bool {
	for _, text := range texts {
		if at, _ := t.index(text); at >= 0 {
			return true
		}
	}
	return false
}

// equalWords compares text with words, where a line break counts as a space.
func equalWords(text []byte, words string) bool {
	for i, c := range text {
		if c != words[i] && (c != '\n' || words[i] != ' ') {
			return false
		}
	}
	return true
}

// count is how often t occurs in folded text.
func (t term) count(folded []byte) int {
	n := 0
	for {
		at, size := t.index(folded)
		if at < 0 {
			return n
		}
		n++
		folded = folded[at+size:]
	}
}

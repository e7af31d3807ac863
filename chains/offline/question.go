package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/chains"
	"ibid/context/prompt"
)

// term is one thing that a question looks for.
type term struct {
	text    string // as eachTerm makes it
	surface string // as typed, for the reply; "" for parts of words
	weight  float64
	before  bool // from the question before: it moves passages up, but does not make one an answer
}

// request is what a person wants.
type request struct {
	kind    requestKind
	terms   []term
	docs    []int // the documents to look at
	named   bool  // docs are those that the question names; otherwise all of them
	listing listing
	open    bool // tasks: only those that are not done
	done    bool // tasks: only those that are done
	ordinal int  // follow-ups: which item of a list; lastOne; 0 if none is meant
}

type requestKind uint8

const (
	search requestKind = iota
	summary
	list
	idle // nothing to look for: a greeting, a bare "why?"
)

// questionBytes is how much of a question is read. Whoever pastes more asks at
// the beginning, or attaches it.
const questionBytes = 8 << 10

// understand reads what the person typed. It knows nothing but the question,
// the question before it, and the names of the documents.
func understand(r chains.Request, s *shelf) request {
	question := r.Question
	if len(question) > questionBytes {
		question = strings.ToValidUTF8(question[:questionBytes], "")
	}
	text, named := s.mentions(question)
	q := request{docs: named, named: len(named) > 0}
	if !q.named {
		q.docs = s.all()
	}
	text = joinToDo(text)
	words := questionWords(text)
	q.terms = termsOf(text)
	if q.wantsList(words) {
		q.narrow(s, text)
		return q
	}
	if wantsSummary(text, words) {
		q.terms = slices.DeleteFunc(q.terms, func(t term) bool { return summaryWords[t.text] || isSummaryPart(t.text) })
		q.narrow(s, text)
		q.dropNames(s)
		if !topical(q.terms) {
			q.kind = summary
		}
		return q
	}
	if q.leans(words) {
		if before := termsOf(stripMentions(previousQuestion(r.Messages))); len(before) > 0 {
			own := topical(q.terms)
			for _, t := range before {
				q.terms = append(q.terms, term{text: t.text, weight: t.weight / 2, before: own})
			}
			return q
		}
	}
	q.ordinal = 0
	if !topical(q.terms) {
		q.kind = summary
		switch {
		case q.named:
		case points(words):
			q.docs = q.docs[len(q.docs)-1:]
		case !slices.Contains(words, "about"):
			q.kind = idle
		}
	}
	return q
}

// topical reports whether any of the terms may be what a question is about.
func topical(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.weight > weakWeight })
}

// questionWords are the folded words of text.
func questionWords(text string) []string {
	var out []string
	eachWord(composed(text), func(w string, s scriptKind) {
		if s == noScript {
			out = append(out, fold(w))
		}
	})
	return out
}

// joinToDo makes one word of "to-do", which is a stop word and nothing else.
func joinToDo(text string) string {
	return strings.NewReplacer("to-do", "todo", "To-do", "todo", "To-Do", "todo", "TO-DO", "todo").Replace(text)
}

// termsOf are the terms of a question, once each, without stop words.
func termsOf(text string) []term {
	var out []term
	seen := map[string]bool{}
	keep := func(t term) {
		if t.weight > 0 && !seen[t.text] {
			seen[t.text] = true
			out = append(out, t)
		}
	}
	eachWord(composed(text), func(w string, s scriptKind) {
		if s == noScript {
			f := fold(w)
			keep(term{text: f, surface: w, weight: weightOf(f)})
			return
		}
		weight := 1.0
		if s == hiragana { // mostly endings and particles
			weight = weakWeight
		}
		prev := -1
		for i, r := range w {
			end := i + utf8.RuneLen(r)
			if prev >= 0 && !stopPairs[w[prev:end]] {
				keep(term{text: w[prev:end], weight: weight})
			}
			if prev < 0 && end == len(w) {
				keep(term{text: w, weight: singleWeight(s)})
			}
			prev = i
		}
	})
	return out
}

// singleWeight is the weight of a character that stands alone in its script: a
// Chinese or Japanese one is a word, in other scripts it is mostly an ending.
func singleWeight(s scriptKind) float64 {
	if s == han {
		return 2 * weakWeight
	}
	return weakWeight
}

func wantsSummary(text string, words []string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return summaryWords[w] }) {
		return true
	}
	low := strings.ToLower(text)
	return slices.ContainsFunc(summaryPhrases, func(p string) bool { return strings.Contains(low, p) })
}

// isSummaryPart reports whether a term comes from a phrase that asks for a
// summary.
func isSummaryPart(t string) bool {
	return slices.ContainsFunc(summaryPhrases, func(p string) bool { return strings.Contains(p, t) })
}

// wantsList recognizes "list the open tasks", "which tags are there?",
// "headings of …": the thing, nothing but fillers before it, and no question
// about the thing itself.
func (q *request) wantsList(words []string) bool {
	for i, w := range words {
		if l := listingWords[w]; l != noListing {
			rest := words[i+1:]
			if len(rest) > 0 && (rest[0] == "to" || rest[0] == "work" || rest[0] == "mean") {
				return false
			}
			q.kind, q.listing = list, l
			for _, w := range words {
				q.open = q.open || openWords[w]
				q.done = q.done || doneWords[w]
			}
			q.terms = slices.DeleteFunc(q.terms, func(t term) bool {
				return listVerbs[t.text] || listFillers[t.text] || openWords[t.text] || doneWords[t.text] || listingWords[t.text] != noListing
			})
			return true
		}
		if !listVerbs[w] && !listFillers[w] && !openWords[w] && !doneWords[w] {
			return false
		}
	}
	return false
}

// leans reports whether the question needs the one before it.
func (q *request) leans(words []string) bool {
	if len(words) == 0 {
		return false
	}
	strong := 0
	for _, t := range q.terms {
		if t.weight > weakWeight && ordinals[t.text] == 0 {
			strong++
		}
	}
	for _, w := range words {
		if n := ordinals[w]; n != 0 && strong == 0 {
			q.ordinal = n
		}
	}
	if q.ordinal != 0 {
		q.terms = slices.DeleteFunc(q.terms, func(t term) bool { return ordinals[t.text] != 0 })
		return true
	}
	if followWords[words[0]] || len(words) > 1 && words[1] == "about" && (words[0] == "what" || words[0] == "how") {
		return strong <= 2
	}
	if strong == 0 {
		return !q.named && !points(words) || len(words) == 1
	}
	return strong == 1 && slices.ContainsFunc(words, func(w string) bool { return pronouns[w] })
}

// points reports whether a question points at one note without naming it.
func points(words []string) bool {
	return slices.Contains(words, "this") || slices.Contains(words, "dies") || slices.Contains(words, "diese")
}

// narrow limits a summary or list to the documents whose whole name the
// question says, with or without "@", and to the last one for "this note".
func (q *request) narrow(s *shelf, text string) {
	if q.named {
		return
	}
	said := " " + strings.Join(questionWords(text), " ") + " "
	var docs []int
	for i, d := range s.docs {
		for _, name := range d.names() {
			if n := strings.Join(questionWords(name), " "); n != "" && strings.Contains(said, " "+n+" ") {
				docs = append(docs, i)
				break
			}
		}
	}
	switch {
	case len(docs) > 0:
		q.docs, q.named = docs, true
	case points(questionWords(text)) && len(s.docs) > 0:
		q.docs = q.docs[len(q.docs)-1:]
	}
	q.dropNames(s)
}

// dropNames removes the words of the named documents from the terms.
func (q *request) dropNames(s *shelf) {
	if !q.named {
		return
	}
	names := map[string]bool{}
	for _, i := range q.docs {
		for _, name := range s.docs[i].names() {
			eachTerm(name, func(t string) { names[t] = true })
		}
	}
	q.terms = slices.DeleteFunc(q.terms, func(t term) bool { return names[t.text] })
}

// previousQuestion is the end of the user message before the last: what a
// person types is the tail of a message, and whatever travels with it stands
// before that. Of a long question it is the last paragraph.
func previousQuestion(messages []prompt.Message) string {
	const most = 400
	seen := 0
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != prompt.User {
			continue
		}
		if seen++; seen < 2 {
			continue
		}
		text := strings.TrimSpace(messages[i].Content)
		if at := strings.LastIndex(text, "\n\n"); at >= 0 {
			text = text[at+2:]
		}
		if len(text) > most {
			text = text[len(text)-most:]
			for text != "" && !utf8.RuneStart(text[0]) {
				text = text[1:]
			}
		}
		if label, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(label, "[") && strings.HasSuffix(label, "]:") {
			text = rest
		}
		return text
	}
	return ""
}

// mentions finds the documents that a question names as @note or [[note]], and
// returns the question without those names.
func (s *shelf) mentions(question string) (string, []int) {
	var out strings.Builder
	var docs []int
	for i := 0; i < len(question); {
		rest := question[i:]
		n, found := 0, []int(nil)
		switch {
		case strings.HasPrefix(rest, "[["):
			if end := strings.Index(rest, "]]"); end > 0 {
				name, _, _ := strings.Cut(rest[2:end], "|")
				name, _, _ = strings.Cut(name, "#")
				n, found = end+2, s.called(name)
			}
		case rest[0] == '@' && startsWord(question[:i]):
			n, found = s.atName(rest[1:])
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
			out.WriteString(rest[:n])
		} else {
			out.WriteByte(' ')
		}
		for _, d := range found {
			if !slices.Contains(docs, d) {
				docs = append(docs, d)
			}
		}
		i += n
	}
	slices.Sort(docs)
	return out.String(), docs
}

// startsWord reports whether an @ after before can begin a reference.
func startsWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '`'
}

// atName reads the reference after an @: how long it is, with the @, and what
// it names. A name that no document has is left in the question.
func (s *shelf) atName(rest string) (int, []int) {
	if strings.HasPrefix(rest, `"`) {
		if end := strings.IndexByte(rest[1:], '"'); end > 0 {
			return end + 3, s.called(rest[1 : end+1])
		}
		return 0, nil
	}
	for _, word := range []string{"active", "pins"} {
		if strings.HasPrefix(rest, word) && endsName(rest[len(word):]) {
			return len(word) + 1, nil
		}
	}
	best, docs := 0, []int(nil)
	for i, d := range s.docs {
		for _, name := range s.namesOf(i) {
			switch n := prefixFold(rest, name); {
			case n == 0 || !endsName(rest[n:]) || n < best:
			case n > best:
				best, docs = n, []int{i}
			case !slices.Contains(docs, i):
				docs = append(docs, i)
			}
		}
		if folder := folderOf(rest); folder != "" && strings.HasPrefix(d.path0(), folder) && len(folder) >= best {
			if len(folder) > best {
				best, docs = len(folder), nil
			}
			docs = append(docs, i)
		}
	}
	if best == 0 {
		return 0, nil
	}
	if strings.HasPrefix(rest[best:], "#") { // a heading or lines of it
		best += len(rest[best:]) - len(strings.TrimLeftFunc(rest[best:], func(r rune) bool { return !unicode.IsSpace(r) }))
	}
	return best + 1, docs
}

// folderOf is the folder that rest begins with, up to its last slash.
func folderOf(rest string) string {
	word, _, _ := strings.Cut(rest, " ")
	if !strings.HasSuffix(strings.TrimRight(word, "?!.,;:"), "/") {
		return ""
	}
	return strings.TrimRight(word, "?!.,;:")
}

// namesOf are the names by which a reference finds document i.
func (s *shelf) namesOf(i int) []string {
	d := s.docs[i]
	path := d.path0()
	return append([]string{path, withoutMD(path), baseName(path), d.item.Title, d.item.ID}, d.aliases...)
}

// called returns the documents that have this name or path.
func (s *shelf) called(name string) []int {
	name = strings.TrimSpace(name)
	var docs []int
	for i := range s.docs {
		if slices.ContainsFunc(s.namesOf(i), func(n string) bool { return n != "" && strings.EqualFold(n, name) }) {
			docs = append(docs, i)
		}
	}
	return docs
}

// prefixFold is the length of the prefix of text that equals name but for
// case, 0 if there is none.
func prefixFold(text, name string) int {
	if name == "" {
		return 0
	}
	n := 0
	for range utf8.RuneCountInString(name) {
		_, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 {
			return 0
		}
		n += size
	}
	if !strings.EqualFold(text[:n], name) {
		return 0
	}
	return n
}

func endsName(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// stripMentions removes the marks of references from the question before, and
// leaves their names: what it was about, the follow-up is about.
func stripMentions(question string) string {
	return strings.NewReplacer("@", " ", "[[", " ", "]]", " ").Replace(question)
}

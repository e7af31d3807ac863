package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault/dates"
	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// term is one word that a question looks for.
type term struct {
	text    string // as returned by termsIn
	surface string // as typed, for the reply; "" for parts of words
	weight  float64
	key     bool // spelled as a name, or the thing that is asked for
	before  bool // from the previous question, or a time: raises passages, but makes none an answer
}

// request is the parsed question.
type request struct {
	text    string // as typed
	kind    requestKind
	expects expect
	terms   []term
	docs    []*document // to search
	named   bool        // docs are those that the question names; otherwise all
}

type requestKind uint8

const (
	search requestKind = iota
	summary
	idle // nothing to look for: a greeting, a bare "why?"
)

// questionBytes limits the part of a question that is read. Longer questions have their point at the beginning.
const questionBytes = 8 << 10

// questionStart returns the part of a question that is read.
func questionStart(question string) string {
	return strings.ToValidUTF8(question[:min(len(question), questionBytes)], "")
}

// parseQuestion parses the question. It uses nothing but the question, the previous one, and the names of the
// documents.
func parseQuestion(r chains.Request, s *shelf) request {
	question := questionStart(r.Question)
	text, docs := s.mentions(question)
	var name, times string
	if len(docs) == 0 {
		text, name, docs = s.noteCalled(text)
	}
	q := request{text: question, docs: docs, named: len(docs) > 0}
	if !q.named {
		q.docs = s.docs
	}
	if s.lookedUp() {
		text, times = withoutTimes(text)
	}
	asked := text
	text = forSummary.ReplaceAllString(text, " ")
	words := questionWords(text)
	q.expects = expects(text, words)
	q.terms = slices.DeleteFunc(q.expects.topics(text), func(t term) bool {
		return strings.Contains(name, " "+t.text+" ") || t.surface == "" && strings.ContainsAny(t.text, name)
	})
	if asked != text {
		if !q.named && pointsAtNote(words) {
			q.docs = q.docs[len(q.docs)-1:]
		}
		if !hasTopic(q.terms) {
			q.kind = summary
		}
		return q
	}
	if times != "" && !hasTopic(q.terms) {
		q.kind = summary // of what was found for that time
		return q
	}
	q.addTerms(termsOf(times), true)
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !isIn("courtesy", w) }) {
		q.kind = idle
		return q
	}
	if q.needsPrevious(words) {
		if before := termsOf(previousQuestion(r.Messages)); len(before) > 0 {
			q.addTerms(before, hasTopic(q.terms))
			return q
		}
	}
	if !hasTopic(q.terms) {
		q.kind = summary
		switch {
		case q.named:
		case pointsAtNote(words):
			q.docs = q.docs[len(q.docs)-1:]
		case !slices.Contains(words, "about"):
			q.kind = idle
		}
	}
	return q
}

// withoutTimes returns text without the times that it names, and those as text. Only the words matter, so any date
// will do as now.
func withoutTimes(text string) (rest, times string) {
	rest, times, _ = dates.Cut(text, time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC))
	return rest, times
}

// hasTopic reports whether any of the terms has enough weight to be what a question is about.
func hasTopic(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.weight > weakWeight })
}

// questionWords returns the folded words of text.
func questionWords(text string) []string {
	var out []string
	eachWord(text, func(w string, s scriptKind) {
		if s == noScript {
			out = append(out, foldWord(w))
		}
	})
	return out
}

// termsOf returns the terms of a question, each once, without stop words.
func termsOf(text string) []term {
	var out []term
	seen := map[string]bool{}
	german, first := anyIn("german", questionWords(text)), true
	keep := func(t term) {
		if t.weight > 0 && !seen[t.text] {
			seen[t.text] = true
			out = append(out, t)
		}
	}
	eachWord(text, func(w string, s scriptKind) {
		if s == noScript {
			f := foldWord(w)
			r, _ := utf8.DecodeRuneInString(w)
			keep(term{text: f, surface: w, weight: weightOf(f), key: unicode.IsUpper(r) && !first && !german})
			first = false
			return
		}
		weight := 1.0
		if s == hiragana { // mostly endings and particles
			weight = weakWeight
		}
		prev := -1
		for i, r := range w {
			end := i + utf8.RuneLen(r)
			if prev >= 0 && !isIn("pairs", w[prev:end]) {
				pair := term{text: w[prev:end], weight: min(weight, weightOf(w[prev:end]))}
				if isIn("particles", w[prev:i]) || isIn("particles", w[i:end]) {
					pair.weight = weakWeight
				}
				keep(pair)
			}
			if prev < 0 && end == len(w) { // a single Chinese or Japanese character is a word
				keep(term{text: w, weight: 2 * weakWeight})
			}
			prev = i
		}
	})
	return out
}

// addTerms appends terms at half their weight.
func (q *request) addTerms(terms []term, before bool) {
	for _, t := range terms {
		q.terms = append(q.terms, term{text: t.text, weight: t.weight / 2, before: before})
	}
}

// needsPrevious reports whether the question needs the previous one.
func (q *request) needsPrevious(words []string) bool {
	if len(words) == 0 {
		return false
	}
	strong := len(strongWords(q.terms))
	if isIn("follow", words[0]) || len(words) > 1 && words[1] == "about" && (words[0] == "what" || words[0] == "how") {
		return strong <= 2
	}
	if strong == 0 {
		return !q.named && !pointsAtNote(words) || len(words) == 1
	}
	return strong == 1 && anyIn("pronouns", words)
}

// pointsAtNote reports whether a question means one note without naming it.
func pointsAtNote(words []string) bool { return anyIn("points", words) }

func anyIn(list string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isIn(list, w) })
}

// previousQuestion returns the end of the user message before the last one, since the typed text is the last
// paragraph of a message. It removes the marks of references, because the follow-up question is about the same
// things.
func previousQuestion(messages []prompt.Message) string {
	var asked []string
	for _, m := range messages {
		if m.Role == prompt.User {
			asked = append(asked, strings.TrimSpace(m.Content))
		}
	}
	if len(asked) < 2 {
		return ""
	}
	const most = 400
	text := asked[len(asked)-2]
	text = text[strings.LastIndex(text, "\n\n")+1:]
	if label, rest, ok := strings.Cut(strings.TrimSpace(text), "\n"); ok && strings.HasPrefix(label, "[") &&
		strings.HasSuffix(label, "]:") {
		text = rest
	}
	text = strings.ToValidUTF8(text[max(0, len(text)-most):], "")
	return strings.NewReplacer("@", " ", "[[", " ", "]]", " ").Replace(text)
}

// mentions finds the documents that a question names as @note or [[note]], and returns the question without these
// names.
func (s *shelf) mentions(question string) (string, []*document) {
	var out strings.Builder
	var docs []*document
	for i := 0; i < len(question); {
		rest, n, found := question[i:], 0, []*document(nil)
		before, _ := utf8.DecodeLastRuneInString(question[:i])
		switch {
		case strings.HasPrefix(rest, "[["):
			var inner string
			inner, n = md.Wikilink(rest)
			name, _, _ := strings.Cut(md.Unlink("[["+inner), "#")
			if found = s.documentsNamed(name); inner == "" {
				n = 0
			}
		case rest[0] == '@' && (i == 0 || !fold.IsWordRune(before) && before != '`'):
			n, found = s.atName(rest[1:])
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
			out.WriteString(rest[:n])
		} else {
			out.WriteByte(' ')
		}
		docs = append(docs, found...)
		i += n
	}
	return out.String(), s.selectDocuments(func(d *document) bool { return slices.Contains(docs, d) })
}

// selectDocuments returns the documents that satisfy a condition, in their order.
func (s *shelf) selectDocuments(holds func(*document) bool) (docs []*document) {
	for _, d := range s.docs {
		if holds(d) {
			docs = append(docs, d)
		}
	}
	return docs
}

// noteCalled finds the documents that a question about a note, as in "my note on bees", names by the longest of
// their names. name has a space around each word.
func (s *shelf) noteCalled(question string) (rest, name string, docs []*document) {
	if !containsAny("note", question) && !anyIn("note", questionWords(question)) {
		return question, "", nil
	}
	words := spaceWords(question)
	has := func(d *document) bool {
		return slices.ContainsFunc(d.names, func(n string) bool { return spaceWords(n) == name })
	}
	for _, d := range s.docs {
		for _, n := range d.names {
			if n = spaceWords(n); len(n) > max(1, len(name)) && strings.Contains(words, n) {
				name = n
			}
		}
	}
	if name != "" {
		docs = s.selectDocuments(has)
	}
	return cutDense("note", question), name, docs
}

// spaceWords returns the folded words of a text, and its characters in scripts without spaces, with a space around
// each.
func spaceWords(text string) string {
	out := " "
	eachWord(text, func(w string, s scriptKind) {
		if s == noScript {
			out += foldWord(w) + " "
			return
		}
		for _, r := range w {
			out += string(r) + " "
		}
	})
	return out
}

// atName parses the reference after an @. It returns its length with the @, and the documents; 0 for a name that no
// document has.
func (s *shelf) atName(rest string) (n int, docs []*document) {
	if inner, ok := strings.CutPrefix(rest, `"`); ok {
		name, _, _ := strings.Cut(inner, `"`)
		return min(len(rest), len(name)+2) + 1, s.documentsNamed(name)
	}
	names := []string{"active", "pins", "vault"}
	for _, d := range s.docs {
		names = append(names, d.references()...)
	}
	for _, name := range names {
		k := prefixLen(rest, utf8.RuneCountInString(name))
		after, _ := utf8.DecodeRuneInString(rest[k:])
		if k > n && strings.EqualFold(rest[:k], name) && (k == len(rest) || !fold.IsWordRune(after)) {
			n = k
		}
	}
	if n == 0 {
		return 0, nil
	}
	docs = s.documentsNamed(rest[:n])
	if strings.HasPrefix(rest[n:], "#") { // with a heading or lines
		part, _, _ := strings.Cut(rest[n:], " ")
		n += len(part)
	}
	return n + 1, docs
}

// references returns the names by which a reference finds the document.
func (d *document) references() []string {
	return append(slices.Clone(d.names), d.path, withoutMD(d.path), d.item.ID)
}

// documentsNamed returns the documents that have this name or path.
func (s *shelf) documentsNamed(name string) []*document {
	return s.selectDocuments(func(d *document) bool {
		return slices.ContainsFunc(d.references(), func(n string) bool { return n != "" && strings.EqualFold(n, name) })
	})
}

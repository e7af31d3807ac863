package offline

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault/dates"
)

// term is one word that a question looks for.
type term struct {
	text   string // as returned by termsIn
	pair   bool   // one or two characters of a script without spaces, which may be parts of a word
	weight float64
	key    bool // spelled as a name, or the thing that is asked for
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

// parseQuestion parses the question. It uses nothing but the question and the names of the
// documents.
func parseQuestion(r chains.Request, s *shelf) request {
	question := questionStart(r.Question)
	var times string
	text, names, docs := s.noteCalled(question)
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
		return strings.Contains(names, " "+t.text+" ") || t.pair && strings.ContainsAny(t.text, names)
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
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !isIn("courtesy", w) }) {
		q.kind = idle
		return q
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
			keep(term{text: f, weight: weightOf(f), key: unicode.IsUpper(r) && !first && !german})
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
				pair := term{text: w[prev:end], pair: true, weight: min(weight, weightOf(w[prev:end]))}
				if isIn("particles", w[prev:i]) || isIn("particles", w[i:end]) {
					pair.weight = weakWeight
				}
				keep(pair)
			}
			if prev < 0 && end == len(w) { // a single Chinese or Japanese character is a word
				keep(term{text: w, pair: true, weight: 2 * weakWeight})
			}
			prev = i
		}
	})
	return out
}

// pointsAtNote reports whether a question means one note without naming it.
func pointsAtNote(words []string) bool { return anyIn("points", words) }

func anyIn(list string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isIn(list, w) })
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

// reference matches what a reference has besides the name of a note.
var reference = regexp.MustCompile(`(?i)@(?:active|pins|vault)\b|#L\d+(?:-L?\d+)?\b`)

// noteCalled finds the documents that a question names, as in "my note on bees", @bees or [[bees]]: each by the longest
// of its names that the question contains, unless that is a part of another one. names has a space around each word.
func (s *shelf) noteCalled(question string) (rest, names string, docs []*document) {
	if !containsAny("note", question) && !anyIn("note", questionWords(question)) &&
		!strings.Contains(question, "@") && !strings.Contains(question, "[[") {
		return question, "", nil
	}
	rest = cutDense("note", reference.ReplaceAllString(question, " "))
	words := spaceWords(rest)
	called := make([]string, len(s.docs))
	for i, d := range s.docs {
		for _, n := range slices.Concat(d.names, []string{d.path, withoutMD(d.path)}) {
			if n = spaceWords(n); len(n) > max(1, len(called[i])) && strings.Contains(words, n) {
				called[i] = n
			}
		}
	}
	for i, d := range s.docs {
		isPart := slices.ContainsFunc(called, func(other string) bool {
			return len(other) > len(called[i]) && strings.Contains(other, called[i])
		})
		if called[i] != "" && !isPart {
			docs, names = append(docs, d), names+called[i]
		}
	}
	return rest, names, docs
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

package index

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/syntax"
)

// ParseQuery reads text in the search language of package syntax: words go to
// Query.Text, which ranks notes, and all else bounds the notes. Dates are relative to
// now. told has a line for the person about each part that was left out. An error is
// one line for the person.
func ParseQuery(text string, now time.Time) (q Query, told []string, err error) {
	if m := chatsWord.FindStringSubmatch(text); m != nil { // it brings in saved chats
		text, q.Chats = m[1]+text[len(m[0]):], true
	}
	read, err := syntax.Parse(text, now)
	if err != nil || read.Root == nil {
		return Query{}, read.Told, err
	}
	parts := []*syntax.Node{read.Root}
	if read.Root.Op == syntax.And {
		parts = read.Root.List
	}
	var words, inner []string
	rest := &syntax.Node{Op: syntax.And}
	for _, part := range parts {
		if part.Op == syntax.Word {
			words = append(words, part.Text)
		} else {
			rest.List = append(rest.List, part)
			q.where = rest
		}
	}
	eachSearched(rest, func(n *syntax.Node) {
		switch n.Op {
		case syntax.Word:
			inner = append(inner, n.Text)
		case syntax.Phrase:
			inner = append(inner, `"`+strings.ReplaceAll(n.Text, `"`, " ")+`"`)
		case syntax.Regex:
			q.exprs = append(q.exprs, n.Expr)
		}
	})
	q.Text, q.inner = strings.Join(words, " "), strings.Join(inner, " ")
	return q, read.Told, nil
}

// chatsWord is "chats:" at the beginning of a word, in no quotes.
var chatsWord = regexp.MustCompile(`^((?:[^"]|"[^"]*")*?(?:^| ))chats:`)

// eachSearched calls f for the words, phrases and expressions that a query looks for in texts.
func eachSearched(n *syntax.Node, f func(*syntax.Node)) {
	if n.Op == syntax.Not || n.Op >= syntax.Path && n.Op <= syntax.Date {
		return
	}
	f(n)
	for _, part := range n.List {
		eachSearched(part, f)
	}
}

// answer is the result of a condition. With unread, only the text can decide.
type answer int8

const (
	no answer = iota - 1
	unread
	yes
)

func answerOf(ok bool) answer {
	if ok {
		return yes
	}
	return no
}

// cond is a condition on a note, or on a part of one.
type cond func(*scope) answer

// scope is the part of a note that a condition looks at: all of it, some lines, or one of
// its names, tags or properties.
type scope struct {
	note      *vault.Note
	raw       string
	folded    []byte     // of raw, see words
	lineRange            // of the page, 0 for all
	*page                // nil while the text is not read
	hit       *lineRange // gets the first lines that fit
}

// words returns the folded words of the scope.
func (s *scope) words() []byte {
	if s.folded == nil {
		s.folded = fold.Text([]byte{}, s.raw)
	}
	return s.folded
}

// place distinguishes the parts of a note that a condition looks at.
type place uint8

const (
	inNote place = iota // with the names of the note
	inText
	inName
	inTags
	inValue
)

// mode is the way in which a condition compares words.
type mode struct {
	in    place
	exact bool // upper and lower case count
	not   bool // below an exclusion: whole words only
}

// inside returns the mode inside an operator.
func (m mode) inside(op syntax.Op) mode {
	switch op {
	case syntax.And, syntax.Or:
	case syntax.Not:
		m.not = !m.not
	case syntax.MatchCase, syntax.IgnoreCase:
		m.exact = op == syntax.MatchCase
	case syntax.Path, syntax.File:
		m.in = inName
	case syntax.Tag:
		m.in = inTags
	case syntax.Property:
		m.in = inValue
	default:
		m.in = inText
	}
	return m
}

// compiler makes conditions on notes.
type compiler struct {
	calendar func() calendar
	held     func(*term) map[string]bool // the paths of notes that hold a term, nil if that is not known
}

// compile makes a condition of a query.
func (k *compiler) compile(n *syntax.Node, m mode) cond {
	var list []cond
	for _, part := range n.List {
		list = append(list, k.compile(part, m.inside(n.Op)))
	}
	all := func(s *scope) answer {
		a := yes
		for i := 0; i < len(list) && a > no; i++ {
			a = min(a, list[i](s))
		}
		return a
	}
	name, dated := fold.Name(n.Text), calendar{}
	switch n.Op {
	case syntax.Word, syntax.Phrase:
		return k.words(n, m)
	case syntax.Regex:
		return matching(n, m)
	case syntax.And, syntax.Content, syntax.MatchCase, syntax.IgnoreCase:
		return all
	case syntax.Date:
		dated = k.calendar()
	}
	return func(s *scope) answer {
		of := func(text string) answer { return all(&scope{note: s.note, raw: text}) }
		switch n.Op {
		case syntax.Or:
			a := no
			for i := 0; i < len(list) && a < yes; i++ {
				a = max(a, list[i](s))
			}
			return a
		case syntax.Not:
			return -all(s)
		case syntax.Path:
			return of(string(s.note.Path))
		case syntax.File:
			return of(s.note.Path.Name())
		case syntax.Tag:
			return of(strings.Join(s.note.Tags, "\n"))
		case syntax.Property: // of a list, any of its elements
			return answerOf(slices.ContainsFunc(s.note.Props(), func(p vault.Property) bool {
				return fold.Name(p.Key) == name && of(strings.Join(values(p.Value, nil), "\n")) == yes
			}))
		case syntax.Date:
			return answerOf(dated.in(n.Range, s.note))
		}
		if s.page == nil {
			return min(all(s), unread)
		}
		return answerOf(s.inParts(n.Op, all))
	}
}

// inParts reports whether a part of the scope fits: a line, section, block or task.
func (s *scope) inParts(op syntax.Op, fits cond) bool {
	for _, in := range s.parts(op) {
		if s.from > 0 && (in.from < s.from || in.to > s.to) {
			continue
		}
		hit := *s.hit
		if fits(&scope{note: s.note, raw: s.between(in.from, in.to), lineRange: in, page: s.page, hit: s.hit}) == yes {
			if s.hit.from == 0 {
				*s.hit = in
			}
			return true
		}
		*s.hit = hit
	}
	return false
}

// words looks for a word or phrase.
func (k *compiler) words(n *syntax.Node, m mode) cond {
	t := term{folded: fold.Line(n.Text)}
	t.prefix = n.Op == syntax.Word && !m.not && t.runes() > 1
	name, titled := fold.Name(strings.TrimSpace(n.Text)), m.in == inNote
	var held map[string]bool
	if m.in <= inText && t.folded != "" {
		held = k.held(&t)
	}
	return func(s *scope) answer {
		ok := false
		switch {
		case m.in == inTags:
			ok = hasTag(s.note, strings.Trim(strings.TrimPrefix(name, "#"), "/"))
		case m.in == inValue && name == "null":
			ok = strings.TrimSpace(s.raw) == ""
		case m.in == inValue && n.Op == syntax.Word && strings.IndexAny(name, "<>") == 0:
			ok = slices.ContainsFunc(strings.Split(s.raw, "\n"), func(value string) bool {
				return compares(value, name)
			})
		case m.in == inName && !m.exact:
			ok = strings.Contains(fold.Name(s.raw), name)
		case s.page == nil && m.in <= inText && t.folded != "":
			// Below an operator that looks at a part of a note, or where case counts, the index can only say no.
			if ok = held[string(s.note.Path)]; held == nil || ok && (m.exact || !titled) {
				return unread
			}
		case m.exact:
			ok = strings.Contains(s.raw, n.Text) || titled && strings.Contains(titles(s.note), n.Text)
		default:
			ok = t.folded == "" || t.in(s.words()) || titled && t.in(fold.Text(nil, titles(s.note)))
		}
		return answerOf(ok)
	}
}

// compares holds "<5" or ">2025-01-01" against a value: as numbers, else as text.
func compares(value, with string) bool {
	want := strings.TrimSpace(with[1:])
	a, err := strconv.ParseFloat(value, 64)
	b, err2 := strconv.ParseFloat(want, 64)
	c := cmp.Compare(fold.Name(value), want)
	if err == nil && err2 == nil {
		c = cmp.Compare(a, b)
	}
	return want != "" && value != "" && (with[0] == '<' && c < 0 || with[0] == '>' && c > 0)
}

// matching looks for a regular expression.
func matching(n *syntax.Node, m mode) cond {
	return func(s *scope) answer {
		if s.page == nil && m.in <= inText {
			return unread
		}
		at := n.Expr.FindStringIndex(s.raw)
		if at != nil && s.page != nil && s.hit.from == 0 {
			line := max(s.from, 1) + strings.Count(s.raw[:at[0]], "\n")
			*s.hit = lineRange{line, line}
		}
		return answerOf(at != nil)
	}
}

// values appends the printed values of a property: of a list its elements.
func values(v any, to []string) []string {
	switch v := v.(type) {
	case nil:
		return append(to, "")
	case []any:
		for _, e := range v {
			to = values(e, to)
		}
		return to
	case time.Time:
		return append(to, strings.TrimSuffix(v.Format("2006-01-02T15:04:05"), "T00:00:00"))
	}
	return append(to, fmt.Sprint(v))
}

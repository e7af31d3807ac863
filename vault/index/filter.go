package index

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index/syntax"
)

// ParseQuery reads text in the search language of package syntax: words go to
// Query.Text, by which notes are ranked, and all else bounds the notes. now is
// what dates are relative to. told are lines for the person about what was left
// out. An error is one line for the person.
func ParseQuery(text string, now time.Time) (q Query, told []string, err error) {
	text, q.Chats = cutChats(text)
	read, err := syntax.Parse(text, now)
	if err != nil {
		return Query{}, read.Told, err
	}
	words, rest := splitRankedWords(read.Root)
	if q.Text = strings.Join(words, " "); rest == nil {
		return q, read.Told, nil
	}
	q.where = rest
	var inner []string
	eachSearched(rest, func(n *syntax.Node) {
		switch n.Op {
		case syntax.Word:
			inner = append(inner, n.Text)
		case syntax.Phrase:
			inner = append(inner, `"`+strings.ReplaceAll(n.Text, `"`, " ")+`"`)
		}
	})
	q.inner = strings.Join(inner, " ")
	return q, read.Told, nil
}

// cutChats takes "chats:" out of a query; it brings in saved chats.
func cutChats(text string) (rest string, chats bool) {
	const word = "chats:"
	for i := 0; ; {
		at := strings.Index(text[i:], word)
		if at < 0 {
			return text, false
		}
		at += i
		before, after := text[:at], text[at+len(word):]
		if (before == "" || strings.HasSuffix(before, " ")) && strings.Count(before, `"`)%2 == 0 {
			return before + after, true
		}
		i = at + len(word)
	}
}

// splitRankedWords parts the words in a row from what else a query asks for.
func splitRankedWords(n *syntax.Node) (words []string, rest *syntax.Node) {
	switch {
	case n == nil:
		return nil, nil
	case n.Op == syntax.Word:
		return []string{n.Text}, nil
	case n.Op != syntax.And:
		return nil, n
	}
	rest = &syntax.Node{Op: syntax.And}
	for _, part := range n.List {
		if part.Op == syntax.Word {
			words = append(words, part.Text)
		} else {
			rest.List = append(rest.List, part)
		}
	}
	if len(rest.List) == 0 {
		return words, nil
	}
	return words, rest
}

// eachSearched calls f for what a query asks to stand in the text of what is found.
func eachSearched(n *syntax.Node, f func(*syntax.Node)) {
	if n == nil || n.Op == syntax.Not || ofMeta(n.Op) {
		return
	}
	f(n)
	for _, part := range n.List {
		eachSearched(part, f)
	}
}

// ofMeta reports whether metadata decides on a condition.
func ofMeta(op syntax.Op) bool {
	return op == syntax.Path || op == syntax.File || op == syntax.Tag || op == syntax.Property || op == syntax.Date
}

// cond is a condition on a note, or on a part of one, with what is known of the notes.
type cond struct {
	op      syntax.Op
	list    []*cond
	term    term            // of Word and Phrase
	name    string          // of Word and Phrase, where it is looked for in names
	written string          // of Word and Phrase: as it is written, where case counts; of Property: its name
	expr    *regexp.Regexp  // of Regex
	within  timeTest        // of Date
	held    map[string]bool // of Word and Phrase: the paths of notes that hold it, nil if that is not known
}

// mode is how words are meant.
type mode struct {
	exact bool // upper and lower case count
	not   bool // what is excluded: whole words only
	meta  bool // in metadata
}

// compile makes a condition on notes of what a query asks for; held says which hold a term,
// nil if that is not known.
func compile(n *syntax.Node, m mode, notes []*vault.Note, held func(*term) map[string]bool) *cond {
	c := &cond{op: n.Op, expr: n.Expr}
	switch n.Op {
	case syntax.Word, syntax.Phrase:
		c.term.folded = foldLine(n.Text)
		c.term.prefix = n.Op == syntax.Word && !m.not && c.term.runes() > 1
		c.name = foldName(strings.TrimSpace(n.Text))
		if m.exact {
			c.written = n.Text
		}
		if !m.meta && c.term.folded != "" {
			c.held = held(&c.term)
		}
	case syntax.Property:
		c.written = foldName(n.Text)
	case syntax.Date:
		c.within = newCalendar(notes).in(n.Range)
	case syntax.Not:
		m.not = !m.not
	case syntax.MatchCase, syntax.IgnoreCase:
		m.exact = n.Op == syntax.MatchCase
	}
	m.meta = m.meta || ofMeta(n.Op)
	for _, part := range n.List {
		c.list = append(c.list, compile(part, m, notes, held))
	}
	return c
}

// answer is what is known of a note without reading it.
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

// known is what the metadata of a note, and the words that the index has of it,
// say. Below an operator that looks at a part of a note, or where case counts,
// words can only say no.
func (c *cond) known(n *vault.Note, part bool) answer {
	switch c.op {
	case syntax.And, syntax.Or, syntax.MatchCase, syntax.IgnoreCase:
		some, all := no, yes
		for _, p := range c.list {
			a := p.known(n, part || c.op == syntax.MatchCase)
			some, all = max(some, a), min(all, a)
		}
		if c.op == syntax.Or {
			return some
		}
		return all
	case syntax.Not:
		return -c.list[0].known(n, part)
	case syntax.Word, syntax.Phrase:
		switch {
		case c.term.folded == "":
			return yes
		case c.held == nil, c.held[string(n.Path)] && part:
			return unread
		}
		return answerOf(c.held[string(n.Path)])
	case syntax.Regex:
		return unread
	}
	if ofMeta(c.op) {
		return answerOf(c.meta(n))
	}
	if len(c.list) > 0 && c.list[0].known(n, true) == no && !c.list[0].negative() {
		return no
	}
	return unread
}

// negative reports whether c excludes anything: then what is not in a note can be
// what is looked for.
func (c *cond) negative() bool {
	return c.op == syntax.Not || slices.ContainsFunc(c.list, (*cond).negative)
}

// meta is the answer of a condition that metadata decides.
func (c *cond) meta(n *vault.Note) bool {
	switch c.op {
	case syntax.Date:
		return c.within(n)
	case syntax.Property:
		return c.property(n)
	}
	part := scope{note: n, in: inName, raw: string(n.Path)}
	if c.op == syntax.File {
		part.raw = n.Path.Name()
	} else if c.op == syntax.Tag {
		part.in, part.raw = inTags, strings.Join(n.Tags, "\n")
	}
	return len(c.list) == 0 || c.list[0].holds(&part)
}

// property reports whether n has the property, with a value that fits. A list
// fits by any of its elements.
func (c *cond) property(n *vault.Note) bool {
	for _, p := range n.Props() {
		if foldName(p.Key) != c.written {
			continue
		}
		if len(c.list) == 0 {
			return true
		}
		part := scope{note: n, in: inValue, raw: strings.Join(values(p.Value, nil), "\n")}
		if c.list[0].holds(&part) {
			return true
		}
	}
	return false
}

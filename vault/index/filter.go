package index

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/dates"
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
	words, rest := soft(read.Root)
	if q.Text = strings.Join(words, " "); rest == nil {
		return q, read.Told, nil
	}
	q.where = compile(rest, mode{})
	q.inner = strings.Join(sought(rest, nil), " ")
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

// soft parts the words in a row from what else a query asks for.
func soft(n *syntax.Node) (words []string, rest *syntax.Node) {
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

// sought are the words that stand in the text of what is found, as ranking takes
// them.
func sought(n *syntax.Node, words []string) []string {
	switch n.Op {
	case syntax.Word:
		return append(words, n.Text)
	case syntax.Phrase:
		return append(words, `"`+strings.ReplaceAll(n.Text, `"`, " ")+`"`)
	case syntax.Not, syntax.Path, syntax.File, syntax.Tag, syntax.Property:
		return words
	}
	for _, part := range n.List {
		words = sought(part, words)
	}
	return words
}

// cond is a condition on a note, or on a part of one.
type cond struct {
	op       syntax.Op
	list     []*cond
	term     term            // of Word and Phrase
	name     string          // of Word and Phrase, where it is looked for in names
	written  string          // of Word and Phrase: as it is written, where case counts; of Property: its name
	expr     *regexp.Regexp  // of Regex
	dates    dates.Range     // of Date
	calendar                 // of Date, see dated
	held     map[string]bool // of Word and Phrase: the paths of notes that hold it, nil if that is not known
}

// mode is how words are meant.
type mode struct {
	exact bool // upper and lower case count
	not   bool // what is excluded: whole words only
}

func compile(n *syntax.Node, m mode) *cond {
	c := &cond{op: n.Op, expr: n.Expr, dates: n.Range}
	switch n.Op {
	case syntax.Word, syntax.Phrase:
		c.term.folded = strings.Join(strings.Fields(string(foldText(nil, n.Text))), " ")
		_, last := utf8.DecodeLastRuneInString(c.term.folded)
		c.term.prefix = n.Op == syntax.Word && !m.not && len(c.term.folded) > last
		c.name = foldName(strings.TrimSpace(n.Text))
		if m.exact {
			c.written = n.Text
		}
	case syntax.Property:
		c.written = foldName(n.Text)
	case syntax.Not:
		m.not = !m.not
	case syntax.MatchCase, syntax.IgnoreCase:
		m.exact = n.Op == syntax.MatchCase
	}
	for _, part := range n.List {
		c.list = append(c.list, compile(part, m))
	}
	if n.Op == syntax.And || n.Op == syntax.Or { // what costs least is looked at first
		slices.SortStableFunc(c.list, func(a, b *cond) int { return a.cost() - b.cost() })
	}
	return c
}

// cost orders conditions by what it takes to look at them.
func (c *cond) cost() int {
	switch c.op {
	case syntax.Path, syntax.File, syntax.Tag, syntax.Property, syntax.Date:
		return 0
	case syntax.Word, syntax.Phrase:
		return 1
	case syntax.And, syntax.Or, syntax.Not, syntax.MatchCase, syntax.IgnoreCase:
		most := 0
		for _, part := range c.list {
			most = max(most, part.cost())
		}
		return most
	}
	return 2
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
	case syntax.Path, syntax.File, syntax.Tag, syntax.Property, syntax.Date:
		return answerOf(c.meta(n))
	case syntax.Regex:
		return unread
	}
	if len(c.list) > 0 && c.list[0].known(n, true) == no && !c.list[0].negative() {
		return no
	}
	return unread
}

// clone is a copy of c.
func (c *cond) clone() *cond {
	out := *c
	out.list = make([]*cond, len(c.list))
	for i, part := range c.list {
		out.list[i] = part.clone()
	}
	return &out
}

// negative reports whether c excludes anything: then what is not in a note can be
// what is looked for.
func (c *cond) negative() bool {
	return c.op == syntax.Not || slices.ContainsFunc(c.list, (*cond).negative)
}

// words calls f for every word and phrase that is looked for in text.
func (c *cond) words(f func(*cond)) {
	switch c.op {
	case syntax.Path, syntax.File, syntax.Tag, syntax.Property:
		return
	case syntax.Word, syntax.Phrase:
		if c.term.folded != "" {
			f(c)
		}
	}
	for _, part := range c.list {
		part.words(f)
	}
}

// exprs adds the regular expressions that what is found matches in its text.
func (c *cond) exprs(to []*regexp.Regexp) []*regexp.Regexp {
	switch c.op {
	case syntax.Not, syntax.Path, syntax.File, syntax.Tag, syntax.Property:
		return to
	case syntax.Regex:
		return append(to, c.expr)
	}
	for _, part := range c.list {
		to = part.exprs(to)
	}
	return to
}

// meta is the answer of a condition that metadata decides.
func (c *cond) meta(n *vault.Note) bool {
	switch c.op {
	case syntax.Date:
		return c.within(n, c.dates)
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

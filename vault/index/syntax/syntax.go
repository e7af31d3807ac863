package syntax

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agnivade/levenshtein"

	"ibid/vault/dates"
	"ibid/vault/md"
)

// Op is the operator of a Node.
type Op uint8

// The operators. Of those up to Not the operands stand in List.
const (
	And Op = iota
	Or
	Not
	Word       // Text, or words that start with it
	Phrase     // the words of Text next to each other
	Regex      // Expr
	Path       // List[0] on the path; from here to Date, metadata of the note decides
	File       // List[0] on the file name
	Tag        // List[0] on the tags
	Property   // Text is its name; List[0], if there is one, on its value
	Date       // Range holds the date of the note
	Content    // List[0] on the text
	Line       // List[0] on one line
	Section    // List[0] between two headings
	Block      // List[0] on one paragraph, item of a list, table, or block of code
	Task       // List[0] on a task
	TaskTodo   // on an open one
	TaskDone   // on one that is not open
	MatchCase  // List[0], where upper and lower case count
	IgnoreCase // List[0], where they do not
)

// Node is one thing that a query asks for. Behind an operator with nothing to look
// for, as in task:"", List is empty: anything fits.
type Node struct {
	Op    Op
	Text  string
	List  []*Node
	Expr  *regexp.Regexp
	Range dates.Range
}

// Query is a text that was read.
type Query struct {
	Root *Node    // nil: it asks for nothing
	Told []string // what was left out, for the person, a line each
}

// The bounds of what is read.
const (
	maxDepth = 50  // of parentheses
	maxTold  = 5   // lines
	maxShown = 40  // runes of what is quoted
	maxNodes = 100 // besides words in a row
)

// operators are those that stand before a colon.
var operators = map[string]Op{
	"path": Path, "file": File, "tag": Tag, "content": Content, "line": Line, "section": Section, "block": Block,
	"task": Task, "task-todo": TaskTodo, "task-done": TaskDone, "after": Date, "before": Date, "on": Date,
	"match-case": MatchCase, "ignore-case": IgnoreCase,
}

// What a text is made of; the first group is what is taken. A link to a note is one word;
// a regular expression ends at the next slash, which must end the word.
var (
	excluded   = regexp.MustCompile(`^(-)[^\s)-]`)
	phrase     = regexp.MustCompile(`^("((?:\\"|[^"\\]|\\[^"])*)")`)
	regex      = regexp.MustCompile(`(?s)^(/((?:\\.|[^/\\\s])(?:\\.|[^/\\])*)/)(?:[\s\pZ)]|$)`)
	noteLink   = regexp.MustCompile(`^(\[\[[^\[\]\n]*\]\])`)
	property   = regexp.MustCompile(`^(\[(?:"([^"\[\]\n]*)"\s*|([^"\[\]\n:]+))(?::([^\[\]\n]*))?\])(?:[^(]|$)`)
	operator   = regexp.MustCompile(`^(([\pL-]{1,17}):)`)
	end        = regexp.MustCompile(`^(?:[\s\pZ)]|$)`)
	either     = regexp.MustCompile(`^(OR)(?:[\s\pZ()]|$)`)
	both       = regexp.MustCompile(`^(AND)(?:[\s\pZ()]|$)`)
	quotedDate = regexp.MustCompile(`^("([^"]*)"?|\(([^)]*)\)?)`)
	dateWords  = regexp.MustCompile(`^[^\s)]*(?:\s+[^\s)]+){0,5}`)
)

// Parse reads a text. now is what dates such as on:yesterday are relative to. An
// error is one line for the person: a regular expression that cannot be used, or
// more than can be asked for at once.
func Parse(text string, now time.Time) (Query, error) {
	p := parser{text: strings.ToValidUTF8(text, " "), now: now}
	root := p.either()
	return Query{Root: root, Told: p.told}, p.err
}

// parser is a text that is read up to at.
type parser struct {
	text  string
	at    int
	depth int // of open parentheses
	nodes int
	exact bool // inside match-case

	unclosed bool // a quotation mark was

	now  time.Time
	told []string
	err  error
}

// tell says that what was read since start is left out.
func (p *parser) tell(start int, format string, args ...any) *Node {
	if len(p.told) < maxTold {
		p.told = append(p.told, quoteText(p.text[start:p.at])+" is left out: "+fmt.Sprintf(format, args...))
	}
	return nil
}

func (p *parser) fail(format string, args ...any) *Node {
	p.err = cmp.Or(p.err, fmt.Errorf(format, args...))
	p.at = len(p.text)
	return nil
}

func (p *parser) rest() string { return p.text[p.at:] }

// take skips the first group of what an expression matches.
func (p *parser) take(expr *regexp.Regexp) []string {
	m := expr.FindStringSubmatch(p.rest())
	if m != nil {
		p.at += len(m[1])
	}
	return m
}

// either reads operands of OR, up to the end or a parenthesis that closes.
func (p *parser) either() *Node {
	var list []*Node
	for {
		if n := p.both(); n != nil {
			list = append(list, n)
		}
		if p.take(either) == nil {
			return join(Or, list)
		}
		p.count()
	}
}

// both reads what stands side by side. A parenthesis that closes nothing means nothing.
func (p *parser) both() *Node {
	var list []*Node
	for {
		rest := strings.TrimLeftFunc(p.rest(), func(r rune) bool {
			return unicode.IsSpace(r) || r == ')' && p.depth == 0
		})
		p.at = len(p.text) - len(rest)
		if rest == "" || rest[0] == ')' || either.MatchString(rest) {
			return join(And, list)
		}
		if p.take(both) != nil {
			continue
		}
		n := p.operand()
		if n == nil {
			continue
		}
		if n.Op != Word || p.depth > 0 {
			p.count()
		}
		if n.Op != And {
			n = &Node{List: []*Node{n}}
		}
		list = append(list, n.List...)
	}
}

// count bounds what a query can ask for besides words in a row.
func (p *parser) count() {
	if p.nodes++; p.nodes > maxNodes {
		p.fail("the query asks for more than %d things", maxNodes)
	}
}

// join makes one node of several; of one it is that.
func join(op Op, list []*Node) *Node {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &Node{Op: op, List: list}
}

// operand reads one thing; nil if it means nothing.
func (p *parser) operand() *Node {
	if p.take(excluded) != nil {
		if n := p.operand(); n != nil {
			return &Node{Op: Not, List: []*Node{n}}
		}
		return nil
	}
	if m := property.FindStringSubmatch(p.rest()); m != nil && hasWord(m[2]+m[3]) {
		p.at += len(m[1])
		n, was := &Node{Op: Property, Text: strings.TrimSpace(m[2] + m[3])}, *p
		p.text, p.at = m[4], 0
		if v := p.either(); v != nil {
			n.List = []*Node{v}
		}
		p.text, p.at = was.text, was.at
		return n
	}
	if m := operator.FindStringSubmatch(p.rest()); m != nil {
		name, after := strings.ToLower(m[2]), p.rest()[len(m[1]):]
		like := nearestOperator(name)
		if value := strings.TrimLeft(after, " \t"); like == name && opensValue(value) {
			after = value
		}
		if like != "" && !strings.HasPrefix(after, "//") && (like == name || !end.MatchString(after)) {
			return p.operator(name, like, after)
		}
	}
	return p.value()
}

// opensValue reports whether a text begins with a mark that opens a value, which may stand at a distance from its
// operator: path: "a b".
func opensValue(text string) bool { return text != "" && strings.IndexByte(`"(/`, text[0]) >= 0 }

// operator reads an operator with what stands behind its colon; like is what the name
// may be a slip of.
func (p *parser) operator(name, like, after string) *Node {
	start, op, was := p.at, operators[like], p.exact
	p.at = len(p.text) - len(after)
	switch {
	case name != like:
		p.value()
		return p.tell(start, "there is no operator %s:, there is %s:", name, like)
	case end.MatchString(after):
		return p.tell(start, "nothing stands right behind it")
	case op == Date:
		return p.date(name, start)
	}
	p.exact = (was || op == MatchCase) && op != IgnoreCase
	n, v := &Node{Op: op}, p.value()
	p.exact = was
	read := strings.TrimSpace(p.text[len(p.text)-len(after) : p.at])
	if v == nil && strings.ContainsFunc(read, unicode.IsSymbol) {
		v = &Node{Op: Phrase, Text: read} // names have emoji, which are no words
	}
	switch {
	case strings.HasPrefix(after, `""`):
	case v == nil:
		return nil // such as tag:# while it is typed
	default:
		n.List = []*Node{v}
	}
	return n
}

// value reads a group, a phrase, a regular expression or a word.
func (p *parser) value() *Node {
	switch rest := p.rest(); rest[0] {
	case '(':
		return p.group()
	case '"':
		return p.phrase()
	case '/':
		if m := p.take(regex); m != nil {
			return p.regex(strings.ReplaceAll(m[2], `\/`, "/"))
		}
	}
	w := p.plainWord()
	if !hasWord(w) {
		return nil
	}
	return &Node{Op: Word, Text: w}
}

func (p *parser) group() *Node {
	if p.depth == maxDepth {
		return p.fail("parentheses are nested more than %d deep", maxDepth)
	}
	p.at++
	p.depth++
	n := p.either()
	p.depth--
	p.at = min(p.at+1, len(p.text))
	return n
}

// phrase reads "words"; a quotation mark that nothing closes means nothing, and
// then none behind it does.
func (p *parser) phrase() *Node {
	if !p.unclosed {
		if m := p.take(phrase); m != nil {
			return &Node{Op: Phrase, Text: strings.ReplaceAll(m[2], `\"`, `"`)}
		}
	}
	p.at++
	p.unclosed = true
	return nil
}

// regex is a regular expression.
func (p *parser) regex(source string) *Node {
	flags := "(?im)"
	if p.exact {
		flags = "(?m)"
	}
	expr, err := regexp.Compile(flags + source)
	if err != nil {
		var bad *syntax.Error
		why := err.Error()
		if errors.As(err, &bad) {
			why = bad.Code.String() + ": " +
				strings.TrimPrefix(bad.Expr, flags) // of a whole expression, with the flags
		}
		return p.fail("/%s/ is no regular expression of RE2: %s", quoteText(source), quoteText(why))
	}
	return &Node{Op: Regex, Text: source, Expr: expr}
}

// plainWord reads up to white space, a quotation mark, or the parenthesis that
// closes a group.
func (p *parser) plainWord() string {
	if link := p.take(noteLink); link != nil {
		return link[0]
	}
	inner, start := 0, p.at
	at := strings.IndexFunc(p.rest(), func(r rune) bool {
		switch r {
		case '(':
			inner++
		case ')':
			inner--
		}
		return unicode.IsSpace(r) || r == '"' || inner < 0 && p.depth > 0
	})
	if p.at += at; at < 0 {
		p.at = len(p.text)
	}
	return p.text[start:p.at]
}

// hasWord reports whether there is anything to look for in w.
func hasWord(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// date reads what stands behind after:, before: and on:, which may be several
// words: as many as make a date.
func (p *parser) date(name string, start int) *Node {
	var r dates.Range
	found := false
	if m := p.take(quotedDate); m != nil {
		r, found = dates.Parse(strings.TrimSpace(m[2]+m[3]), p.now)
	} else {
		words := dateWords.FindString(p.rest())
		for last := 0; ; words = strings.TrimRightFunc(words[:last], unicode.IsSpace) {
			r, found = dates.Parse(words, p.now)
			if last = strings.LastIndexFunc(words, unicode.IsSpace); found || last < 0 {
				break
			}
		}
		p.at += len(words)
	}
	switch {
	case !found:
		return p.tell(start, `that is no date; dates are such as 2025-08-20, yesterday or "last week"`)
	case name == "after":
		r = dates.Range{From: r.Until}
	case name == "before":
		r = dates.Range{Until: r.From}
	}
	return &Node{Op: Date, Range: r}
}

// nearestOperator is the operator that name is or may be a slip of, "" if there is none: at
// most two edits away, and with something in common.
func nearestOperator(name string) (best string) {
	least := 3
	for _, op := range slices.Sorted(maps.Keys(operators)) {
		if d := levenshtein.ComputeDistance(name, op); d < min(least, len(name), len(op)) {
			best, least = op, d
		}
	}
	return best
}

// quoteText is text as a message quotes it.
func quoteText(text string) string { return md.Clip(text, maxShown) }

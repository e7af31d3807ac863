package syntax

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/vault/dates"
	"ibid/vault/md"
)

// Op says what a Node asks for.
type Op uint8

// The operators. Of those up to Not the operands stand in List.
const (
	And Op = iota
	Or
	Not
	Word       // Text, or words that start with it
	Phrase     // the words of Text next to each other
	Regex      // Expr
	Path       // List[0] on the path
	File       // List[0] on the file name
	Tag        // List[0] on the tags
	Content    // List[0] on the text
	Line       // List[0] on one line
	Section    // List[0] between two headings
	Block      // List[0] on one paragraph, item of a list, table, or block of code
	Task       // List[0] on a task
	TaskTodo   // on an open one
	TaskDone   // on one that is not open
	Property   // Text is its name; List[0], if there is one, on its value
	Date       // Range holds the date of the note
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
	maxDate  = 6   // words
	maxShown = 40  // runes of what is quoted
	maxNodes = 100 // besides words in a row
)

// operators are those that stand before a colon.
var operators = map[string]Op{
	"path": Path, "file": File, "tag": Tag, "content": Content, "line": Line, "section": Section, "block": Block,
	"task": Task, "task-todo": TaskTodo, "task-done": TaskDone, "after": Date, "before": Date, "on": Date,
	"match-case": MatchCase, "ignore-case": IgnoreCase,
}

// What a text is made of. A link to a note is one word; a regular expression ends at the
// next slash, which must end the word.
var (
	excluded     = regexp.MustCompile(`^-[^\s)-]`)
	phrase       = regexp.MustCompile(`^"((?:\\"|[^"\\]|\\[^"])*)"`)
	regex        = regexp.MustCompile(`(?s)^/((?:\\.|[^/\\\s])(?:\\.|[^/\\])*)/(?:[\s\pZ)]|$)`)
	noteLink     = regexp.MustCompile(`^\[\[[^\[\]\n]*\]\]`)
	property     = regexp.MustCompile(`^\[(?:"([^"\[\]\n]*)"([^\[\]\n]*)|([^"\[\]\n][^\[\]\n]*))\]`)
	namedPattern = regexp.MustCompile(`^([\pL-]{1,17}):`)
	space        = regexp.MustCompile(`^[\s\pZ]*`)
	spaceOrEnd   = regexp.MustCompile(`^[\s\pZ)]*`) // with parentheses that close nothing
	junction     = regexp.MustCompile(`^(?:AND|OR)(?:[\s\pZ()]|$)`)
	quotedDate   = regexp.MustCompile(`^(?:"([^"]*)"?|\(([^)]*)\)?)`)
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

func (p *parser) tell(format string, args ...any) {
	if len(p.told) < maxTold {
		p.told = append(p.told, fmt.Sprintf(format, args...))
	}
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.at = len(p.text)
}

func (p *parser) rest() string { return p.text[p.at:] }

// take skips what an expression matches.
func (p *parser) take(expr *regexp.Regexp) []string {
	m := expr.FindStringSubmatch(p.rest())
	if m != nil {
		p.at += len(m[0])
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
		if p.at == len(p.text) || p.rest()[0] == ')' {
			return join(Or, list)
		}
		p.at += len("OR")
		p.count()
	}
}

// both reads what stands side by side.
func (p *parser) both() *Node {
	var list []*Node
	for {
		if p.take(space); p.depth == 0 {
			p.take(spaceOrEnd)
		}
		switch rest := p.rest(); {
		case rest == "" || rest[0] == ')' || rest[0] == 'O' && junction.MatchString(rest):
			return join(And, list)
		case junction.MatchString(rest):
			p.at += len("AND") // as side by side
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
	rest := p.rest()
	if excluded.MatchString(rest) {
		p.at++
		if n := p.operand(); n != nil {
			return &Node{Op: Not, List: []*Node{n}}
		}
		return nil
	}
	if n, ok := p.property(); ok {
		return n
	}
	if m := namedPattern.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(rest[len(m[0]):], "//") {
		if n, ok := p.operator(strings.ToLower(m[1]), rest[len(m[0]):]); ok {
			return n
		}
	}
	return p.value()
}

// value reads a group, a phrase, a regular expression or a word.
func (p *parser) value() *Node {
	switch rest := p.rest(); rest[0] {
	case '(':
		return p.group()
	case '"':
		return p.phrase()
	case '/':
		if n, ok := p.regex(); ok {
			return n
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
		p.fail("parentheses are nested more than %d deep", maxDepth)
		return nil
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
			return &Node{Op: Phrase, Text: strings.ReplaceAll(m[1], `\"`, `"`)}
		}
	}
	p.at++
	p.unclosed = true
	return nil
}

// regex reads /an expression/.
func (p *parser) regex() (*Node, bool) {
	m := regex.FindStringSubmatch(p.rest())
	if m == nil {
		return nil, false
	}
	source := strings.ReplaceAll(m[1], `\/`, "/")
	p.at += len(m[1]) + 2
	flags := "(?im)"
	if p.exact {
		flags = "(?m)"
	}
	expr, err := regexp.Compile(flags + source)
	if err != nil {
		var bad *syntax.Error
		why := err.Error()
		if errors.As(err, &bad) {
			why = bad.Code.String() + ": " + strings.TrimPrefix(bad.Expr, flags) // of a whole expression, with the flags
		}
		p.fail("/%s/ is no regular expression of RE2: %s", quoteText(source), quoteText(why))
		return nil, true
	}
	return &Node{Op: Regex, Text: source, Expr: expr}, true
}

// plainWord reads up to white space, a quotation mark, or the parenthesis that
// closes a group.
func (p *parser) plainWord() string {
	start, inner := p.at, 0
	if link := p.take(noteLink); link != nil {
		return link[0]
	}
	for i, r := range p.rest() {
		switch {
		case unicode.IsSpace(r), r == '"' && i > 0, r == ')' && p.depth > 0 && inner == 0:
			p.at += i
			return p.text[start:p.at]
		case r == '(':
			inner++
		case r == ')':
			inner--
		}
	}
	p.at = len(p.text)
	return p.text[start:]
}

// hasWord reports whether there is anything to look for in w.
func hasWord(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// property reads [name] or [name:value]; [text](of a link) is none.
func (p *parser) property() (*Node, bool) {
	m := property.FindStringSubmatch(p.rest())
	if m == nil || strings.HasPrefix(p.rest()[len(m[0]):], "(") {
		return nil, false
	}
	name, value := m[1], strings.TrimSpace(m[2])
	if m[3] != "" {
		at := strings.IndexByte(m[3]+":", ':')
		name, value = m[3][:at], m[3][at:]
	}
	if name = strings.TrimSpace(name); !hasWord(name) {
		return nil, false
	}
	p.at += len(m[0])
	n := &Node{Op: Property, Text: name}
	if value, valued := strings.CutPrefix(value, ":"); valued {
		text, at := p.text, p.at
		p.text, p.at = value, 0
		if v := p.either(); v != nil {
			n.List = []*Node{v}
		}
		p.text, p.at = text, at
	}
	return n, true
}

// operator reads an operator with what stands behind its colon. ok is false if the name
// is none and looks like none: then it is text.
func (p *parser) operator(name, after string) (n *Node, ok bool) {
	op, known := operators[name]
	next, size := utf8.DecodeRuneInString(after)
	empty := size == 0 || unicode.IsSpace(next) || next == ')'
	if !known {
		like := nearestOperator(name)
		if like == "" || empty {
			return nil, false
		}
		start := p.at
		p.at = len(p.text) - len(after)
		p.value()
		p.tell("%s is left out: there is no operator %s:, there is %s:", quoteText(p.text[start:p.at]), name, like)
		return nil, true
	}
	p.at = len(p.text) - len(after)
	if empty {
		p.tell("%s: is left out: nothing stands right behind it", name)
		return nil, true
	}
	if op == Date {
		return p.date(name), true
	}
	was := p.exact
	p.exact = (was || op == MatchCase) && op != IgnoreCase
	n = &Node{Op: op}
	wordless := strings.HasPrefix(after, `""`)
	if v := p.value(); v != nil && !wordless {
		n.List = []*Node{v}
	} else if !wordless {
		n = nil // such as tag:# while it is typed
	}
	p.exact = was
	return n, true
}

// quoteText is text as a message quotes it.
func quoteText(text string) string { return md.Clip(text, maxShown) }

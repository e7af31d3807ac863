package query

import (
	"cmp"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/md"
)

// Query is a parsed query of the dataview language.
type Query struct {
	Type   string // LIST, TABLE or TASK
	noID   bool
	fields []field
	from   expr // nil: all notes
	steps  []step
}

// field is an expression with the heading of its column.
type field struct {
	expr expr
	name string
}

// step is one clause; clauses are applied in the order in which they are written.
type step struct {
	word   string // WHERE, SORT, LIMIT, FLATTEN or GROUP BY
	field  field
	orders []order
}

// order is one key of SORT.
type order struct {
	expr expr
	down bool
}

// Parse parses a query. Malformed and unsupported queries give an *Error.
func Parse(text string) (*Query, error) {
	if len(text) > maxQuery {
		return nil, &Error{Reason: "it is longer than 100 kB"}
	}
	p := &parser{text: text, funcs: queryFunctions()}
	q := &Query{}
	p.skipSpace()
	p.header(q)
	if p.takeKeyword("FROM") {
		q.from = p.source()
	}
	for p.skipSpace(); p.err == nil && p.pos < len(p.text); p.skipSpace() {
		p.clause(q)
	}
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// header parses the beginning of a query.
func (p *parser) header(q *Query) {
	for _, kind := range []string{"LIST", "TABLE", "TASK"} {
		if q.Type == "" && p.takeKeyword(kind) {
			q.Type = kind
		}
	}
	switch {
	case p.keyword("CALENDAR"):
		p.fail("only LIST, TABLE and TASK are supported")
	case q.Type == "":
		p.fail("a query begins with LIST, TABLE or TASK")
	}
	if q.Type == "TASK" || p.err != nil {
		return
	}
	q.noID = p.takeKeyword("WITHOUT", "ID")
	for p.skipSpace(); p.err == nil && p.pos < len(p.text) && !p.atClause(); p.skipSpace() {
		if len(q.fields) > 0 {
			if q.Type == "LIST" {
				p.fail("expected FROM, WHERE, SORT, GROUP BY, FLATTEN or LIMIT")
				return
			}
			p.expect(",")
			p.skipSpace()
		}
		q.fields = append(q.fields, p.field(q.Type == "TABLE"))
	}
}

// atClause reports whether a clause begins here.
func (p *parser) atClause() bool {
	return slices.ContainsFunc(strings.Fields("FROM WHERE LIMIT FLATTEN GROUP"), p.keyword) ||
		p.keyword("SORT") && !strings.HasPrefix(p.rest()[len("SORT"):], "(")
}

// field parses an expression and its heading; without one, the text of the expression is the heading.
func (p *parser) field(named bool) field {
	from := p.pos
	f := field{expr: p.expression()}
	var name strings.Builder
	for line := range strings.Lines(p.text[from:p.pos]) {
		name.WriteString(strings.TrimSpace(line))
	}
	f.name = name.String()
	if !named || !p.takeKeyword("AS") {
		return f
	}
	if strings.HasPrefix(p.rest(), `"`) {
		f.name = p.quoted()
	} else if f.name = p.ident(); f.name == "" {
		p.fail("expected a name after AS")
	}
	return f
}

// clause parses one clause.
func (p *parser) clause(q *Query) {
	for _, word := range []string{"WHERE", "LIMIT", "FLATTEN", "GROUP BY", "SORT"} {
		if !p.takeKeyword(strings.Fields(word)...) {
			continue
		}
		s := step{word: word}
		if word == "SORT" {
			s.orders = p.orders()
		} else {
			s.field = p.field(word == "FLATTEN" || word == "GROUP BY")
		}
		q.steps = append(q.steps, s)
		return
	}
	if p.keyword("FROM") {
		p.fail("FROM stands only once, before the other clauses")
	}
	p.fail("expected FROM, WHERE, SORT, GROUP BY, FLATTEN or LIMIT")
}

// orders parses the keys of SORT.
func (p *parser) orders() []order {
	var all []order
	for {
		p.skipSpace()
		o := order{expr: p.expression()}
		if p.takeKeyword("DESC") || p.takeKeyword("DESCENDING") {
			o.down = true
		} else if !p.takeKeyword("ASC") {
			p.takeKeyword("ASCENDING")
		}
		all = append(all, o)
		if p.skipSpace(); !p.accept(",") {
			return all
		}
	}
}

// pageTest is a source: it reports whether the query includes a page.
type pageTest func(p *page) bool

func (e pageTest) eval(_ *run, row object) any { return e(row.(*page)) }

// linkedPages is the source of the notes that link to a file or, with from set, of the files to which a note
// links.
type linkedPages struct {
	link link
	from bool
}

func (e linkedPages) eval(r *run, row object) any {
	set, known := r.linked[e]
	if !known {
		to := r.resolve(e.link, r.origin)
		if !to.found {
			return r.fail(unsupportedError(to.String(), "no note has this name"))
		}
		links := r.inlinks(to.path)
		if e.from {
			links = r.outlinks(cmp.Or(r.pages[to.path], &page{}))
		}
		set = map[vault.Path]bool{}
		for _, v := range links {
			l := v.(link)
			set[l.path] = set[l.path] || l.found
		}
		r.linked[e] = set
	}
	return set[row.(*page).path]
}

// source parses sources with "and" and "or" between them, from left to right.
func (p *parser) source() expr {
	left := p.oneSource()
	for op := p.operator(0); op != ""; op = p.operator(0) {
		left = binary{op, left, p.oneSource()}
	}
	return left
}

func (p *parser) oneSource() expr {
	rest := p.rest()
	switch {
	case p.accept("-"), p.accept("!"):
		return notExpr{p.nested(p.oneSource)}
	case p.accept("("):
		p.skipSpace()
		s := p.nested(p.source)
		p.expect(")")
		return s
	case strings.HasPrefix(rest, "[["):
		return linkedPages{link: p.wikilink()}
	case strings.HasPrefix(rest, `"`):
		name := p.quoted()
		file := vault.Path(strings.Trim(name, "/"))
		return pageTest(func(p *page) bool { return inFolder(p.path, name) || p.path == file || p.path == file+".md" })
	case strings.HasPrefix(rest, "#"):
		return p.tag()
	case p.keyword("outgoing"):
		p.pos += len("outgoing")
		p.expect("(")
		p.skipSpace()
		if !strings.HasPrefix(p.rest(), "[[") {
			p.fail("expected a link")
			return nil
		}
		l := p.wikilink()
		p.expect(")")
		return linkedPages{l, true}
	}
	p.fail("expected a folder in quotes, a #tag, a [[link]] or outgoing([[link]])")
	return nil
}

// tag parses a tag; its '#' is next.
func (p *parser) tag() expr {
	p.pos++
	n := md.TagLen(p.rest())
	if n == 0 {
		p.fail("expected a tag after #")
		return nil
	}
	tag := p.rest()[:n]
	p.pos += n
	tag = strings.TrimRight(tag, "/")
	return pageTest(func(p *page) bool { return p.hasTag(tag) })
}

package query

import (
	"slices"
	"strings"
	"time"
)

// The operators by rank, with longer ones first.
var (
	baseOperators  = strings.Split("|| ; && ; == != ; >= <= > < ; + - ; * / %", ";")
	queryOperators = strings.Split("and or && || & | ; >= <= != > < = ; + - ; * / %", ";")
)

func (p *parser) operators() []string {
	if p.base {
		return baseOperators
	}
	return queryOperators
}

// expression parses an expression.
func (p *parser) expression() expr {
	return p.nested(func() expr { return p.binary(0) })
}

// binary parses operands and the operators of a rank between them, from left to right. In queries "and" and
// "or" have the same rank.
func (p *parser) binary(rank int) expr {
	if rank == len(p.operators()) {
		return p.unary()
	}
	left := p.binary(rank + 1)
	for op := p.operator(rank); op != ""; op = p.operator(rank) {
		left = binary{op, left, p.binary(rank + 1)}
	}
	return left
}

// operator parses an operator of a rank with white space around it. It returns the name that operate knows, ""
// if none is next.
func (p *parser) operator(rank int) string {
	from := p.pos
	p.skipSpace()
	for op := range strings.FieldsSeq(p.operators()[rank]) {
		if letters := op[0] >= 'a'; letters && op[0] <= 'z' {
			if !p.keyword(op) {
				continue
			}
			p.pos += len(op)
		} else if !p.accept(op) {
			continue
		}
		p.skipSpace()
		switch op {
		case "and", "&", "&&":
			return "&"
		case "or", "|", "||":
			return "|"
		case "==":
			return "="
		}
		return op
	}
	p.pos = from
	return ""
}

// unary parses an operand with its prefixes and postfixes.
func (p *parser) unary() expr {
	if p.accept("!") {
		p.skipSpace()
		return notExpr{p.nested(p.unary)}
	}
	if rest := p.rest(); strings.HasPrefix(rest, "-") && numberLen(rest) == 0 && len(rest) > 1 &&
		(isIdent(rest[1:]) && rest[1] != '-' || rest[1] == '(') {
		if !p.base {
			p.fail("a minus before a name is not known")
			return literal{}
		}
		p.pos++
		return binary{"-", literal{0.0}, p.nested(p.unary)}
	}
	return p.postfix(p.atom())
}

// postfix parses the text behind an operand: .name, [index] and (arguments).
func (p *parser) postfix(e expr) expr {
	for steps := 0; p.err == nil; steps++ {
		switch {
		case steps > maxDepth:
			p.fail("this nests too deep")
		case p.accept("."):
			name := p.ident()
			if name == "" {
				p.fail("expected a name after the dot")
				return e
			}
			if p.base && p.accept("(") {
				e = p.method(e, name)
				continue
			}
			if !p.base && isFile(e) && !slices.Contains(fileOf{}.keys(), name) {
				p.failAt("file."+name, "this is not known of files")
			}
			e = index{e, literal{name}}
		case strings.HasPrefix(p.rest(), "[") && !strings.HasPrefix(p.rest(), "[["):
			p.pos++
			p.skipSpace()
			key := p.expression()
			p.expect("]")
			if v, ok := key.(variable); ok && !p.base {
				key = literal{v.name}
			}
			e = index{e, key}
		default:
			v, named := e.(variable)
			if !named || !p.accept("(") {
				return e
			}
			e = p.callArguments(v.name)
		}
	}
	return e
}

// isFile reports whether an expression is the object file of a note.
func isFile(e expr) bool {
	if i, ok := e.(index); ok {
		return i.key == literal{"file"}
	}
	return e == variable{"file"}
}

// callArguments parses the arguments of a call, behind the opening parenthesis.
func (p *parser) callArguments(name string) expr {
	args := p.arguments(")")
	if p.base && name == "if" {
		if n := len(args); n != 2 && n != 3 {
			p.failAt(name, "it takes two or three arguments")
		}
		return ifOf{args}
	}
	fn := p.funcs[strings.ToLower(name)]
	if fn == nil {
		p.failAt(name, "this function is not known here")
	}
	return call{name, fn, args}
}

// method parses a call of a method, behind the opening parenthesis. In the argument of filter and map, value is
// an item and index its number.
func (p *parser) method(of expr, name string) expr {
	fn := methods()[name]
	if fn == nil {
		p.failAt(name, "this method is not known here")
	}
	args := p.arguments(")")
	if name == "filter" || name == "map" {
		for i := range args {
			args[i] = lambdaOf{[]string{"value", "index"}, args[i]}
		}
	}
	return call{name, fn, append([]expr{of}, args...)}
}

// arguments parses expressions separated by commas, up to the closing mark.
func (p *parser) arguments(end string) []expr {
	var args []expr
	for p.skipSpace(); !p.accept(end) && p.err == nil; p.skipSpace() {
		if len(args) > 0 {
			p.expect(",")
			p.skipSpace()
		}
		args = append(args, p.expression())
	}
	return args
}

// atom parses an operand.
func (p *parser) atom() expr {
	rest := p.rest()
	switch {
	case p.err != nil:
	case rest == "":
		p.fail("expected an expression")
	case strings.HasPrefix(rest, "[["):
		return linkTo{p.wikilink()}
	case p.accept("["):
		return listOf{p.arguments("]")}
	case rest[0] == '{':
		return p.object()
	case rest[0] == '(':
		return p.parens()
	case rest[0] == '"', p.base && rest[0] == '\'':
		return literal{p.quoted()}
	case numberLen(rest) > 0:
		return p.number()
	default:
		return p.namedOperand()
	}
	return literal{}
}

// parens parses an expression in parentheses, or a function: (x, y) => x + y.
func (p *parser) parens() expr {
	from := p.pos
	p.pos++
	var params []string
	for {
		p.skipSpace()
		if len(params) > 0 && !p.accept(",") {
			break
		}
		p.skipSpace()
		name := p.ident()
		if name == "" {
			break
		}
		params = append(params, name)
	}
	if p.skipSpace(); p.accept(")") {
		if p.skipSpace(); p.accept("=>") {
			p.skipSpace()
			return lambdaOf{params, p.expression()}
		}
	}
	p.pos = from + 1
	p.skipSpace()
	e := p.expression()
	p.expect(")")
	return e
}

// object parses { name: value, … }.
func (p *parser) object() expr {
	p.pos++
	var o objectOf
	for p.skipSpace(); !p.accept("}") && p.err == nil; p.skipSpace() {
		if len(o.names) > 0 {
			p.expect(",")
			p.skipSpace()
		}
		o.names = append(o.names, p.ident())
		p.expect(":")
		p.skipSpace()
		o.values = append(o.values, p.expression())
	}
	return o
}

// namedOperand parses an operand that begins with a name: a literal, or a variable.
func (p *parser) namedOperand() expr {
	from := p.pos
	name := p.ident()
	switch name {
	case "":
		p.fail("expected an expression")
		return literal{}
	case "true", "True":
		return literal{true}
	case "false", "False":
		return literal{false}
	case "null":
		return literal{}
	}
	if p.base {
		return variable{name}
	}
	p.pos = from
	if p.atClause() {
		p.fail("expected an expression")
		return literal{}
	}
	p.pos += len(name)
	switch name {
	case "row":
		return wholeRow{}
	case "date", "dur":
		if e := p.dateArgument(name); e != nil {
			return e
		}
	}
	return variable{name}
}

// dateArgument parses the argument of date(today) and dur(1 week), which is no expression. It returns nil if the
// argument is an expression.
func (p *parser) dateArgument(name string) expr {
	inner, ok := strings.CutPrefix(p.rest(), "(")
	if !ok {
		return nil
	}
	end := strings.IndexByte(inner, ')')
	if end < 0 {
		return nil
	}
	arg := strings.TrimSpace(inner[:end])
	var e expr
	if name == "dur" {
		if d, ok := readDuration(arg); ok {
			e = literal{d}
		}
	} else if _, ok := namedDate(arg, time.Time{}); ok {
		e = dateFor{name: arg}
	} else if _, ok := readDate(arg, time.UTC); ok {
		e = dateFor{written: arg}
	}
	if e != nil {
		p.pos += end + 2
	}
	return e
}

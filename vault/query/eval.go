package query

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of the values that one expression makes.
const (
	maxText   = 1 << 20 // bytes
	maxList   = 100_000 // items
	checkEach = 1 << 10 // number of evaluations between two checks of the context
)

// valueOf evaluates e for one row. It returns the first error in it.
func (r *run) valueOf(e expr, row object) (any, error) {
	v := r.eval(e, row)
	return v, r.takeError()
}

func (r *run) takeError() error {
	err := r.err
	r.err = nil
	return err
}

// eval evaluates e as a part of an expression: the first error is kept in r, and everything after it is null.
func (r *run) eval(e expr, row object) any {
	if r.steps++; r.steps%checkEach == 0 {
		r.fail(r.stopped())
	}
	if r.err != nil {
		return nil
	}
	return e.eval(r, row)
}

func (r *run) fail(err error) any {
	if r.err == nil {
		r.err = err
	}
	return nil
}

func (e literal) eval(*run, object) any { return e.value }

func (wholeRow) eval(_ *run, row object) any { return row }

func (e unknown) eval(r *run, _ object) any { return r.fail(e.err) }

func (e linkTo) eval(r *run, _ object) any { return r.resolve(e.link, r.origin) }

func (e dateFor) eval(r *run, _ object) any {
	t, ok := namedDate(e.name, r.now)
	if !ok {
		t, _ = readDate(e.written, r.now.Location())
	}
	return t
}

func (e notExpr) eval(r *run, row object) any { return !isTruthy(r.eval(e.of, row)) }

func (e filters) eval(r *run, row object) any {
	v, err := r.valueOf(e.of, row)
	if isRowError(err) {
		return false
	}
	r.fail(err)
	return isTruthy(v)
}

func (e listOf) eval(r *run, row object) any { return r.bounded("[", r.evalAll(e.items, row)) }

func (e objectOf) eval(r *run, row object) any {
	o := make(fields, len(e.values))
	for i, v := range r.evalAll(e.values, row) {
		o[e.names[i]] = v
	}
	return r.bounded("{", o)
}

// bounded returns v, or fails if it is too large.
func (r *run) bounded(word string, v any) any {
	if r.err == nil && tooLarge(v) {
		return r.fail(tooLong(word))
	}
	return v
}

func (e call) eval(r *run, row object) any { return r.call(e.name, e.fn, r.evalAll(e.args, row)) }

func (e ifOf) eval(r *run, row object) any {
	switch {
	case isTruthy(r.eval(e.args[0], row)):
		return r.eval(e.args[1], row)
	case len(e.args) == 3:
		return r.eval(e.args[2], row)
	}
	return nil
}

func (e variable) eval(r *run, row object) any {
	if v := row.get(e.name); v != nil || e.name != "this" || r.this == nil {
		return v
	}
	return r.this
}

func (r *run) evalAll(list []expr, row object) []any {
	values := make([]any, len(list))
	for i, e := range list {
		values[i] = r.eval(e, row)
	}
	return values
}

// eval makes a function that sees the row in which it is written. Recursion is impossible, since functions have
// no names; the depth of calls is limited anyway.
func (e lambdaOf) eval(r *run, row object) any {
	return lambda(func(args ...any) any {
		if r.depth++; r.depth > maxDepth {
			r.fail(unsupportedError("=>", "functions call each other too deep"))
		}
		defer func() { r.depth-- }()
		inner := row
		for i, name := range e.params[:min(len(args), len(e.params))] {
			inner = overlay{inner, name, args[i]}
		}
		return r.eval(e.body, inner)
	})
}

func (e binary) eval(r *run, row object) any {
	a := r.eval(e.left, row)
	if r.base { // the right side may have errors where the left one decides
		if e.op == "&" && !isTruthy(a) {
			return false
		}
		if e.op == "|" && isTruthy(a) {
			return true
		}
	}
	return r.operate(e.op, a, r.eval(e.right, row))
}

// operate returns a op b.
func (r *run) operate(op string, a, b any) any {
	if r.err != nil {
		return nil
	}
	switch op {
	case "&":
		return isTruthy(a) && isTruthy(b)
	case "|":
		return isTruthy(a) || isTruthy(b)
	case "=":
		return r.equalValues(a, b)
	case "!=":
		return !r.equalValues(a, b)
	case "<", "<=", ">", ">=":
		c := compare(a, b)
		return r.canCompare(a, b) && (c < 0 && op[0] == '<' || c > 0 && op[0] == '>' || c == 0 && len(op) == 2)
	}
	if r.base {
		if v, ok := baseSum(op, a, b); ok {
			return v
		}
		if op != "+" {
			a, b = baseNumber(a), baseNumber(b)
		}
	}
	if v, ok := arithmetic(op, a, b); ok {
		return v
	}
	if v, ok := r.joinValues(op, a, b); ok {
		return v
	}
	return r.fail(rowErrorf("%s %s %s is not known", kindOf(a), op, kindOf(b)))
}

// arithmetic returns a op b for numbers, dates, durations and null; ok is false for other operands.
func arithmetic(op string, a, b any) (any, bool) {
	switch x := a.(type) {
	case nil:
		if _, date := b.(time.Time); b == nil || date && (op == "+" || op == "-") {
			return nil, true
		}
	case float64:
		switch y := b.(type) {
		case float64:
			return calculate(op, x, y), true
		case duration:
			if op == "*" {
				return y.times(x), true
			}
		}
	case time.Time:
		return dateSum(op, x, b)
	case duration:
		return durationSum(op, x, b)
	}
	return nil, false
}

func calculate(op string, x, y float64) float64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	return math.Mod(x, y)
}

func dateSum(op string, x time.Time, b any) (any, bool) {
	switch y := b.(type) {
	case nil:
		return nil, op == "+" || op == "-"
	case time.Time:
		return timeBetween(x, y), op == "-"
	case duration:
		if op == "-" {
			return addDuration(x, y, -1), true
		}
		return addDuration(x, y, 1), op == "+"
	}
	return nil, false
}

func durationSum(op string, x duration, b any) (any, bool) {
	switch y := b.(type) {
	case time.Time:
		return addDuration(y, x, 1), op == "+"
	case duration:
		if op == "-" {
			return x.plus(y.times(-1)), true
		}
		return x.plus(y), op == "+"
	case float64:
		if op == "/" {
			return x.times(1 / y), true
		}
		return x.times(y), op == "*"
	}
	return nil, false
}

// joinValues returns a op b for texts and lists; ok is false for other operands.
func (r *run) joinValues(op string, a, b any) (v any, ok bool) {
	s, left := a.(string)
	_, right := b.(string)
	switch {
	case op == "*" && right && !left:
		return r.joinValues(op, b, a)
	case op == "*" && left:
		n, ok := b.(float64)
		return r.repeatText(s, n), ok
	case op != "+":
		return nil, false
	case left || right:
		s, t := text(a), text(b)
		if len(s)+len(t) > maxText {
			return r.fail(tooLong("+")), true
		}
		return s + t, true
	}
	x, left := a.([]any)
	y, right := b.([]any)
	switch {
	case !left || !right:
		return nil, false
	case len(x)+len(y) > maxList:
		return r.fail(tooLong("+")), true
	}
	return slices.Concat(x, y), true
}

func (r *run) repeatText(s string, n float64) any {
	if n < 1 || s == "" || math.IsNaN(n) {
		return ""
	}
	if n > float64(maxText/len(s)) {
		return r.fail(tooLong("*"))
	}
	return strings.Repeat(s, int(n))
}

func tooLong(word string) error {
	return unsupportedError(word, "this makes a value that is too long")
}

func (e index) eval(r *run, row object) any { return r.partOf(r.eval(e.of, row), r.eval(e.key, row)) }

// partOf returns a part of a value: an item by number, or a field by name.
func (r *run) partOf(of, key any) any {
	name, named := key.(string)
	n, counted := key.(float64)
	if !named && !counted {
		return r.fail(rowErrorf("a %s is no index", kindOf(key)))
	}
	switch v := of.(type) {
	case nil:
		return nil
	case []any:
		return r.partOfList(v, name, n, counted)
	case string:
		if r.base && name == "length" {
			return float64(utf8.RuneCountInString(v))
		}
		if named {
			r.fail(rowErrorf("a text has no %s", name))
		}
		return nil
	}
	if !named {
		return r.fail(rowErrorf("a %s has no parts by number", kindOf(of)))
	}
	switch v := of.(type) {
	case object:
		return v.get(name)
	case link:
		if p := r.pages[v.path]; p != nil && v.found {
			return p.get(name)
		}
	case time.Time:
		return datePart(v, name)
	case duration:
		return v.unit(name)
	}
	return nil
}

// partOfList returns an item of a list by number, or by name the list of that field of all items.
func (r *run) partOfList(list []any, name string, n float64, counted bool) any {
	if counted {
		if n < 0 || n >= float64(len(list)) {
			return nil
		}
		return list[int(n)]
	}
	if r.base && name == "length" {
		return float64(len(list))
	}
	out := make([]any, 0, len(list))
	for _, item := range list {
		v := r.partOf(item, name)
		if isRowError(r.err) {
			r.err = nil
			continue
		}
		out = append(out, v)
	}
	return out
}

// equalValues reports whether a = b. In bases a file equals a link to it.
func (r *run) equalValues(a, b any) bool {
	if r.base {
		a, b = fileLink(a), fileLink(b)
	}
	return compare(a, b) == 0
}

// canCompare reports whether a and b can be compared: in queries all values can, in bases missing values and
// values of different types are neither less nor more.
func (r *run) canCompare(a, b any) bool {
	return !r.base || a != nil && b != nil && kindOf(a) == kindOf(b)
}

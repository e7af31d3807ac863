package query

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of what one expression makes.
const (
	maxText   = 1 << 20 // bytes of a text
	maxList   = 100_000 // items of a list
	checkEach = 1 << 10 // evaluations between two looks at the context
)

// eval is the value of an expression for one row.
func (r *run) eval(e expr, row object) (any, error) {
	if r.steps++; r.steps%checkEach == 0 {
		if err := r.stopped(); err != nil {
			return nil, err
		}
	}
	return e.eval(r, row)
}

func (e literal) eval(*run, object) (any, error) { return e.value, nil }

func (wholeRow) eval(_ *run, row object) (any, error) { return row, nil }

func (e unknown) eval(*run, object) (any, error) { return nil, e.err }

func (e linkTo) eval(r *run, _ object) (any, error) { return r.resolve(e.link, r.origin), nil }

func (e dateFor) eval(r *run, _ object) (any, error) {
	t, ok := namedDate(e.name, r.now)
	if !ok {
		t, _ = readDate(e.written, r.now.Location())
	}
	return t, nil
}

func (e notExpr) eval(r *run, row object) (any, error) {
	v, err := r.eval(e.of, row)
	return !isTruthy(v), err
}

func (e filters) eval(r *run, row object) (any, error) {
	v, err := r.eval(e.of, row)
	if isRowError(err) {
		return false, nil
	}
	return isTruthy(v), err
}

func (e negative) eval(r *run, row object) (any, error) {
	return r.eval(binary{"-", literal{0.0}, e.of}, row)
}

func (e listOf) eval(r *run, row object) (any, error) {
	list, err := r.evalAll(e.items, row)
	if err == nil && tooLarge(list) {
		err = tooLong("[")
	}
	return list, err
}

func (e objectOf) eval(r *run, row object) (any, error) {
	values, err := r.evalAll(e.values, row)
	o := make(fields, len(values))
	for i, v := range values {
		o[e.names[i]] = v
	}
	if err == nil && tooLarge(o) {
		err = tooLong("{")
	}
	return o, err
}

func (e call) eval(r *run, row object) (any, error) {
	args, err := r.evalAll(e.args, row)
	if err != nil {
		return nil, err
	}
	return r.call(e.name, e.fn, args)
}

func (e callOf) eval(r *run, row object) (any, error) {
	f, err := r.eval(e.fn, row)
	if err != nil {
		return nil, err
	}
	fn, ok := f.(lambda)
	if !ok {
		return nil, wrongRow("a %s cannot be called", kindOf(f))
	}
	args, err := r.evalAll(e.args, row)
	if err != nil {
		return nil, err
	}
	return fn(args...)
}

func (e ifOf) eval(r *run, row object) (any, error) {
	v, err := r.eval(e.args[0], row)
	switch {
	case err != nil:
		return nil, err
	case isTruthy(v):
		return r.eval(e.args[1], row)
	case len(e.args) == 3:
		return r.eval(e.args[2], row)
	}
	return nil, nil
}

func (e variable) eval(r *run, row object) (any, error) {
	if v := row.get(e.name); v != nil {
		return v, nil
	}
	if e.name == "this" && r.this != nil {
		return r.this, nil
	}
	return nil, nil
}

func (r *run) evalAll(list []expr, row object) ([]any, error) {
	values := make([]any, len(list))
	for i, e := range list {
		v, err := r.eval(e, row)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// eval makes a function that sees the row in which it is written. What functions call each other is bounded by what can
// be written: they have no names.
func (e lambdaOf) eval(r *run, row object) (any, error) {
	return lambda(func(args ...any) (any, error) {
		if r.depth++; r.depth > maxDepth {
			return nil, unsupportedError("=>", "functions call each other too deep")
		}
		defer func() { r.depth-- }()
		inner := row
		for i, name := range e.params[:min(len(args), len(e.params))] {
			inner = overlay{inner, name, args[i]}
		}
		return r.eval(e.body, inner)
	}), nil
}

func (e binary) eval(r *run, row object) (any, error) {
	a, err := r.eval(e.left, row)
	if err != nil {
		return nil, err
	}
	if r.base { // the right side may be wrong where the left one decides
		if e.op == "&" && !isTruthy(a) {
			return false, nil
		}
		if e.op == "|" && isTruthy(a) {
			return true, nil
		}
	}
	b, err := r.eval(e.right, row)
	if err != nil {
		return nil, err
	}
	return r.operate(e.op, a, b)
}

// operate is a operator b.
func (r *run) operate(op string, a, b any) (any, error) {
	switch op {
	case "&":
		return isTruthy(a) && isTruthy(b), nil
	case "|":
		return isTruthy(a) || isTruthy(b), nil
	case "=":
		return r.same(a, b), nil
	case "!=":
		return !r.same(a, b), nil
	case "<", "<=", ">", ">=":
		c := compare(a, b)
		return r.ordered(a, b) && (c < 0 && op[0] == '<' || c > 0 && op[0] == '>' || c == 0 && len(op) == 2), nil
	}
	if r.base {
		if v, ok := baseSum(op, a, b); ok {
			return v, nil
		}
		if op != "+" {
			a, b = baseNumber(a), baseNumber(b)
		}
	}
	if v, ok := arithmetic(op, a, b); ok {
		return v, nil
	}
	if v, ok, err := joinValues(op, a, b); ok || err != nil {
		return v, err
	}
	return nil, wrongRow("%s %s %s is not known", kindOf(a), op, kindOf(b))
}

// arithmetic is a operator b for numbers, dates, durations and null.
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
			return plus(x, y, -1), true
		}
		return plus(x, y, 1), op == "+"
	}
	return nil, false
}

func durationSum(op string, x duration, b any) (any, bool) {
	switch y := b.(type) {
	case time.Time:
		return plus(y, x, 1), op == "+"
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

// joinValues is a operator b for texts, lists and objects.
func joinValues(op string, a, b any) (v any, ok bool, err error) {
	s, left := a.(string)
	_, right := b.(string)
	switch {
	case op == "*" && right && !left:
		return joinValues(op, b, a)
	case op == "*" && left:
		n, ok := b.(float64)
		if ok {
			v, err = repeatText(s, n)
		}
		return v, ok, err
	case op != "+":
		return nil, false, nil
	case left || right:
		s, t := text(a), text(b)
		if len(s)+len(t) > maxText {
			return nil, false, tooLong("+")
		}
		return s + t, true, nil
	}
	switch x := a.(type) {
	case []any:
		if y, both := b.([]any); both {
			if len(x)+len(y) > maxList {
				return nil, false, tooLong("+")
			}
			return slices.Concat(x, y), true, nil
		}
	case object:
		if y, both := b.(object); both {
			sum := fields{}
			for _, o := range []object{x, y} {
				for _, name := range o.keys() {
					sum[name] = o.get(name)
				}
			}
			return sum, true, nil
		}
	}
	return nil, false, nil
}

func repeatText(s string, n float64) (any, error) {
	if n < 1 || s == "" || math.IsNaN(n) {
		return "", nil
	}
	if n > float64(maxText/len(s)) {
		return nil, tooLong("*")
	}
	return strings.Repeat(s, int(n)), nil
}

func tooLong(word string) error {
	return unsupportedError(word, "this makes a value that is too long")
}

func (e index) eval(r *run, row object) (any, error) {
	of, err := r.eval(e.of, row)
	if err != nil {
		return nil, err
	}
	key, err := r.eval(e.key, row)
	if err != nil {
		return nil, err
	}
	return r.at(of, key)
}

// at is a part of a value.
func (r *run) at(of, key any) (any, error) {
	name, named := key.(string)
	n, counted := key.(float64)
	if !named && !counted {
		return nil, wrongRow("a %s is no index", kindOf(key))
	}
	switch v := of.(type) {
	case nil:
		return nil, nil
	case []any:
		return r.inList(v, name, n, counted)
	case string:
		if r.base && name == "length" {
			return float64(utf8.RuneCountInString(v)), nil
		}
		if runes := []rune(v); counted && n >= 0 && n < float64(len(runes)) {
			return string(runes[int(n)]), nil
		}
		if named {
			return nil, wrongRow("a text has no %s", name)
		}
		return nil, nil
	}
	if !named {
		return nil, wrongRow("a %s has no parts by number", kindOf(of))
	}
	switch v := of.(type) {
	case formulasOf:
		return r.formula(v, name)
	case object:
		return v.get(name), nil
	case link:
		if p := r.pages[v.path]; p != nil && v.found {
			return p.get(name), nil
		}
	case time.Time:
		return datePart(v, name), nil
	case duration:
		return v.unit(name), nil
	}
	return nil, nil
}

// inList is an item of a list, or by a name the list of what all its items have by it.
func (r *run) inList(list []any, name string, n float64, counted bool) (any, error) {
	if counted {
		if n < 0 || n >= float64(len(list)) {
			return nil, nil
		}
		return list[int(n)], nil
	}
	if r.base && name == "length" {
		return float64(len(list)), nil
	}
	out := make([]any, 0, len(list))
	for _, item := range list {
		v, err := r.at(item, name)
		if isRowError(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// same is a = b. In bases a file is the same as a link to it.
func (r *run) same(a, b any) bool {
	if r.base {
		a, b = fileLink(a), fileLink(b)
	}
	return compare(a, b) == 0
}

// ordered reports whether a and b can be compared: in queries everything can, in bases
// what is missing or of another type is neither less nor more.
func (r *run) ordered(a, b any) bool {
	return !r.base || a != nil && b != nil && kindOf(a) == kindOf(b)
}

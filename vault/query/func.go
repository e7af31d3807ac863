package query

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/vault/dates"
)

// singleValue is a type of parameters that accept any value but a list: of a list, each item is taken.
// Parameters of texts, numbers and dates work the same way.
type singleValue any

// queryFunctions are the functions of queries, by their names in lower case. Calls check their parameters: an
// argument for a pointer may be missing or null, one for any may be null; if another argument is null, so is
// the result. A function may take the run first. A result that is an error is the error of the row.
var queryFunctions = sync.OnceValue(func() map[string]any {
	return map[string]any{
		"list":   list,
		"array":  list,
		"object": makeObject,
		"link":   (*run).makeLink,
		"date":   (*run).makeDate,
		"dur":    makeDuration,
		"number": makeNumber,
		"string": text,
		"typeof": kindOf,
		"length": length,
		"meta":   meta,

		"default":  func(v, otherwise singleValue) any { return orElse(v, otherwise) },
		"ldefault": orElse,
		"choice":   choice,

		"contains":     func(of any, what singleValue) bool { return containsValue(of, what, strings.Contains) },
		"icontains":    func(of any, what singleValue) bool { return containsValue(of, what, containsFolded) },
		"econtains":    containsExactly,
		"containsword": (*run).containsWord,

		"lower":        strings.ToLower,
		"upper":        strings.ToUpper,
		"startswith":   strings.HasPrefix,
		"endswith":     strings.HasSuffix,
		"replace":      replace,
		"regextest":    (*run).matches,
		"regexmatch":   (*run).matchesWhole,
		"regexreplace": (*run).regexReplace,
		"split":        (*run).split,
		"truncate":     truncate,
		"substring":    substring,

		"dateformat": formatDate,
		"striptime":  dates.Midnight,

		"join":    join,
		"filter":  filter,
		"map":     mapList,
		"any":     func(args ...any) bool { return !noneIs(true)(args...) },
		"all":     noneIs(false),
		"none":    noneIs(true),
		"reverse": reverse,
		"sort":    sortList,
		"unique":  unique,
		"flat":    flattenList,
		"nonnull": withoutNull,

		"round":   round,
		"trunc":   math.Trunc,
		"floor":   math.Floor,
		"ceil":    math.Ceil,
		"sum":     joinBy("+"),
		"product": joinBy("*"),
		"average": (*run).average,
		"min":     func(args ...any) any { return extremeOf(args, -1) },
		"max":     func(args ...any) any { return extremeOf(args, 1) },
	}
})

// call calls a function with checked arguments.
func (r *run) call(name string, fn any, args []any) (v any) {
	if r.err != nil {
		return nil
	}
	f := reflect.ValueOf(fn)
	in, lists, err := r.bind(f.Type(), args)
	switch {
	case len(lists) > 0:
		return r.callEach(name, fn, args, lists)
	case err != nil:
		r.err = err
	case in != nil:
		v = f.Call(in)[0].Interface()
		if err, failed := v.(error); failed {
			v = r.fail(err)
		}
	}
	if isRowError(r.err) {
		r.err = rowErrorf("%s: %v", name, r.err)
	}
	return r.bounded(name, v)
}

// callEach calls a function for each item of the lists among its arguments, as often as the shortest list has
// items.
func (r *run) callEach(name string, fn any, args []any, lists []int) any {
	shortest := maxList
	for _, i := range lists {
		shortest = min(shortest, len(args[i].([]any)))
	}
	out := make([]any, shortest)
	for k := range out {
		inner := slices.Clone(args)
		for _, i := range lists {
			inner[i] = args[i].([]any)[k]
		}
		out[k] = r.call(name, fn, inner)
	}
	r.fail(r.stopped())
	return out
}

// bind converts values to the arguments of a function; in is nil if the result is null. lists are the numbers
// of the arguments that are lists to be taken item by item.
func (r *run) bind(f reflect.Type, args []any) (in []reflect.Value, lists []int, err error) {
	null, n := false, 0
	for i := range f.NumIn() {
		kind := f.In(i)
		optional := kind.Kind() == reflect.Pointer
		switch {
		case kind == reflect.TypeFor[*run]():
			in = append(in, reflect.ValueOf(r))
			continue
		case f.IsVariadic() && i == f.NumIn()-1:
			for ; n < len(args); n++ {
				in = append(in, argumentOf(args[n], kind.Elem()))
			}
			continue
		case n >= len(args) && !optional:
			return nil, nil, countError(len(args))
		case n >= len(args) || args[n] == nil && optional:
			in = append(in, reflect.Zero(kind))
			n++
			continue
		case optional:
			kind = kind.Elem()
		}
		v := args[n]
		if _, list := v.([]any); list && isSingle(kind) {
			lists = append(lists, n)
		} else if v == nil && kind.Kind() != reflect.Interface {
			null = true
		} else if v != nil && !reflect.TypeOf(v).AssignableTo(kind) {
			err = kindError(v)
		} else if value := argumentOf(v, kind); optional {
			p := reflect.New(kind)
			p.Elem().Set(value)
			in = append(in, p)
		} else {
			in = append(in, value)
		}
		n++
	}
	if n < len(args) {
		return nil, nil, countError(len(args))
	}
	if null {
		in = nil
	}
	return in, lists, err
}

// isSingle reports whether lists are taken item by item for a parameter of this type.
func isSingle(kind reflect.Type) bool {
	switch kind {
	case reflect.TypeFor[singleValue](), reflect.TypeFor[string](), reflect.TypeFor[float64](),
		reflect.TypeFor[time.Time]():
		return true
	}
	return false
}

// argumentOf returns v as an argument of this type.
func argumentOf(v any, kind reflect.Type) reflect.Value {
	if v == nil {
		return reflect.Zero(kind)
	}
	return reflect.ValueOf(v)
}

func countError(n int) error { return rowErrorf("it does not take %d arguments", n) }
func kindError(v any) error  { return rowErrorf("it does not take a %s", kindOf(v)) }

func list(items ...any) []any { return slices.Clone(items) }

func makeObject(args ...any) any {
	if len(args)%2 != 0 {
		return countError(len(args))
	}
	o := fields{}
	for pair := range slices.Chunk(args, 2) {
		o[text(pair[0])] = pair[1]
	}
	return o
}

func (r *run) makeLink(to singleValue, label *string) any {
	var l link
	switch v := to.(type) {
	case nil:
		return nil
	case string:
		l = r.resolve(innerLink(v), r.origin)
	case link:
		l = v
	default:
		return kindError(v)
	}
	if label != nil {
		l.display = *label
	}
	return l
}

func (r *run) makeDate(of singleValue) any {
	switch v := of.(type) {
	case nil, time.Time:
		return v
	case string:
		return r.dateIn(v)
	case link:
		return r.dateIn(v.display, v.path.Base())
	}
	return kindError(of)
}

// dateIn returns the first of texts that is a date, nil if none is.
func (r *run) dateIn(texts ...string) any {
	for _, s := range texts {
		if t, ok := readDate(s, r.now.Location()); ok {
			return t
		}
	}
	return nil
}

func makeDuration(of singleValue) any {
	switch v := of.(type) {
	case nil, duration:
		return v
	case string:
		if d, ok := readDuration(v); ok {
			return d
		}
		return nil
	}
	return kindError(of)
}

func length(of any) any {
	switch v := of.(type) {
	case nil:
		return 0.0
	case string:
		return float64(len([]rune(v)))
	case []any:
		return float64(len(v))
	case object:
		return float64(len(v.keys()))
	}
	return kindError(of)
}

func meta(of any) any {
	l, ok := of.(link)
	if !ok {
		return kindError(of)
	}
	o := fields{"path": string(l.path), "embed": l.embed, "type": "file", "display": nil, "subpath": nil}
	if l.display != "" {
		o["display"] = l.display
	}
	if l.sub != "" {
		o["subpath"], o["type"] = strings.TrimPrefix(l.sub, "^"), "header"
		if l.sub[0] == '^' {
			o["type"] = "block"
		}
	}
	return o
}

func orElse(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

func choice(condition singleValue, yes, no any) any {
	if isTruthy(condition) {
		return yes
	}
	return no
}

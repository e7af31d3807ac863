package query

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
)

// baseRow is a file as bases see it: its properties, and what they call file, note and
// formula.
type baseRow struct{ page *page }

func (b baseRow) keys() []string { return b.page.keys() }

func (b baseRow) get(key string) any {
	switch key {
	case "file":
		return fileOf(b)
	case "note":
		return b.page.fields()
	case "formula":
		return formulasOf(b)
	}
	return b.page.fields()[key]
}

// formulasOf are the formulas of a base, for one row.
type formulasOf struct{ page *page }

func (formulasOf) keys() []string { return nil }

func (f formulasOf) get(string) any { return nil }

// formula is a formula for a row.
func (r *run) formula(f formulasOf, name string) (any, error) {
	e, ok := r.formulas[name]
	if !ok {
		return nil, unsupported("formula."+name, "the base has no such formula")
	}
	if bad, ok := e.(unknown); ok {
		return nil, bad.err
	}
	if r.depth++; r.depth > maxShown*4 {
		return nil, unsupported("formula."+name, "formulas refer to each other in a circle")
	}
	defer func() { r.depth-- }()
	return r.eval(e, baseRow(f))
}

// fileLink is a link to what is a file; all else stays what it is.
func fileLink(v any) any {
	switch v := v.(type) {
	case fileOf:
		return v.page.link()
	case *page:
		return v.link()
	case baseRow:
		return v.page.link()
	case link:
		v.display, v.embed = "", false
		return v
	}
	return v
}

// addBase adds the functions of bases.
func addBase(all map[string]*function) {
	for _, name := range []string{"link", "date", "min", "max", "number"} {
		all[name].base = true
	}
	only := func(name, takes string, call func(r *run, args []any) (any, error)) {
		all[name] = &function{takes: takes, base: true, onlyBase: true, call: call}
	}
	only("now", "", func(r *run, _ []any) (any, error) { return r.now, nil })
	only("today", "", func(r *run, _ []any) (any, error) { return dates.Midnight(r.now), nil })
	only("duration", "s", func(_ *run, args []any) (any, error) {
		if d, ok := baseDuration(args[0].(string)); ok {
			return d, nil
		}
		return nil, wrongKind(args[0])
	})
	all["if"] = &function{base: true, onlyBase: true, lazy: baseIf}
	list := *all["list"]
	plain := list.call
	list.base = true
	list.call = func(r *run, args []any) (any, error) {
		if r.base && len(args) == 1 {
			if args[0] == nil {
				return []any{}, nil
			}
			if l, ok := args[0].([]any); ok {
				return l, nil
			}
		}
		return plain(r, args)
	}
	all["list"] = &list
}

func baseIf(r *run, args []expr, row object) (any, error) {
	if len(args) != 2 && len(args) != 3 {
		return nil, unsupported("if", "it takes two or three arguments")
	}
	v, err := r.eval(args[0], row)
	switch {
	case err != nil:
		return nil, err
	case truthy(v):
		return r.eval(args[1], row)
	case len(args) == 3:
		return r.eval(args[2], row)
	}
	return nil, nil
}

// baseDuration reads a duration as bases write it: "7d", "1 week", "2M" for months.
func baseDuration(s string) (duration, bool) {
	s = strings.TrimSpace(s)
	if n := numberLen(s); n > 0 {
		switch strings.TrimSpace(s[n:]) {
		case "M":
			s = s[:n] + "months"
		case "y":
			s = s[:n] + "years"
		}
	}
	return readDuration(s)
}

// methodNames are the methods that bases may call.
func methodNames() []string {
	return []string{
		"abs", "asFile", "asLink", "ceil", "contains", "containsAll", "containsAny", "date", "endsWith", "filter", "flat", "floor",
		"hasLink", "hasProperty", "hasTag", "inFolder", "isEmpty", "join", "linksTo", "lower", "map", "replace", "reverse", "round",
		"slice", "sort", "split", "startsWith", "toString", "trim", "unique", "upper",
	}
}

// method is value.name(arguments).
func (r *run) method(e method, row object) (any, error) {
	of, err := r.eval(e.of, row)
	if err != nil {
		return nil, err
	}
	if e.name == "filter" || e.name == "map" {
		return r.eachItem(e, of, row)
	}
	args, err := r.evalAll(e.args, row)
	if err != nil {
		return nil, err
	}
	switch e.name {
	case "isEmpty":
		return !truthy(of) && of != false && of != 0.0, nil
	case "toString":
		return text(fileLink(of)), nil
	case "contains", "containsAny":
		return r.containsSome(of, args)
	case "containsAll":
		for _, v := range args {
			if ok, err := r.containsSome(of, []any{v}); ok != true || err != nil {
				return false, err
			}
		}
		return true, nil
	case "hasTag", "hasLink", "hasProperty", "inFolder", "asLink":
		return r.fileMethod(e.name, of, args)
	case "asFile", "linksTo":
		return r.linkMethod(e.name, of, args)
	case "date":
		return r.sharedMethod("striptime", of, nil)
	case "slice":
		return slice(of, args)
	}
	return r.sharedMethod(e.name, of, args)
}

// sharedMethod calls the function of queries that does the same.
func (r *run) sharedMethod(name string, of any, args []any) (any, error) {
	all := append([]any{of}, args...)
	switch name {
	case "trim":
		if s, ok := of.(string); ok {
			return strings.TrimSpace(s), nil
		}
		return nil, wrongKind(of)
	case "abs":
		if n, ok := of.(float64); ok {
			return max(n, -n), nil
		}
		return nil, wrongKind(of)
	}
	fn := r.functions()[strings.ToLower(name)]
	return r.call(name, fn, all)
}

// functions are the functions of queries, made once for a run.
func (r *run) functions() map[string]*function {
	if r.funcs == nil {
		r.funcs = functions()
	}
	return r.funcs
}

// eachItem is list.filter(expression) and list.map(expression), in which value is an
// item and index its number.
func (r *run) eachItem(e method, of any, row object) (any, error) {
	list, ok := of.([]any)
	if !ok || len(e.args) != 1 {
		return nil, wrongKind(of)
	}
	out := []any{}
	for i, item := range list {
		v, err := r.eval(e.args[0], overlay{overlay{row, "value", item}, "index", float64(i)})
		switch {
		case err != nil:
			return nil, err
		case e.name == "map":
			out = append(out, v)
		case truthy(v):
			out = append(out, item)
		}
	}
	return out, nil
}

// containsSome reports whether a text or a list holds one of the arguments.
func (r *run) containsSome(of any, args []any) (any, error) {
	for _, want := range flattened(args) {
		switch v := of.(type) {
		case string:
			if s, ok := want.(string); ok && strings.Contains(v, s) {
				return true, nil
			}
		case []any:
			if slices.ContainsFunc(v, func(item any) bool { return r.same(item, want) || isTag(item, want) }) {
				return true, nil
			}
		case nil:
			return false, nil
		case link:
			if s, ok := want.(string); ok && strings.Contains(string(v.path), s) || r.same(v, want) {
				return true, nil
			}
		default:
			return nil, wrongKind(of)
		}
	}
	return false, nil
}

// isTag reports whether a text is a tag, of which another text is the name.
func isTag(tag, name any) bool {
	t, _ := tag.(string)
	n, ok := name.(string)
	return ok && t == "#"+n
}

// flattened are arguments with the items of lists in their place.
func flattened(args []any) []any {
	var out []any
	for _, v := range args {
		if list, ok := v.([]any); ok {
			out = append(out, list...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// pageOf is the page that a value stands for.
func (r *run) pageOf(v any) *page {
	switch v := v.(type) {
	case string:
		return r.pages[r.resolve(innerLink(v), r.origin).path]
	default:
		if l, ok := fileLink(v).(link); ok && l.found {
			return r.pages[l.path]
		}
	}
	return nil
}

func (r *run) fileMethod(name string, of any, args []any) (any, error) {
	f, ok := of.(fileOf)
	if !ok {
		return nil, wrongKind(of)
	}
	switch name {
	case "asLink":
		return f.page.link(), nil
	case "hasLink":
		if len(args) != 1 {
			return nil, wrongCount(len(args))
		}
		to := r.pageOf(args[0])
		if to == nil || f.page.note == nil {
			return false, nil
		}
		return r.among(r.outlinks(f.page))(to), nil
	}
	for _, v := range flattened(args) {
		s, ok := v.(string)
		if !ok {
			return nil, wrongKind(v)
		}
		has := false
		switch name {
		case "hasTag":
			has = f.page.hasTag(strings.TrimPrefix(s, "#"))
		case "hasProperty":
			_, has = f.page.fields()[s]
		case "inFolder":
			folder := vault.Path(strings.Trim(s, "/"))
			has = folder == "" || f.page.path.In(folder)
		}
		if has {
			return true, nil
		}
	}
	return false, nil
}

func (r *run) linkMethod(name string, of any, args []any) (any, error) {
	if of == nil {
		return nil, nil
	}
	p := r.pageOf(of)
	if name == "asFile" {
		if p == nil {
			return nil, nil
		}
		return fileOf{p}, nil
	}
	if len(args) != 1 {
		return nil, wrongCount(len(args))
	}
	return p != nil && p == r.pageOf(args[0]), nil
}

// slice is a part of a text or a list, from one number to before another; negative ones
// count from the end.
func slice(of any, args []any) (any, error) {
	s, isText := of.(string)
	list, isList := of.([]any)
	runes := []rune(s)
	if !isText && !isList || len(args) == 0 || len(args) > 2 {
		return nil, wrongKind(of)
	}
	size := len(list) + len(runes)
	at := []int{0, size}
	for i, v := range args {
		n, ok := v.(float64)
		if !ok {
			return nil, wrongKind(v)
		}
		if n < 0 {
			n += float64(size)
		}
		at[i] = int(max(0, min(n, float64(size))))
	}
	at[1] = max(at[0], at[1])
	if isText {
		return string(runes[at[0]:at[1]]), nil
	}
	return list[at[0]:at[1]], nil
}

// baseNumber is the number that a text in a base stands for where it is calculated with; all else stays what it is.
func baseNumber(v any) any {
	if s, ok := v.(string); ok && numberLen(s) == len(s) {
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n
		}
	}
	return v
}

// baseSum is a operator b for dates in bases, where durations are written as texts and
// the difference of dates is a number of milliseconds.
func baseSum(op string, a, b any) (any, bool) {
	if t, ok := a.(time.Time); ok && (op == "+" || op == "-") {
		switch y := b.(type) {
		case string:
			if d, ok := baseDuration(y); ok {
				if op == "-" {
					d = d.times(-1)
				}
				return plus(t, d, 1), true
			}
		case time.Time:
			if op == "-" {
				return float64(between(t, y).rest / time.Millisecond), true
			}
		}
	}
	return nil, false
}

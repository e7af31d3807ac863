package query

import (
	"slices"
	"strings"
	"time"

	"ibid/vault/dates"
)

// function is one that queries can call.
type function struct {
	// takes says what arguments there are, a letter each: a is any, s a text, n a number,
	// l a list, d a date, f a function; those behind ? may be left out or null, else a null
	// makes the result null, but for a; a list in place of one with * is done item by
	// item. "" is any number of any.
	takes    string
	call     func(r *run, args []any) (any, error)
	lazy     func(r *run, args []expr, row object) (any, error) // instead of call: gets what is not evaluated
	base     bool                                               // bases have it too
	onlyBase bool
}

// takes is a function whose arguments were looked at.
func takes(what string, call func(r *run, args []any) (any, error)) *function {
	return &function{takes: what, call: call}
}

// check looks at arguments. null says that the result is, spread which of them may be
// lists.
func (f *function) check(args []any) (null bool, spread []int, err error) {
	if f.takes == "" {
		return false, nil, nil
	}
	n, optional := 0, false
	for i, kind := range f.takes {
		switch {
		case kind == '?':
			optional = true
			continue
		case kind == '*':
			continue
		case n >= len(args) && !optional:
			return false, nil, wrongCount(len(args))
		case n >= len(args):
			return null, spread, err
		}
		v := args[n]
		_, list := v.([]any)
		switch {
		case list && strings.HasPrefix(f.takes[i+1:], "*"):
			spread = append(spread, n)
		case v == nil:
			null = null || !optional && kind != 'a'
		case err == nil && !isKind(kind, v):
			err = wrongKind(v)
		}
		n++
	}
	if n < len(args) {
		return false, nil, wrongCount(len(args))
	}
	return null, spread, err
}

// isKind reports whether a value is what a letter of takes stands for.
func isKind(kind rune, v any) (ok bool) {
	switch kind {
	case 's':
		_, ok = v.(string)
	case 'n':
		_, ok = v.(float64)
	case 'l':
		_, ok = v.([]any)
	case 'd':
		_, ok = v.(time.Time)
	case 'f':
		_, ok = v.(lambda)
	default:
		ok = true
	}
	return ok
}

// or is an argument that may be left out.
func or[T any](args []any, i int, otherwise T) T {
	if i < len(args) && args[i] != nil {
		return args[i].(T)
	}
	return otherwise
}

func wrongCount(n int) error { return wrongRow("it does not take %d arguments", n) }
func wrongKind(v any) error  { return wrongRow("it does not take a %s", kindOf(v)) }

// call calls a function.
func (r *run) call(name string, fn *function, args []any) (any, error) {
	null, spread, err := fn.check(args)
	if len(spread) == 0 {
		var v any
		if err == nil && !null {
			v, err = fn.call(r, args)
		}
		switch {
		case ofRow(err):
			err = wrongRow("%s: %v", name, err)
		case err == nil && tooLarge(v):
			err = tooLong(name)
		}
		return v, err
	}
	shortest := maxList
	for _, i := range spread {
		shortest = min(shortest, len(args[i].([]any)))
	}
	out := make([]any, shortest)
	for k := range out {
		inner := slices.Clone(args)
		for _, i := range spread {
			inner[i] = args[i].([]any)[k]
		}
		v, err := r.call(name, fn, inner)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, r.stopped()
}

// functions are those that queries know, by their name in small letters.
func functions() map[string]*function {
	all := map[string]*function{
		"list":         takes("", func(_ *run, args []any) (any, error) { return slices.Clone(args), nil }),
		"array":        takes("", func(_ *run, args []any) (any, error) { return slices.Clone(args), nil }),
		"object":       takes("", makeObject),
		"link":         takes("a*?s*", makeLink),
		"date":         takes("a*", makeDate),
		"dur":          takes("a*", makeDuration),
		"dateformat":   takes("d*s", func(_ *run, args []any) (any, error) { return formatDate(args[0].(time.Time), args[1].(string)) }),
		"striptime":    takes("d*", func(_ *run, args []any) (any, error) { return dates.Midnight(args[0].(time.Time)), nil }),
		"number":       takes("a*", makeNumber),
		"string":       takes("a", func(_ *run, args []any) (any, error) { return text(args[0]), nil }),
		"typeof":       takes("a", func(_ *run, args []any) (any, error) { return kindOf(args[0]), nil }),
		"length":       takes("a", length),
		"meta":         takes("a", meta),
		"default":      takes("a*a*", orElse),
		"ldefault":     takes("aa", orElse),
		"choice":       takes("a*aa", choice),
		"contains":     takes("aa*", contains(withinText, true)),
		"icontains":    takes("aa*", contains(withinFolded, true)),
		"econtains":    takes("aa*", contains(withinText, false)),
		"containsword": takes("s*s*", containsWord),
	}
	addTexts(all)
	addLists(all)
	addNumbers(all)
	addBase(all)
	return all
}

func makeObject(_ *run, args []any) (any, error) {
	if len(args)%2 != 0 {
		return nil, wrongCount(len(args))
	}
	o := make(fields, len(args)/2)
	for i := 0; i < len(args); i += 2 {
		name, ok := args[i].(string)
		if !ok {
			return nil, wrongKind(args[i])
		}
		o[name] = args[i+1]
	}
	return o, nil
}

func makeLink(r *run, args []any) (any, error) {
	var l link
	switch v := args[0].(type) {
	case nil:
		return nil, nil
	case string:
		l = r.resolve(innerLink(v), r.origin)
	case link:
		l = v
	default:
		return nil, wrongKind(v)
	}
	l.display = or(args, 1, l.display)
	return l, nil
}

func makeDate(r *run, args []any) (any, error) {
	switch v := args[0].(type) {
	case nil:
		return nil, nil
	case time.Time:
		return v, nil
	case string:
		if t, ok := wholeDate(v, r.now.Location()); ok {
			return t, nil
		}
		return nil, nil
	case link:
		for _, s := range []string{v.display, v.path.Base(), string(v.path)} {
			if t, ok := wholeDate(s, r.now.Location()); ok {
				return t, nil
			}
		}
		if p := r.pages[v.path]; p != nil && v.found {
			return p.file().get("day"), nil
		}
		return nil, nil
	}
	return nil, wrongKind(args[0])
}

func makeDuration(_ *run, args []any) (any, error) {
	switch v := args[0].(type) {
	case nil, duration:
		return v, nil
	case string:
		if d, ok := readDuration(v); ok {
			return d, nil
		}
		return nil, nil
	}
	return nil, wrongKind(args[0])
}

func length(_ *run, args []any) (any, error) {
	switch v := args[0].(type) {
	case nil:
		return 0.0, nil
	case string:
		return float64(len([]rune(v))), nil
	case []any:
		return float64(len(v)), nil
	case object:
		return float64(len(v.keys())), nil
	}
	return nil, wrongKind(args[0])
}

func meta(_ *run, args []any) (any, error) {
	l, ok := args[0].(link)
	if !ok {
		return nil, wrongKind(args[0])
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
	return o, nil
}

func orElse(_ *run, args []any) (any, error) {
	if args[0] == nil {
		return args[1], nil
	}
	return args[0], nil
}

func choice(_ *run, args []any) (any, error) {
	if truthy(args[0]) {
		return args[1], nil
	}
	return args[2], nil
}

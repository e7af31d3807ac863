package query

import (
	"slices"
	"strings"
	"time"
)

// function is one that queries can call.
type function struct {
	call     func(r *run, args []any) (any, error)
	lazy     func(r *run, args []expr, row object) (any, error) // instead of call: gets what is not evaluated
	spread   map[int][]int                                      // by the number of arguments: those that may be lists, item by item
	base     bool                                               // bases have it too
	onlyBase bool
}

// each is a function of one argument that does lists item by item and leaves null null.
func each(f func(r *run, v any) (any, error)) *function {
	return &function{
		spread: map[int][]int{1: {0}},
		call: func(r *run, args []any) (any, error) {
			if len(args) != 1 {
				return nil, wrongCount(len(args))
			}
			if args[0] == nil {
				return nil, nil
			}
			return f(r, args[0])
		},
	}
}

// texts is a function of n texts that does lists item by item and is null where one of
// them is.
func texts(n int, f func(r *run, s []string) (any, error)) *function {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return &function{
		spread: map[int][]int{n: all},
		call: func(r *run, args []any) (any, error) {
			if len(args) != n {
				return nil, wrongCount(len(args))
			}
			s := make([]string, n)
			for i, v := range args {
				if v == nil {
					return nil, nil
				}
				t, ok := v.(string)
				if !ok {
					return nil, wrongKind(v)
				}
				s[i] = t
			}
			return f(r, s)
		},
	}
}

// plain is a function without any of that.
func plain(f func(r *run, args []any) (any, error)) *function { return &function{call: f} }

// spreading is plain, with lists item by item.
func spreading(spread map[int][]int, f func(r *run, args []any) (any, error)) *function {
	return &function{call: f, spread: spread}
}

func wrongCount(n int) error { return wrongRow("it does not take %d arguments", n) }
func wrongKind(v any) error  { return wrongRow("it does not take a %s", kindOf(v)) }

// call calls a function.
func (r *run) call(name string, fn *function, args []any) (any, error) {
	shortest := -1
	spread := fn.spread[len(args)]
	for _, i := range spread {
		if list, ok := args[i].([]any); ok && (shortest < 0 || len(list) < shortest) {
			shortest = len(list)
		}
	}
	if shortest < 0 {
		v, err := fn.call(r, args)
		switch {
		case ofRow(err):
			err = wrongRow("%s: %v", name, err)
		case err == nil && tooLarge(v):
			err = tooLong(name)
		}
		return v, err
	}
	out := make([]any, shortest)
	inner := slices.Clone(args)
	for k := range out {
		for _, i := range spread {
			if list, ok := args[i].([]any); ok {
				inner[i] = list[k]
			}
		}
		v, err := r.call(name, fn, inner)
		if err != nil {
			return nil, err
		}
		out[k] = v
		inner = slices.Clone(args)
	}
	return out, r.stopped()
}

// functions are those that queries know, by their name in small letters.
func functions() map[string]*function {
	all := map[string]*function{
		"list":       plain(func(_ *run, args []any) (any, error) { return slices.Clone(args), nil }),
		"array":      plain(func(_ *run, args []any) (any, error) { return slices.Clone(args), nil }),
		"object":     plain(makeObject),
		"link":       spreading(map[int][]int{1: {0}, 2: {0, 1}}, makeLink),
		"date":       {call: makeDate, spread: map[int][]int{1: {0}}},
		"dur":        each(makeDuration),
		"dateformat": spreading(map[int][]int{2: {0}}, dateFormat),
		"striptime":  each(stripTime),
		"number":     each(makeNumber),
		"string": plain(func(_ *run, args []any) (any, error) {
			return one(args, func(v any) (any, error) { return text(v), nil })
		}),
		"typeof": plain(func(_ *run, args []any) (any, error) {
			return one(args, func(v any) (any, error) { return kindOf(v), nil })
		}),
		"length":       plain(length),
		"meta":         plain(meta),
		"default":      spreading(map[int][]int{2: {0, 1}}, orElse),
		"ldefault":     plain(orElse),
		"choice":       spreading(map[int][]int{3: {0}}, choice),
		"contains":     spreading(map[int][]int{2: {1}}, contains(withinText, true)),
		"icontains":    spreading(map[int][]int{2: {1}}, contains(withinFolded, true)),
		"econtains":    spreading(map[int][]int{2: {1}}, contains(withinText, false)),
		"containsword": spreading(map[int][]int{2: {0, 1}}, containsWord),
	}
	addTexts(all)
	addLists(all)
	addNumbers(all)
	addBase(all)
	return all
}

// one is a function of exactly one argument.
func one(args []any, f func(v any) (any, error)) (any, error) {
	if len(args) != 1 {
		return nil, wrongCount(len(args))
	}
	return f(args[0])
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
	if len(args) == 0 || len(args) > 2 {
		return nil, wrongCount(len(args))
	}
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
	if len(args) == 2 && args[1] != nil {
		display, ok := args[1].(string)
		if !ok {
			return nil, wrongKind(args[1])
		}
		l.display = display
	}
	return l, nil
}

func makeDate(r *run, args []any) (any, error) {
	if len(args) != 1 {
		return nil, unsupported("date", "it takes one argument here")
	}
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

func makeDuration(_ *run, v any) (any, error) {
	switch v := v.(type) {
	case duration:
		return v, nil
	case string:
		if d, ok := readDuration(v); ok {
			return d, nil
		}
		return nil, nil
	}
	return nil, wrongKind(v)
}

func dateFormat(_ *run, args []any) (any, error) {
	if len(args) != 2 {
		return nil, wrongCount(len(args))
	}
	format, ok := args[1].(string)
	if !ok {
		return nil, wrongKind(args[1])
	}
	switch t := args[0].(type) {
	case nil:
		return nil, nil
	case time.Time:
		return formatDate(t, format)
	}
	return nil, wrongKind(args[0])
}

func stripTime(_ *run, v any) (any, error) {
	if t, ok := v.(time.Time); ok {
		return midnight(t), nil
	}
	return nil, wrongKind(v)
}

func length(_ *run, args []any) (any, error) {
	return one(args, func(v any) (any, error) {
		switch v := v.(type) {
		case nil:
			return 0.0, nil
		case string:
			return float64(len([]rune(v))), nil
		case []any:
			return float64(len(v)), nil
		case object:
			return float64(len(v.keys())), nil
		}
		return nil, wrongKind(v)
	})
}

func meta(_ *run, args []any) (any, error) {
	return one(args, func(v any) (any, error) {
		l, ok := v.(link)
		if !ok {
			return nil, wrongKind(v)
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
	})
}

func orElse(_ *run, args []any) (any, error) {
	if len(args) != 2 {
		return nil, wrongCount(len(args))
	}
	if args[0] == nil {
		return args[1], nil
	}
	return args[0], nil
}

func choice(_ *run, args []any) (any, error) {
	if len(args) != 3 {
		return nil, wrongCount(len(args))
	}
	if truthy(args[0]) {
		return args[1], nil
	}
	return args[2], nil
}

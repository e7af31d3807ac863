package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// addLists adds the functions of lists.
func addLists(all map[string]*function) {
	all["join"] = takes("a?s*", join)
	all["filter"] = takes("lf", filter)
	all["map"] = takes("lf", mapped)
	all["any"] = takes("", someOf(func(n, all int) bool { return n > 0 }))
	all["all"] = takes("", someOf(func(n, all int) bool { return n == all }))
	all["none"] = takes("", someOf(func(n, _ int) bool { return n == 0 }))
	all["reverse"] = takes("a", reverse)
	all["sort"] = takes("a?f", sorted)
	all["unique"] = takes("a", ofList(unique))
	all["flat"] = takes("a?n", flat)
	all["nonnull"] = takes("", func(_ *run, args []any) (any, error) { return withoutNull(spreadOut(args)), nil })
}

// addNumbers adds the functions of numbers, and those that make one value of a list.
func addNumbers(all map[string]*function) {
	all["round"] = takes("n*?n", round)
	for name, f := range map[string]func(float64) float64{"trunc": math.Trunc, "floor": math.Floor, "ceil": math.Ceil} {
		all[name] = takes("n*", func(_ *run, args []any) (any, error) { return f(args[0].(float64)), nil })
	}
	all["sum"] = takes("a", ofList(func(r *run, list []any) (any, error) { return r.total("+", list) }))
	all["product"] = takes("a", ofList(func(r *run, list []any) (any, error) { return r.total("*", list) }))
	all["average"] = takes("a", ofList(average))
	all["min"] = takes("", func(_ *run, args []any) (any, error) { return best(args, -1), nil })
	all["max"] = takes("", func(_ *run, args []any) (any, error) { return best(args, 1), nil })
}

// ofList is a function of a list; what is none stays as it is.
func ofList(f func(r *run, list []any) (any, error)) func(r *run, args []any) (any, error) {
	return func(r *run, args []any) (any, error) {
		if list, ok := args[0].([]any); ok {
			return f(r, list)
		}
		return args[0], nil
	}
}

// spreadOut is the items of a list that is the one argument, else the arguments.
func spreadOut(args []any) []any {
	if len(args) == 1 {
		if list, ok := args[0].([]any); ok {
			return list
		}
	}
	return args
}

// withoutNull is a list without what is null in it.
func withoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return v == nil })
}

// total adds or multiplies the items of a list; null is passed over.
func (r *run) total(op string, list []any) (sum any, err error) {
	if list = withoutNull(list); len(list) == 0 {
		return nil, nil
	}
	sum = list[0]
	for _, v := range list[1:] {
		if sum, err = r.operate(op, sum, v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func average(r *run, list []any) (any, error) {
	sum, err := r.total("+", list)
	if sum == nil || err != nil {
		return nil, err
	}
	return r.operate("/", sum, float64(len(withoutNull(list))))
}

// best is the smallest of the arguments, or with sign 1 the largest; null is passed
// over.
func best(args []any, sign int) any {
	var found any
	for _, v := range spreadOut(args) {
		if v != nil && (found == nil || sign*compare(v, found) > 0) {
			found = v
		}
	}
	return found
}

func round(_ *run, args []any) (any, error) {
	n, places := args[0].(float64), or(args, 1, 0.0)
	if places <= 0 {
		return math.Floor(n + 0.5), nil
	}
	return strconv.ParseFloat(strconv.FormatFloat(n, 'f', min(int(places), 100), 64), 64)
}

func join(_ *run, args []any) (any, error) {
	list, ok := args[0].([]any)
	if !ok {
		return text(args[0]), nil
	}
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(or(args, 1, ", "))
		}
		if b.WriteString(text(v)); b.Len() > maxText {
			return nil, tooLong("join")
		}
	}
	return b.String(), nil
}

func filter(_ *run, args []any) (any, error) {
	out := []any{}
	for _, v := range args[0].([]any) {
		keep, err := args[1].(lambda)(v)
		if err != nil {
			return nil, err
		}
		if truthy(keep) {
			out = append(out, v)
		}
	}
	return out, nil
}

func mapped(_ *run, args []any) (any, error) {
	list := args[0].([]any)
	out := make([]any, len(list))
	for i, v := range list {
		var err error
		if out[i], err = args[1].(lambda)(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// someOf counts how many items of a list are true, or make a function true, and asks
// what that means.
func someOf(means func(n, all int) bool) func(r *run, args []any) (any, error) {
	return func(_ *run, args []any) (any, error) {
		list, truth := args, lambda(func(args ...any) (any, error) { return args[0], nil })
		if len(args) == 1 || len(args) == 2 {
			if l, ok := args[0].([]any); ok {
				list = l
				if len(args) == 2 {
					f, ok := args[1].(lambda)
					if !ok {
						return nil, wrongKind(args[1])
					}
					truth = f
				}
			}
		}
		n := 0
		for _, v := range list {
			v, err := truth(v)
			if err != nil {
				return nil, err
			}
			n += btoi(truthy(v))
		}
		return means(n, len(list)), nil
	}
}

func reverse(_ *run, args []any) (any, error) {
	switch v := args[0].(type) {
	case []any:
		out := slices.Clone(v)
		slices.Reverse(out)
		return out, nil
	case string:
		runes := []rune(v)
		slices.Reverse(runes)
		return string(runes), nil
	}
	return args[0], nil
}

// sorted orders a list, by what a function makes of its items if there is one.
func sorted(_ *run, args []any) (any, error) {
	list, ok := args[0].([]any)
	if !ok {
		return args[0], nil
	}
	keys := list
	if len(args) == 2 {
		made, err := mapped(nil, args)
		if err != nil {
			return nil, err
		}
		keys = made.([]any)
	}
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return compare(keys[a], keys[b]) })
	out := make([]any, len(list))
	for i, k := range at {
		out[i] = list[k]
	}
	return out, nil
}

// unique is a list in which nothing occurs twice, in its order.
func unique(_ *run, list []any) (any, error) {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return compare(list[a], list[b]) })
	again := make([]bool, len(list))
	for i := 1; i < len(at); i++ {
		again[at[i]] = compare(list[at[i]], list[at[i-1]]) == 0
	}
	out := []any{}
	for i, v := range list {
		if !again[i] {
			out = append(out, v)
		}
	}
	return out, nil
}

// flat is a list with the items of the lists in it in their place.
func flat(_ *run, args []any) (any, error) {
	list, ok := args[0].([]any)
	if !ok {
		return args[0], nil
	}
	out := []any{}
	var add func(list []any, depth float64)
	add = func(list []any, depth float64) {
		for _, v := range list {
			if inner, ok := v.([]any); ok && depth > 0 {
				add(inner, depth-1)
			} else {
				out = append(out, v)
			}
		}
	}
	add(list, or(args, 1, 1.0))
	if len(out) > maxList {
		return nil, tooLong("flat")
	}
	return out, nil
}

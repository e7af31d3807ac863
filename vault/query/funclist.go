package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// addLists adds the functions of lists.
func addLists(all map[string]*function) {
	all["join"] = spreading(map[int][]int{2: {1}}, join)
	all["filter"] = plain(filter)
	all["map"] = plain(mapped)
	all["any"] = plain(someOf(func(n, all int) bool { return n > 0 }))
	all["all"] = plain(someOf(func(n, all int) bool { return n == all }))
	all["none"] = plain(someOf(func(n, _ int) bool { return n == 0 }))
	all["reverse"] = plain(reverse)
	all["sort"] = plain(sorted)
	all["unique"] = plain(unique)
	all["flat"] = plain(flat)
	all["nonnull"] = plain(func(_ *run, args []any) (any, error) {
		if len(args) == 1 {
			if list, ok := args[0].([]any); ok {
				args = list
			}
		}
		return withoutNull(args), nil
	})
}

// addNumbers adds the functions of numbers, and those that make one value of a list.
func addNumbers(all map[string]*function) {
	all["round"] = spreading(map[int][]int{1: {0}, 2: {0}}, round)
	for name, f := range map[string]func(float64) float64{"trunc": math.Trunc, "floor": math.Floor, "ceil": math.Ceil} {
		all[name] = each(func(_ *run, v any) (any, error) {
			if n, ok := v.(float64); ok {
				return f(n), nil
			}
			return nil, wrongKind(v)
		})
	}
	all["sum"] = plain(func(r *run, args []any) (any, error) { return r.total("+", args) })
	all["product"] = plain(func(r *run, args []any) (any, error) { return r.total("*", args) })
	all["average"] = plain(average)
	all["min"] = plain(func(_ *run, args []any) (any, error) { return best(args, -1), nil })
	all["max"] = plain(func(_ *run, args []any) (any, error) { return best(args, 1), nil })
}

// withoutNull is a list without what is null in it.
func withoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return v == nil })
}

// listed is the list that is the one argument of a function.
func listed(args []any) (list []any, ok bool, err error) {
	if len(args) != 1 {
		return nil, false, wrongCount(len(args))
	}
	list, ok = args[0].([]any)
	return list, ok, nil
}

// total adds or multiplies the items of a list; null is passed over.
func (r *run) total(op string, args []any) (any, error) {
	list, ok, err := listed(args)
	if !ok {
		return append(args, nil)[0], err
	}
	if list = withoutNull(list); len(list) == 0 {
		return nil, nil
	}
	sum := list[0]
	for _, v := range list[1:] {
		if sum, err = r.operate(op, sum, v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func average(r *run, args []any) (any, error) {
	list, ok, err := listed(args)
	if !ok {
		return append(args, nil)[0], err
	}
	if list = withoutNull(list); len(list) == 0 {
		return nil, nil
	}
	sum, err := r.total("+", []any{list})
	if err != nil {
		return nil, err
	}
	return r.operate("/", sum, float64(len(list)))
}

// best is the smallest of the arguments, or with sign 1 the largest; null is passed
// over.
func best(args []any, sign int) any {
	if len(args) == 1 {
		if list, ok := args[0].([]any); ok {
			args = list
		}
	}
	var found any
	for _, v := range args {
		if v != nil && (found == nil || sign*compare(v, found) > 0) {
			found = v
		}
	}
	return found
}

func round(_ *run, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, wrongCount(len(args))
	}
	if args[0] == nil {
		return nil, nil
	}
	n, ok := args[0].(float64)
	if !ok {
		return nil, wrongKind(args[0])
	}
	places := 0.0
	if len(args) == 2 && args[1] != nil {
		if places, ok = args[1].(float64); !ok {
			return nil, wrongKind(args[1])
		}
	}
	if places <= 0 {
		return math.Floor(n + 0.5), nil
	}
	return strconv.ParseFloat(strconv.FormatFloat(n, 'f', min(int(places), 100), 64), 64)
}

func join(_ *run, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, wrongCount(len(args))
	}
	sep := ", "
	if len(args) == 2 && args[1] != nil {
		var ok bool
		if sep, ok = args[1].(string); !ok {
			return nil, wrongKind(args[1])
		}
	}
	list, ok := args[0].([]any)
	if !ok {
		return text(args[0]), nil
	}
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		if b.WriteString(text(v)); b.Len() > maxText {
			return nil, tooLong("join")
		}
	}
	return b.String(), nil
}

// withFunction takes apart the arguments of filter and map: a list and a function.
func withFunction(args []any) (list []any, f lambda, err error) {
	if len(args) != 2 {
		return nil, nil, wrongCount(len(args))
	}
	f, ok := args[1].(lambda)
	if !ok {
		return nil, nil, wrongKind(args[1])
	}
	if list, ok = args[0].([]any); !ok && args[0] != nil {
		return nil, nil, wrongKind(args[0])
	}
	return list, f, nil
}

func filter(_ *run, args []any) (any, error) {
	list, f, err := withFunction(args)
	if err != nil || args[0] == nil {
		return nil, err
	}
	out := []any{}
	for _, v := range list {
		keep, err := f(v)
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
	list, f, err := withFunction(args)
	if err != nil || args[0] == nil {
		return nil, err
	}
	out := make([]any, len(list))
	for i, v := range list {
		if out[i], err = f(v); err != nil {
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
	return one(args, func(v any) (any, error) {
		switch v := v.(type) {
		case []any:
			out := slices.Clone(v)
			slices.Reverse(out)
			return out, nil
		case string:
			runes := []rune(v)
			slices.Reverse(runes)
			return string(runes), nil
		}
		return v, nil
	})
}

// sorted orders a list, by what a function makes of its items if there is one.
func sorted(_ *run, args []any) (any, error) {
	if len(args) != 1 && len(args) != 2 {
		return nil, wrongCount(len(args))
	}
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
func unique(_ *run, args []any) (any, error) {
	list, ok, err := listed(args)
	if !ok {
		return append(args, nil)[0], err
	}
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
	if len(args) != 1 && len(args) != 2 {
		return nil, wrongCount(len(args))
	}
	depth := 1.0
	if len(args) == 2 {
		var ok bool
		if depth, ok = args[1].(float64); !ok {
			return nil, wrongKind(args[1])
		}
	}
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
	add(list, depth)
	if len(out) > maxList {
		return nil, tooLong("flat")
	}
	return out, nil
}

package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// spreadOut returns the items of the list that is the only argument, else the arguments.
func spreadOut(args []any) []any {
	if len(args) == 1 {
		if list, ok := args[0].([]any); ok {
			return list
		}
	}
	return args
}

// withoutNull returns list without null items.
func withoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return v == nil })
}

// joinBy returns a function that adds or multiplies the items of a list, ignoring null.
func joinBy(op string) func(r *run, of any) any {
	return func(r *run, of any) any {
		list, ok := of.([]any)
		if !ok {
			return of
		}
		if list = withoutNull(list); len(list) == 0 {
			return nil
		}
		sum := list[0]
		for _, v := range list[1:] {
			sum = r.operate(op, sum, v)
		}
		return sum
	}
}

func (r *run) average(of any) any {
	sum := joinBy("+")(r, of)
	list, ok := of.([]any)
	if !ok || sum == nil {
		return sum
	}
	return r.operate("/", sum, float64(len(withoutNull(list))))
}

// extremeOf returns the smallest argument, or with sign 1 the largest, ignoring null.
func extremeOf(args []any, sign int) any {
	var found any
	for _, v := range spreadOut(args) {
		if v != nil && (found == nil || sign*compare(v, found) > 0) {
			found = v
		}
	}
	return found
}

func round(n float64, places *float64) float64 {
	if places == nil || *places <= 0 {
		return math.Floor(n + 0.5)
	}
	// it cannot fail: the text is a number
	n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'f', min(int(*places), 100), 64), 64)
	return n
}

func join(of any, mark *string) any {
	list, ok := of.([]any)
	if !ok {
		return text(of)
	}
	between := ", "
	if mark != nil {
		between = *mark
	}
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(between)
		}
		if b.WriteString(text(v)); b.Len() > maxText {
			return tooLong("join")
		}
	}
	return b.String()
}

func filter(list []any, keep lambda) []any {
	out := []any{}
	for i, v := range mapList(list, keep) {
		if isTruthy(v) {
			out = append(out, list[i])
		}
	}
	return out
}

func mapList(list []any, f lambda) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = f(v, float64(i))
	}
	return out
}

// noneIs returns a function that reports whether no item of a list, or no argument, is true, or false; with a function
// behind the list, what it returns for the items counts.
func noneIs(truth bool) func(args ...any) bool {
	return func(args ...any) bool {
		list := spreadOut(args)
		if len(args) == 2 {
			items, _ := args[0].([]any)
			if f, ok := args[1].(lambda); ok {
				list = mapList(items, f)
			}
		}
		return !slices.ContainsFunc(list, func(v any) bool { return isTruthy(v) == truth })
	}
}

func reverse(of any) any {
	switch v := of.(type) {
	case []any:
		out := slices.Clone(v)
		slices.Reverse(out)
		return out
	case string:
		runes := []rune(v)
		slices.Reverse(runes)
		return string(runes)
	}
	return of
}

// inOrder returns the numbers from 0 to n-1 in sorted order; equal ones keep their order.
func inOrder(n int, compare func(a, b int) int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, compare)
	return at
}

// sortList sorts a list by its items, or by the values of a function for them.
func sortList(of any, by *lambda) any {
	list, ok := of.([]any)
	if !ok {
		return of
	}
	keys := list
	if by != nil {
		keys = mapList(list, *by)
	}
	out := make([]any, len(list))
	for i, k := range inOrder(len(list), func(a, b int) int { return compare(keys[a], keys[b]) }) {
		out[i] = list[k]
	}
	return out
}

// unique returns a list without its later duplicates.
func unique(of any) any {
	list, ok := of.([]any)
	if !ok {
		return of
	}
	at := inOrder(len(list), func(a, b int) int { return compare(list[a], list[b]) })
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
	return out
}

// flattenList returns a list in which nested lists are replaced by their items, up to depth levels, 1 if it is nil.
func flattenList(list []any, depth *float64) (out []any) {
	if depth == nil {
		depth = new(1.0)
	}
	left := *depth - 1
	for _, v := range list {
		if inner, ok := v.([]any); ok && left >= 0 {
			out = append(out, flattenList(inner, &left)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

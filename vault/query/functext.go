package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pattern compiles a regular expression of the query. One that Go does not support is an error of the query.
func (r *run) pattern(s string) (*regexp.Regexp, error) {
	if re := r.patterns[s]; re != nil {
		return re, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, unsupportedError(s, "this regular expression is not supported")
	}
	if len(r.patterns) > 1000 { // patterns can come from notes
		clear(r.patterns)
	}
	r.patterns[s] = re
	return re, nil
}

func (r *run) matches(pattern, s string) any {
	re, err := r.pattern(pattern)
	if err != nil {
		return err
	}
	return re.MatchString(s)
}

func (r *run) matchesWhole(pattern, s string) any {
	if !strings.HasPrefix(pattern, "^") && !strings.HasSuffix(pattern, "$") {
		pattern = "^(?:" + pattern + ")$"
	}
	return r.matches(pattern, s)
}

func (r *run) containsWord(s, word string) any {
	return r.matches(`(?i)\b`+regexp.QuoteMeta(word)+`\b`, s)
}

func replace(s, part, with string) any {
	if n := strings.Count(s, part); len(s)+n*len(with) > maxText {
		return tooLong("replace")
	}
	return strings.Join(strings.Split(s, part), with)
}

func (r *run) regexReplace(s, pattern, with string) any {
	re, err := r.pattern(pattern)
	if err != nil {
		return err
	}
	if n := len(re.FindAllStringIndex(s, -1)); len(s)+n*(len(with)+len(s)) > 64*maxText {
		return tooLong("regexreplace")
	}
	out := re.ReplaceAllString(s, replacement(with))
	if len(out) > maxText {
		return tooLong("regexreplace")
	}
	return out
}

var dollar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[&$1-9]?`) })

// replacement converts a replacement with $1 and $& to the syntax of Go.
func replacement(s string) string {
	return dollar().ReplaceAllStringFunc(s, func(mark string) string {
		switch mark {
		case "$", "$$":
			return "$$"
		case "$&":
			return "${0}"
		}
		return "${" + mark[1:] + "}"
	})
}

// split splits a text where a regular expression matches.
func (r *run) split(s, pattern string, limit *float64) any {
	re, err := r.pattern(pattern)
	if err != nil {
		return err
	}
	if re.NumSubexp() > 0 {
		return unsupportedError(pattern, "groups in the pattern of split are not supported")
	}
	var out []any
	for _, part := range re.Split(s, maxList) {
		if limit == nil || float64(len(out)) < *limit {
			out = append(out, part)
		}
	}
	return out
}

// truncate shortens a text to n characters, with "..." or another text at the end.
func truncate(s string, n float64, end *string) string {
	if end == nil {
		end = new("...")
	}
	if float64(len([]rune(s))) <= n {
		return s
	}
	n -= float64(len([]rune(*end)))
	return substring(s, 0, &n) + *end
}

// substring returns the characters of a text between two numbers.
func substring(s string, from float64, to *float64) string {
	runes := []rune(s)
	size := float64(len(runes))
	if to == nil {
		to = &size
	}
	a, b := int(max(0, min(from, size))), int(max(0, min(*to, size)))
	return string(runes[min(a, b):max(a, b)])
}

func containsFolded(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// containsValue reports whether a list, a text or an object contains a value; in a list it checks each item the
// same way.
func containsValue(of, what any, within func(s, part string) bool) bool {
	switch v := of.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return containsValue(item, what, within) })
	case string:
		if part, ok := what.(string); ok {
			return within(v, part)
		}
	case object:
		if key, ok := what.(string); ok {
			return slices.Contains(v.keys(), key)
		}
	}
	return compare(of, what) == 0
}

// containsExactly works like containsValue, but compares the value with the items of a list.
func containsExactly(of any, what singleValue) bool {
	if list, ok := of.([]any); ok {
		return slices.ContainsFunc(list, func(item any) bool { return compare(item, what) == 0 })
	}
	return containsValue(of, what, strings.Contains)
}

func makeNumber(of singleValue) any {
	switch v := of.(type) {
	case nil, float64:
		return v
	case string:
		at := strings.IndexAny(v, "0123456789")
		if at < 0 {
			return nil
		}
		if at > 0 && v[at-1] == '-' {
			at--
		}
		n, err := strconv.ParseFloat(v[at:at+numberLen(v[at:])], 64)
		if err != nil {
			return nil
		}
		return n
	}
	return kindError(of)
}

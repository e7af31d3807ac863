package query

import (
	"regexp"
	"strconv"
	"strings"
)

// addTexts adds the functions of texts.
func addTexts(all map[string]*function) {
	text := func(name string, n int, f func(r *run, s []string) (any, error)) {
		all[name] = takes(strings.Repeat("s*", n), func(r *run, args []any) (any, error) {
			s := make([]string, n)
			for i, v := range args {
				s[i] = v.(string)
			}
			return f(r, s)
		})
	}
	text("lower", 1, func(_ *run, s []string) (any, error) { return strings.ToLower(s[0]), nil })
	text("upper", 1, func(_ *run, s []string) (any, error) { return strings.ToUpper(s[0]), nil })
	text("replace", 3, func(_ *run, s []string) (any, error) {
		if n := strings.Count(s[0], s[1]); len(s[0])+n*len(s[2]) > maxText {
			return nil, tooLong("replace")
		}
		return strings.Join(strings.Split(s[0], s[1]), s[2]), nil
	})
	text("startswith", 2, func(_ *run, s []string) (any, error) { return strings.HasPrefix(s[0], s[1]), nil })
	text("endswith", 2, func(_ *run, s []string) (any, error) { return strings.HasSuffix(s[0], s[1]), nil })
	text("regexreplace", 3, regexReplace)
	text("regextest", 2, func(r *run, s []string) (any, error) { return r.matches(s[0], s[1]) })
	text("regexmatch", 2, func(r *run, s []string) (any, error) {
		if !strings.HasPrefix(s[0], "^") && !strings.HasSuffix(s[0], "$") {
			s[0] = "^(?:" + s[0] + ")$"
		}
		return r.matches(s[0], s[1])
	})
	all["split"] = takes("ss?n", split)
	all["truncate"] = takes("sn?s", truncate)
	all["substring"] = takes("sn?n", substring)
}

// pattern is a regular expression of the query. Those that the language of this program
// does not have stop the query.
func (r *run) pattern(s string) (*regexp.Regexp, error) {
	if re := r.patterns[s]; re != nil {
		return re, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, unsupported(s, "this regular expression is not supported")
	}
	if len(r.patterns) > 1000 { // they are made of the notes
		clear(r.patterns)
	}
	r.patterns[s] = re
	return re, nil
}

func (r *run) matches(pattern, s string) (any, error) {
	re, err := r.pattern(pattern)
	if err != nil {
		return nil, err
	}
	return re.MatchString(s), nil
}

func regexReplace(r *run, s []string) (any, error) {
	re, err := r.pattern(s[1])
	if err != nil {
		return nil, err
	}
	if n := len(re.FindAllStringIndex(s[0], -1)); len(s[0])+n*(len(s[2])+len(s[0])) > 64*maxText {
		return nil, tooLong("regexreplace")
	}
	out := re.ReplaceAllString(s[0], replacement(s[2]))
	if len(out) > maxText {
		return nil, tooLong("regexreplace")
	}
	return out, nil
}

// replacement is what stands for a match, with its $1 and $& as Go has them.
func replacement(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 == len(s) {
			b.WriteString(strings.ReplaceAll(s[i:i+1], "$", "$$"))
			continue
		}
		switch next := s[i+1]; {
		case next == '&':
			b.WriteString("${0}")
			i++
		case next == '$':
			b.WriteString("$$")
			i++
		case next >= '1' && next <= '9':
			b.WriteString("${" + string(next) + "}")
			i++
		default:
			b.WriteString("$$")
		}
	}
	return b.String()
}

// split takes a text apart where a regular expression matches.
func split(r *run, args []any) (any, error) {
	sep, limit := args[1].(string), or(args, 2, float64(maxList))
	re, err := r.pattern(sep)
	if err != nil {
		return nil, err
	}
	if re.NumSubexp() > 0 {
		return nil, unsupported(sep, "groups in the pattern of split are not supported")
	}
	var out []any
	for _, part := range re.Split(args[0].(string), maxList) {
		if float64(len(out)) < limit {
			out = append(out, part)
		}
	}
	return out, nil
}

// truncate cuts a text to a number of characters, with "..." or another end.
func truncate(_ *run, args []any) (any, error) {
	s, n, end := args[0].(string), args[1].(float64), or(args, 2, "...")
	runes := []rune(s)
	if float64(len(runes)) <= n {
		return s, nil
	}
	return string(runes[:max(0, int(n)-len([]rune(end)))]) + end, nil
}

// substring is a text from a character to another, by their numbers.
func substring(_ *run, args []any) (any, error) {
	runes := []rune(args[0].(string))
	size := float64(len(runes))
	at := [2]int{int(max(0, min(args[1].(float64), size))), int(max(0, min(or(args, 2, size), size)))}
	if at[0] > at[1] {
		at[0], at[1] = at[1], at[0]
	}
	return string(runes[at[0]:at[1]]), nil
}

// withinText and withinFolded say whether a text holds another.
func withinText(s, part string) bool { return strings.Contains(s, part) }

func withinFolded(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// contains looks for a value in a list, a text or an object. deep looks into what is in
// the list in the same way, else the items are compared.
func contains(within func(s, part string) bool, deep bool) func(r *run, args []any) (any, error) {
	var in func(r *run, v, what any, depth int) bool
	in = func(r *run, v, what any, depth int) bool {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				if deep && depth < maxShown && in(r, item, what, depth+1) || !deep && compare(item, what) == 0 {
					return true
				}
			}
			return false
		case string:
			if part, ok := what.(string); ok {
				return within(v, part)
			}
		case object:
			if key, ok := what.(string); ok {
				for _, name := range v.keys() {
					if name == key {
						return true
					}
				}
				return false
			}
		}
		return compare(v, what) == 0
	}
	return func(r *run, args []any) (any, error) { return in(r, args[0], args[1], 0), nil }
}

func containsWord(r *run, args []any) (any, error) {
	s, word := args[0].(string), args[1].(string)
	return r.matches(`(?i)\b`+regexp.QuoteMeta(word)+`\b`, s)
}

func makeNumber(_ *run, args []any) (any, error) {
	switch v := args[0].(type) {
	case nil, float64:
		return v, nil
	case string:
		at := strings.IndexAny(v, "0123456789")
		if at < 0 {
			return nil, nil
		}
		if at > 0 && v[at-1] == '-' {
			at--
		}
		n, err := strconv.ParseFloat(v[at:at+numberLen(v[at:])], 64)
		if err != nil {
			return nil, nil
		}
		return n, nil
	}
	return nil, wrongKind(args[0])
}

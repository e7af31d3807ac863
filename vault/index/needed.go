package index

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// needed is the longest text, in lower case, that every match of an expression
// holds, as far as it is plain to see, and whether no match goes beyond a line.
// Other letters than those of ASCII end it.
func needed(source string) (text string, inLine bool) {
	re, err := syntax.Parse("(?m)"+source, syntax.Perl)
	if err != nil {
		return "", false
	}
	re = re.Simplify()
	return literal(re), oneLine(re)
}

// oneLine reports whether an expression can be held against lines one by one.
func oneLine(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return !slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return false
			}
		}
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return false
	}
	return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !oneLine(sub) })
}

func literal(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		longest := ""
		for _, run := range strings.FieldsFunc(string(re.Rune), func(r rune) bool { return r >= utf8.RuneSelf }) {
			if len(run) > len(longest) {
				longest = run
			}
		}
		return strings.ToLower(longest)
	case syntax.OpCapture, syntax.OpPlus:
		return literal(re.Sub[0])
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if l := literal(sub); len(l) > len(longest) {
				longest = l
			}
		}
		return longest
	}
	return ""
}

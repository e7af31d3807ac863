package index

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostNeeded bounds the texts of which every match holds one.
const mostNeeded = 8

// needed are texts in lower case of which every match of an expression holds one, as
// far as that is plain to see, and whether no match goes beyond a line. Other letters
// than those of ASCII end a text.
func needed(source string) (texts []string, inLine bool) {
	re, err := syntax.Parse("(?m)"+source, syntax.Perl)
	if err != nil {
		return nil, false
	}
	re = re.Simplify()
	return literals(re), oneLine(re)
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

// literals are needed of an expression, none if that is not known.
func literals(re *syntax.Regexp) (texts []string) {
	switch re.Op {
	case syntax.OpLiteral:
		longest := ""
		for _, run := range strings.FieldsFunc(string(re.Rune), func(r rune) bool { return r >= utf8.RuneSelf }) {
			if len(run) > len(longest) {
				longest = run
			}
		}
		if longest != "" {
			texts = []string{strings.ToLower(longest)}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1] >= utf8.RuneSelf || len(texts)+int(re.Rune[i+1]-re.Rune[i]) >= mostNeeded {
				return nil
			}
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				texts = append(texts, strings.ToLower(string(r)))
			}
		}
		slices.Sort(texts)
		return slices.Compact(texts)
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if l := literals(sub); shortest(l) > shortest(texts) {
				texts = l
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			l := literals(sub)
			if len(l) == 0 || len(texts)+len(l) > mostNeeded {
				return nil
			}
			texts = append(texts, l...)
		}
	}
	return texts
}

// shortest is the length of the shortest of texts, 0 if there is none.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

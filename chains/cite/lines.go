package cite

import (
	"regexp"
	"strings"

	"ibid/chains/calltext"
	"ibid/vault/md"
)

// lineReader tells which lines of a reply are running text. The others are code, HTML, mathematics of their own, and
// proposals of notes, whose footnotes belong to what they hold. The zero value is the state before the first line.
type lineReader struct {
	code     md.Fences
	proposal bool   // the last line is in a proposal that is not closed
	formula  string // what closes the formula of the last line, "" if none is open
}

// displayed are the marks of formulas that stand on lines of their own.
var displayed = []struct{ open, close string }{{"$$", "$$"}, {`\[`, `\]`}}

// inBlock reports whether the last line is in a proposal or a formula that is not closed.
func (r *lineReader) inBlock() bool { return r.proposal || r.formula != "" }

// isText reports whether the next line is running text, as far as it is known. A line that is not whole must be
// decided.
func (r *lineReader) isText(line string, whole bool) bool {
	if !whole && !r.inBlock() {
		kind := r.code.KindBehind(line)
		return (kind == md.TextLine || kind == md.UnderLine) && !calltext.OpensBlock(&r.code, line)
	}
	next := *r
	next.code = r.code.Clone()
	return next.read(line)
}

// read reads the next line and reports whether it is running text.
func (r *lineReader) read(line string) bool {
	text := unindented(line)
	if r.formula != "" {
		if text == "" || strings.Contains(line, r.formula) {
			r.formula = ""
		}
		return text == ""
	}
	if r.proposal || calltext.OpensBlock(&r.code, line) {
		r.proposal = !calltext.ClosesBlock(line)
		return false
	}
	for _, d := range displayed {
		rest, opens := strings.CutPrefix(text, d.open)
		if opens && !strings.Contains(rest, d.close) && r.code.KindBehind(leadingSpace(line)) == md.TextLine {
			r.formula = d.close
			return false
		}
	}
	r.code.Line(line)
	return r.code.Kind() == md.TextLine || r.code.Kind() == md.UnderLine
}

// unindented returns a line without spaces and tabs at its ends.
func unindented(line string) string { return strings.Trim(line, " \t") }

func leadingSpace(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

var (
	// A definition of a footnote, with the marks in front of it.
	definitionForm = regexp.MustCompile(`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[\^(\d{1,9})\]:[ \t]*(.*?)[ \t]*$`)

	// A line of a list of sources whose number has other brackets.
	listedForm = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?` +
		`(?:\[\^?|【|［)(\d{1,9})[\]】］][ \t]*[:.–—-]?[ \t]+(\S.*?)[ \t]*$`)

	// Beginning of a markdown block, which ends any code span.
	blockBegin = regexp.MustCompile(`^[ \t]*(?:$|[-*+>|#]|\d{1,9}[.)])`)

	lineMarks = regexp.MustCompile(`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`)
)

// beginsStretch reports whether a line of text begins a new stretch, in which code spans and links are looked for.
func beginsStretch(line string) bool {
	return blockBegin.MatchString(line) || definitionForm.MatchString(line)
}

// listHeadings are the words above a list of sources.
var listHeadings = []string{
	"source", "sources", "references", "footnotes", "citations", "quellen", "quellenverzeichnis", "fuentes", "fontes",
	"источники", "来源", "出典",
}

// headsList reports whether a line is the heading of a list of sources.
func headsList(line string) bool {
	word, ok := headingWord(line)
	if !ok {
		return false
	}
	for _, heading := range listHeadings {
		if strings.TrimSuffix(word, ":") == heading {
			return true
		}
	}
	return false
}

// mayHeadList reports whether a line may become the heading of a list of sources.
func mayHeadList(begun string) bool {
	word, _ := headingWord(strings.ToValidUTF8(begun, ""))
	for _, heading := range listHeadings {
		if strings.HasPrefix(heading, word) || strings.HasPrefix(word, heading) && len(word) <= len(heading)+2 {
			return true
		}
	}
	return false
}

// headingWord returns the text of a heading, of a line in bold, or of one that ends with a colon.
func headingWord(line string) (word string, ok bool) {
	text := unindented(line)
	plain := strings.Trim(text, "#*_ \t")
	ok = text != plain || strings.HasSuffix(plain, ":")
	return strings.ToLower(strings.Trim(plain, " \t:*_")), ok
}

// lineIsDecided reports whether the beginning of a line tells what the line is: a rule, a heading, a definition and
// so on. listed is set below the heading of a list of sources.
func lineIsDecided(begun string, listed bool) bool {
	text := begun[len(lineMarks.FindString(begun)):]
	if text == "" {
		return false
	}
	if c := text[0]; strings.IndexByte("`~-*_=", c) >= 0 {
		rest := strings.Trim(text, string(c)+" \t")
		if rest == "" {
			return c == '~' && len(text) > 2
		}
	}
	switch text[0] {
	case '`': // a fence, if no other backtick follows
		return !strings.HasPrefix(text, "```")
	case '#', '*', '_':
		return !mayHeadList(text)
	case '+':
		return len(text) > 1
	case '<':
		return !openTag.MatchString(text)
	case '$', '\\':
		return len(text) > 1 && text[:2] != "$$" && text[:2] != `\[`
	case '[', 0xe3, 0xef:
		m, result := readMark(text)
		if result == isBegun {
			return false
		}
		behind := text[m.to:]
		return result == isNone || behind != "" && !listed && behind[0] != ':'
	}
	if text[0] >= '0' && text[0] <= '9' {
		return strings.TrimLeft(text, "0123456789.)") != "" || len(text) > maxDigits+1
	}
	return !mayHeadList(text)
}

// openTag matches the beginning of a line that may be a tag.
var openTag = regexp.MustCompile(`^<[^>\n]*>?[ \t]*$`)

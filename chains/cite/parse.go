package cite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// parsedReply is a reply with its references.
type parsedReply struct {
	end         int // end of the reply, without its list of sources
	references  []mark
	definitions []definition // all definitions
	list        []definition // definitions in the list at the end
}

// mark is a span of a text that refers to sources.
type mark struct {
	from, to int
	numbers  []int
}

// definition is a line "[^1]: link".
type definition struct {
	mark   mark // the span "[^1]"
	number int
	link   string
}

// replyLine is a line with its offset.
type replyLine struct {
	from    int
	text    string
	defines bool
}

var (
	referenceForm  = regexp.MustCompile(`^\[\^\d{1,4}(?:[ ,;]{1,3}\^?\d{1,4})*\]`)
	definitionForm = regexp.MustCompile(`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[\^(\d{1,4})\]:[ \t]*(.*?)[ \t]*$`)
	htmlBegin      = regexp.MustCompile(`^ {0,3}</?[A-Za-z][^<>]*>\s*$`)
	number         = regexp.MustCompile(`\d+`)

	// Beginning of a markdown block, which ends any code span.
	blockBegin = regexp.MustCompile(`^\s*(?:$|[-*+>|#]|\d{1,9}[.)])`)
)

// parse parses a reply.
func parse(reply string) *parsedReply {
	p := &parsedReply{end: len(reply)}
	if !strings.Contains(reply, "[^") {
		return p
	}
	var lines []replyLine
	var code md.Fences
	stretch, at := 0, 0
	paragraph, html := false, false // the previous line is text, or belongs to a block of HTML
	for line := range strings.Lines(reply) {
		text := strings.TrimRight(line, "\r\n")
		m := definitionForm.FindStringSubmatchIndex(text)
		blank := strings.TrimSpace(text) == ""
		html = !blank && (html || !paragraph && htmlBegin.MatchString(text))
		inCode := code.Line(text) || code.Kind() == md.IndentedLine || html
		defines := !inCode && m != nil
		paragraph = !blank && !inCode && !defines
		if inCode || defines || blockBegin.MatchString(text) {
			p.addReferences(reply[:at], stretch)
			stretch = at
		}
		if defines {
			n, _ := strconv.Atoi(text[m[2]:m[3]]) // at most four digits
			p.definitions = append(p.definitions,
				definition{mark{from: at + m[2] - len("[^"), to: at + m[3] + len("]")}, n, text[m[4]:m[5]]})
		}
		lines = append(lines, replyLine{at, text, defines})
		if at += len(line); inCode || defines {
			stretch = at
		}
	}
	p.addReferences(reply, stretch)
	p.cutList(reply, lines)
	return p
}

// addReferences adds the references in text from offset at on.
func (p *parsedReply) addReferences(text string, at int) {
	var spans md.CodeSpans
	for at < len(text) {
		next := strings.IndexAny(text[at:], "\\`[")
		if next < 0 {
			return
		}
		at += next
		switch form := referenceForm.FindString(text[at:]); {
		case text[at] == '\\':
			at += len(`\[`)
		case text[at] == '`':
			at += spans.Len(text[at:])
		case form != "":
			p.references = append(p.references, mark{at, at + len(form), numbersIn(form)})
			at += len(form)
		default:
			at++
		}
	}
}

// cutList finds the list of sources at the end: only definitions, perhaps below a heading or a rule.
func (p *parsedReply) cutList(reply string, lines []replyLine) {
	first := len(p.definitions)
	above := func(i int) int { // returns the last line before i that is not blank
		for i--; i >= 0 && strings.TrimSpace(lines[i].text) == ""; i-- {
		}
		return i
	}
	i := above(len(lines))
	for ; i >= 0 && lines[i].defines && !strings.HasPrefix(strings.TrimSpace(lines[i].text), ">"); i = above(i) {
		first--
		p.end = lines[i].from
	}
	if first == len(p.definitions) {
		return
	}
	p.list = p.definitions[first:]
	if i >= 0 {
		_, heading, _ := md.Heading(lines[i].text)
		if headsList(heading) {
			p.end, i = lines[i].from, above(i)
		}
	}
	if i >= 0 && md.Rule(lines[i].text) {
		p.end = lines[i].from
	}
	p.end = len(strings.TrimRight(reply[:p.end], " \t\r\n"))
	p.references = slices.DeleteFunc(p.references, func(r mark) bool { return r.from >= p.end })
}

// headsList reports whether a heading is that of a list of sources.
func headsList(heading string) bool {
	switch strings.ToLower(strings.Trim(heading, " \t:*_")) {
	case "source", "sources", "references", "footnotes", "citations", "quellen", "fuentes", "fontes",
		"источники", "来源", "出典":
		return true
	}
	return false
}

// numbersIn returns the numbers in a reference.
func numbersIn(form string) (all []int) {
	for _, digits := range number.FindAllString(form, -1) {
		n, _ := strconv.Atoi(digits) // at most four digits
		all = append(all, n)
	}
	return all
}

// reference returns the mark that cites a number.
func reference(n int) string { return "[^" + strconv.Itoa(n) + "]" }

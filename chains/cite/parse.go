package cite

import (
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

// parse parses a reply.
func parse(reply string) *parsedReply {
	p := &parsedReply{end: len(reply)}
	if !strings.Contains(reply, "[^") {
		return p
	}
	var lines []replyLine
	var kinds lineReader
	stretch, at := 0, 0
	for line := range strings.Lines(reply) {
		text := strings.TrimRight(line, "\r\n")
		isText := kinds.read(text)
		m := definitionForm.FindStringSubmatchIndex(text)
		defines := isText && m != nil
		if !isText || defines || blockBegin.MatchString(text) {
			p.addReferences(reply[:at], stretch)
			stretch = at
		}
		if defines {
			n, _ := strconv.Atoi(text[m[2]:m[3]]) // at most nine digits
			p.definitions = append(p.definitions,
				definition{mark{from: at + m[2] - len("[^"), to: at + m[3] + len("]")}, n, text[m[4]:m[5]]})
		}
		lines = append(lines, replyLine{at, text, defines})
		at += len(line)
		if !isText || defines {
			stretch = at
		}
	}
	p.addReferences(reply, stretch)
	p.cutList(reply, lines)
	return p
}

// addReferences adds the footnotes in text from an offset on.
func (p *parsedReply) addReferences(text string, from int) {
	s := scanner{text: text[from:]}
	for {
		m, ok := s.mark()
		if !ok {
			return
		}
		if m.form == signedForm {
			m.from += from
			m.to += from
			p.references = append(p.references, m)
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
	if i >= 0 && headsList(lines[i].text) {
		p.end, i = lines[i].from, above(i)
	}
	if i >= 0 && md.Rule(lines[i].text) {
		p.end = lines[i].from
	}
	p.end = len(strings.TrimRight(reply[:p.end], " \t\r\n"))
	p.references = slices.DeleteFunc(p.references, func(r mark) bool { return r.from >= p.end })
}

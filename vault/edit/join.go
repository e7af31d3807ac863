package edit

import (
	"slices"
	"strings"

	"ibid/vault/md"
)

// A text that is added to a note is joined to it as blocks of markdown, wherever it goes: the blocks that stand there
// stay what they are, and the added ones are blocks of their own or go on with a block of the same kind.
//
//   - An item of a list goes on with a list that has the same mark, a row with a table, a quotation with a quotation:
//     one line break stands between them. A callout (> [!), the header of a table with its rule and another mark of a
//     list begin blocks of their own.
//   - All else is set off by a blank line; one that is there is used.
//   - What is open at the end of the text above (a fence, mathematics, a comment, HTML) is closed first, and so is
//     the added text if something follows it.
//   - The properties stay first, and what a plugin keeps at the end of a note, such as Kanban's settings, stays last.
//   - The id of a block that stands on a line of its own stays with its block.
//   - The added text takes the line ends of the note. The note ends with one only if it did before.
//
// Blank lines around the added text are left out.

// Append returns text with add at its end.
func Append(text, add string) string { return Insert(text, lineCount(text)+1, add) }

// Prepend returns text with add at its beginning, below the properties.
func Prepend(text, add string) string { return Insert(text, 0, add) }

// Insert returns text with add after its line n, from 1; 0 inserts before the first line. In the middle of a block it
// goes behind that, except for running text, which it divides, and for rows in a table.
func Insert(text string, n int, add string) string {
	added := newPage(trimBlankLines(withEnds(add, "\n")))
	if len(added.blocks) == 0 {
		return text
	}
	page := newNotePage(withEnds(text, "\n"))
	j := page.joint(n, added)

	at := 0
	if strings.HasPrefix(text, mark) {
		at = len(mark)
	}
	for range j.line {
		at = nextLine(text, at)
	}
	end := lineEndOf(text)
	insertion := strings.Join(slices.Concat(j.above, added.lines, j.below), end)
	if !isUnendedLast(text, at) {
		insertion += end
	}
	joined := joinLines(text[:at], insertion+text[at:], end)
	if page.front == 0 && j.line > 0 && frontmatterEnd(joined) > 0 {
		// a rule in the added text would make properties of a note that begins with a rule
		joined = strings.TrimPrefix(joined, mark)
		return text[:len(text)-len(strings.TrimPrefix(text, mark))] + end + joined
	}
	return joined
}

// isUnendedLast reports whether at is the end of a text whose last line has no end.
func isUnendedLast(text string, at int) bool {
	last := strings.TrimPrefix(text, mark)
	return at == len(text) && last != "" && !strings.HasSuffix(last, "\n") && !strings.HasSuffix(last, "\r")
}

// trimBlankLines returns a text without the blank lines at its beginning and its end.
func trimBlankLines(text string) string {
	lines := strings.Split(text, "\n")
	for len(lines) > 0 && isBlank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// joint is the place of an added text: behind this number of lines, with lines above and below it.
type joint struct {
	line         int
	above, below []string
}

// joint returns the place for added after line n.
func (p *page) joint(n int, added *page) joint {
	n = min(max(n, p.front), p.tail)
	around := p.blockAround(n)
	for around == nil && n > p.front && isBlank(p.lines[n-1]) {
		n--
	}
	first := &added.blocks[0]
	isOneBlock := len(added.blocks) == 1
	switch {
	case around == nil:
	case isOneBlock && first.isRowOf(around):
		n = max(n, around.from+tableHead)
	case !p.canDivide(around, n):
		n = around.to
	}
	if isOneBlock && p.blockAround(n) == nil {
		n = p.placeInTable(n, first)
	}
	if p.blockAround(n) == nil {
		n = p.placeAtBlockID(n, first)
	}
	j := joint{line: n}
	p.setOffAbove(&j, added)
	p.setOffBelow(&j, added)
	return j
}

// tableHead is the number of lines at the beginning of a table that are no rows: its header and its rule.
const tableHead = 2

// placeInTable returns the place of rows that would stand above a table: they become its first rows.
func (p *page) placeInTable(n int, first *block) int {
	next := p.blockBelow(n)
	above := p.blockAbove(n)
	isLastOfTable := above != nil && first.isRowOf(above)
	if next == nil || isLastOfTable || !first.isRowOf(next) {
		return n
	}
	return next.from + tableHead
}

// placeAtBlockID returns the place of a text that would stand between a block and the id of the block, or behind the
// id: what goes on with the block stands above the id, all else below.
func (p *page) placeAtBlockID(n int, first *block) int {
	above := p.blockAbove(n)
	if above == nil {
		return n
	}
	if above.isBlockID() {
		named := p.blockAbove(above.from)
		if named == nil {
			return n
		}
		if _, goesOn := goesOn(named, first, 0); goesOn {
			return named.to
		}
		return n
	}
	if _, goesOn := goesOn(above, first, 0); goesOn {
		return n
	}
	if id := p.blockBelow(n); id != nil && id.isBlockID() {
		return id.to
	}
	return n
}

// canDivide reports whether both halves of a block are running text when it is divided after line n.
func (p *page) canDivide(b *block, n int) bool {
	if b.Kind != md.Paragraph || strings.HasPrefix(strings.TrimSpace(b.lines[0]), "<") || isDefinition(b.lines[0]) {
		return false
	}
	rest := newPage(strings.Join(p.lines[n:b.to], "\n"))
	return len(rest.blocks) == 1 && rest.blocks[0].Kind == md.Paragraph
}

// isDefinition reports whether a line begins the text of a footnote or the address of a link: [^1]: or [name]:.
func isDefinition(line string) bool {
	name, _, found := strings.Cut(strings.TrimSpace(line), "]:")
	return found && strings.HasPrefix(name, "[")
}

// setOffAbove sets the lines between a joint and what stands above it.
func (p *page) setOffAbove(j *joint, added *page) {
	if j.line == 0 {
		if added.startsLikeProperties() {
			j.above = []string{""}
		}
		return
	}
	if above := p.blockAbove(j.line); above != nil {
		between, goesOn := goesOn(above, &added.blocks[0], 0)
		if goesOn {
			j.above = between
			return
		}
		if above.Closing != "" {
			j.above = []string{above.Closing, ""}
			return
		}
	}
	if j.line < len(p.lines) && isBlank(p.lines[j.line]) {
		j.line++
		return
	}
	j.above = []string{""}
}

// setOffBelow sets the lines between a joint and what stands below it.
func (p *page) setOffBelow(j *joint, added *page) {
	last := &added.blocks[len(added.blocks)-1]
	below := p.blockBelow(j.line)
	if around := p.blockAround(j.line); around != nil {
		if last.isRowOf(around) {
			return
		}
		below = around
	}
	if below == nil {
		return
	}
	if last.Closing != "" {
		j.below = append(j.below, last.Closing)
	}
	if isBlank(p.lines[j.line]) {
		return
	}
	between, goesOn := goesOn(last, below, 0)
	takesIn := last.isCallout() || last.endsInTable(0) // what stands below would become a part of it
	if goesOn && !takesIn {
		j.below = append(j.below, between...)
		return
	}
	j.below = append(j.below, "")
}

// goesOn reports whether block b goes on with block a when they stand directly below each other, and returns the lines
// that are necessary between them. depth counts the quotations around both.
func goesOn(a, b *block, depth int) (between []string, ok bool) {
	switch {
	case a.Kind == md.Item:
		return nil, continuesList(a.lines, b.lines[0])
	case a.Kind == md.Table:
		return nil, b.isRowOf(a)
	case a.Kind == md.Quote && b.Kind == md.Quote && !b.isCallout() && depth < maxQuoted:
		return continueQuote(a, b, depth+1)
	}
	return nil, false
}

// maxQuoted limits the quotations in each other that are looked into.
const maxQuoted = 20

// continueQuote implements goesOn for quotations. Inside, the same rules hold, except that running text goes on with
// running text: the blank line that sets off a block there is a quotation mark alone.
func continueQuote(a, b *block, depth int) (between []string, ok bool) {
	quoteMark, insideB := unquote(b.lines)
	_, insideA := unquote(a.lines)
	above := newPage(strings.Join(insideA, "\n"))
	below := newPage(strings.Join(insideB, "\n"))
	isSetOff := isBlank(insideA[len(insideA)-1]) || isBlank(insideB[0])
	if len(above.blocks) == 0 || len(below.blocks) == 0 || isSetOff {
		return nil, true
	}
	last := &above.blocks[len(above.blocks)-1]
	first := &below.blocks[0]
	if last.Closing != "" {
		return nil, false // a quotation of its own closes it
	}
	isTitle := a.isCallout() && len(insideA) == 1
	if last.Kind == md.Paragraph && !changesTextAbove(first) && (isTitle || first.Kind == md.Paragraph) {
		return nil, true
	}
	inner, goesOn := goesOn(last, first, depth)
	if !goesOn {
		return []string{quoteMark}, true
	}
	for _, line := range inner {
		between = append(between, quoteMark+" "+line)
	}
	return between, true
}

// changesTextAbove reports whether the first line of a block would make a heading or a table of running text directly
// above it.
func changesTextAbove(b *block) bool {
	line := strings.TrimSpace(b.lines[0])
	return md.Underline(line) > 0 || md.TableRule(line)
}

// unquote returns lines without their first quotation mark, and the mark of the first line.
func unquote(lines []string) (quoteMark string, inside []string) {
	for i, line := range lines {
		before, after, _ := strings.Cut(line, ">")
		if i == 0 {
			quoteMark = before + ">"
		}
		inside = append(inside, strings.TrimPrefix(after, " "))
	}
	return quoteMark, inside
}

// continuesList reports whether a line is an item that goes on with the list whose last item these lines are, or with
// a list in it.
func continuesList(item []string, line string) bool {
	next, ok := parseItem(line)
	if !ok {
		return false
	}
	var open []itemMark // the items that contain the last line, outermost first
	var fences md.Fences
	for _, line := range item {
		m, ok := parseItem(line)
		if isCode := fences.Line(line); isCode || !ok {
			continue
		}
		for len(open) > 0 && m.column < open[len(open)-1].content {
			open = open[:len(open)-1]
		}
		open = append(open, m)
	}
	for _, m := range slices.Backward(open) {
		switch {
		case next.column >= m.content+4: // it would be code
			return false
		case next.column >= m.content: // it is an item below this one
			return true
		case next.column >= m.column || m == open[0]:
			return next.kind == m.kind
		}
	}
	return false
}

// itemMark is the mark of an item of a list.
type itemMark struct {
	column  int  // of the mark
	content int  // column of the text behind it
	kind    byte // of the list: - * + . )
}

// parseItem parses a line as the first one of an item.
func parseItem(line string) (m itemMark, ok bool) {
	columns, n := md.Indent(line)
	text := line[n:]
	size := md.ListMark(text)
	if size == 0 || md.Rule(text) {
		return m, false
	}
	blanks, _ := md.Indent(text[size:])
	if blanks < 1 || blanks > 4 {
		blanks = 1
	}
	return itemMark{columns, columns + size + blanks, text[size-1]}, true
}

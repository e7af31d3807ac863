package offline

import (
	"strings"
)

// scanner cuts the content of a document into sections and passages, one line
// at a time. It knows as much markdown as quoting needs: where a thing begins
// and where it ends.
type scanner struct {
	doc     *document
	text    string
	lines   []span
	current int   // section
	open    []int // headings that enclose the current line, outermost first
	groups  int
	tags    []string // from the frontmatter
}

func (sc *scanner) line(i int) string { return sc.text[sc.lines[i].start:sc.lines[i].end] }

func (sc *scanner) scan() {
	for start := 0; start <= len(sc.text); {
		end := strings.IndexByte(sc.text[start:], '\n')
		if end < 0 {
			sc.lines = append(sc.lines, span{start, len(sc.text)})
			break
		}
		sc.lines = append(sc.lines, span{start, start + end})
		start += end + 1
	}
	for i := sc.frontmatter(); i < len(sc.lines); {
		i = sc.block(i)
	}
	sc.closeSection(0)
}

// block takes what begins at line i and returns the line after it.
func (sc *scanner) block(i int) int {
	line := sc.line(i)
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "" || isRule(trimmed):
		return i + 1
	case fenceOf(line) != "":
		end := sc.fenceEnd(i)
		sc.add(passage{kind: code, text: sc.range_(i, end)})
		return end
	case trimmed == "$$":
		end := sc.until(i+1, func(l string) bool { return strings.HasSuffix(strings.TrimSpace(l), "$$") })
		sc.add(passage{kind: code, text: sc.range_(i, end)})
		return end
	case strings.HasPrefix(trimmed, "<!--"):
		return sc.until(i, func(l string) bool { return strings.Contains(l, "-->") })
	case trimmed == "%%":
		return sc.until(i+1, func(l string) bool { return strings.Contains(l, "%%") })
	case headingLevel(line) > 0:
		sc.heading(headingLevel(line), headingText(trimmed[headingLevel(line):]), i, i+1)
		return i + 1
	case trimmed[0] == '>':
		return sc.quote(i)
	case sc.tableAt(i):
		return sc.table(i)
	case indentOf(line) < 4 && markerLen(trimmed) > 0:
		return sc.list(i)
	case indentOf(line) >= 4:
		end := i + 1
		for end < len(sc.lines) && indentOf(sc.line(end)) >= 4 && strings.TrimSpace(sc.line(end)) != "" {
			end++
		}
		sc.add(passage{kind: code, text: sc.range_(i, end)})
		return end
	}
	return sc.paragraph(i)
}

// range_ is the text of the lines from..to-1, with the indentation of the
// first.
func (sc *scanner) range_(from, to int) span {
	return span{sc.lines[from].start, sc.lines[to-1].end}
}

// until returns the line after the first one from i on that stop accepts.
func (sc *scanner) until(i int, stop func(string) bool) int {
	for ; i < len(sc.lines); i++ {
		if stop(sc.line(i)) {
			return i + 1
		}
	}
	return len(sc.lines)
}

func (sc *scanner) add(p passage) {
	p.section = sc.current
	if strings.TrimSpace(sc.text[p.text.start:p.text.end]) != "" {
		sc.doc.passages = append(sc.doc.passages, p)
	}
}

// frontmatter returns the first line after the properties, and keeps the
// tags and aliases.
func (sc *scanner) frontmatter() int {
	if sc.doc.item.StartLine > 1 || sc.line(0) != "---" {
		return 0
	}
	for end := 1; end < len(sc.lines); end++ {
		if l := strings.TrimRight(sc.line(end), " \t"); l == "---" || l == "..." {
			sc.tags = asTags(property(sc.lines[1:end], sc.text, "tags", "tag"))
			sc.doc.aliases = property(sc.lines[1:end], sc.text, "aliases", "alias")
			return end + 1
		}
	}
	return 0
}

// heading begins a section at the lines from..to-1.
func (sc *scanner) heading(level int, title string, from, to int) {
	sc.closeSection(level)
	for len(sc.open) > 0 && sc.doc.sections[sc.open[len(sc.open)-1]].level >= level {
		sc.open = sc.open[:len(sc.open)-1]
	}
	parent := 0
	if n := len(sc.open); n > 0 {
		parent = sc.open[n-1]
	}
	sc.current = len(sc.doc.sections)
	sc.open = append(sc.open, sc.current)
	sc.doc.sections = append(sc.doc.sections, section{level: level, title: title, parent: parent, line: sc.range_(from, to)})
}

// closeSection ends the current section before a heading of this level, or at
// the end of the document (0). A heading with nothing below it is a passage of
// its own, or its words could not be found.
func (sc *scanner) closeSection(level int) {
	s := sc.doc.sections[sc.current]
	if sc.current == 0 || level > s.level {
		return
	}
	if n := len(sc.doc.passages); n == 0 || sc.doc.passages[n-1].section != sc.current {
		sc.add(passage{kind: heading, text: s.line})
	}
}

func (sc *scanner) paragraph(i int) int {
	end := i + 1
	for end < len(sc.lines) {
		line := sc.line(end)
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || headingLevel(line) > 0 || fenceOf(line) != "" || trimmed[0] == '>' {
			break
		}
		if level := underline(trimmed); level > 0 {
			sc.heading(level, strings.Join(strings.Fields(sc.text[sc.lines[i].start:sc.lines[end-1].end]), " "), i, end+1)
			return end + 1
		}
		if indentOf(line) < 4 && markerLen(trimmed) > 0 || sc.tableAt(end) {
			break
		}
		end++
	}
	for _, w := range windows(sc.text, sc.range_(i, end)) {
		sc.add(passage{kind: paragraph, text: w})
	}
	return end
}

// quote takes the lines of a quote or callout. One that is too long to stay
// whole is cut where it has a blank line.
func (sc *scanner) quote(i int) int {
	end := i + 1
	for end < len(sc.lines) && strings.HasPrefix(strings.TrimSpace(sc.line(end)), ">") {
		end++
	}
	whole := sc.range_(i, end)
	if whole.end-whole.start <= 2*wholeBytes {
		sc.add(passage{kind: quoted, text: whole})
		return end
	}
	context := span{}
	if first := strings.TrimLeft(sc.line(i), "> \t"); strings.HasPrefix(first, "[!") {
		context = sc.lines[i]
	}
	from := i
	for at := i; at <= end; at++ {
		if at < end && strings.Trim(sc.line(at), "> \t") != "" {
			continue
		}
		if at > from {
			p := passage{kind: quoted, text: sc.range_(from, at)}
			if from > i {
				p.context = context
			}
			sc.add(p)
		}
		from = at + 1
	}
	return end
}

// tableAt reports whether a table begins at line i.
func (sc *scanner) tableAt(i int) bool {
	return i+1 < len(sc.lines) && strings.Contains(sc.line(i), "|") && isDelimiterRow(sc.line(i+1))
}

func (sc *scanner) table(i int) int {
	sc.groups++
	header := sc.range_(i, i+2)
	end, row := i+2, 0
	for ; end < len(sc.lines) && strings.Contains(sc.line(end), "|"); end++ {
		row++
		sc.add(passage{kind: tableRow, text: sc.lines[end], context: header, group: sc.groups, item: row})
	}
	if row == 0 {
		sc.add(passage{kind: tableRow, text: header, group: sc.groups, item: 1})
	}
	return end
}

// item is one list item while its list is read.
type item struct {
	indent int
	own    span // its own lines
	end    int  // of its last child
}

func (sc *scanner) list(i int) int {
	sc.groups++
	items, end := sc.listItems(i)
	nth := 0
	for at := 0; at < len(items); {
		nth++
		at = sc.emit(items, at, nth, span{})
	}
	return end
}

// listItems reads the items of the list that begins at line i, in order, and
// returns the line after the list.
func (sc *scanner) listItems(i int) ([]item, int) {
	var items []item
	end := i
	for end < len(sc.lines) {
		line := sc.line(end)
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			next := end + 1
			if next >= len(sc.lines) || strings.TrimSpace(sc.line(next)) == "" || !sc.continues(next) {
				break
			}
			end = next
			continue
		}
		if headingLevel(line) > 0 || indentOf(line) == 0 && (trimmed[0] == '>' || fenceOf(line) != "" || isRule(trimmed)) {
			break
		}
		if markerLen(trimmed) > 0 {
			items = append(items, item{indent: indentOf(line), own: sc.lines[end]})
			sc.keepItem(trimmed, sc.lines[end])
			end++
			continue
		}
		if f := fenceOf(strings.TrimSpace(line)); f != "" && indentOf(line) > 0 {
			end = sc.fenceEnd(end)
			items[len(items)-1].own.end = sc.lines[end-1].end
			continue
		}
		items[len(items)-1].own.end = sc.lines[end].end
		end++
	}
	for k := range items {
		items[k].end = items[k].own.end
		for c := k + 1; c < len(items) && items[c].indent > items[k].indent; c++ {
			items[k].end = items[c].own.end
		}
	}
	return items, end
}

// continues reports whether line i, after a blank one, still belongs to a
// list.
func (sc *scanner) continues(i int) bool {
	line := sc.line(i)
	return indentOf(line) >= 2 || markerLen(strings.TrimSpace(line)) > 0 && !isRule(strings.TrimSpace(line))
}

// emit adds items[at] and what hangs on it: as one passage if it is small, or
// else one passage for each, with the item above as context. It returns the
// index of the next item that is not below items[at].
func (sc *scanner) emit(items []item, at, nth int, context span) int {
	it := items[at]
	next := at + 1
	for next < len(items) && items[next].indent > it.indent {
		next++
	}
	p := passage{kind: listItem, text: span{it.own.start, it.end}, context: context, group: sc.groups, item: nth}
	if it.end-it.own.start <= wholeBytes || next == at+1 {
		sc.add(p)
		return next
	}
	p.text = it.own
	sc.add(p)
	for child := at + 1; child < next; {
		child = sc.emit(items, child, nth, it.own)
	}
	return next
}

// keepItem notes an item for lists of items and of tasks.
func (sc *scanner) keepItem(trimmed string, line span) {
	e := entry{text: line, section: sc.current}
	if state, ok := taskState(trimmed); ok {
		e.done = state != ' '
		sc.doc.tasks = append(sc.doc.tasks, e)
	}
	sc.doc.items = append(sc.doc.items, e)
}

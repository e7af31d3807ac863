package offline

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// span is a range of bytes in the content of a document.
type span struct{ start, end int }

// passage is ranked and quoted as a whole.
type passage struct {
	kind    md.Kind
	section int
	text    span
	header  span // of a table, above each of its rows
	group   int  // lists and tables: which one, from 1; 0 for the rest
	words   int  // length in terms
}

// section is the text below one heading; section 0 is the text above
// the first.
type section struct {
	level  int
	title  string // as written, without marks
	parent int
	line   span // the heading
}

// document is an item prepared for quoting: cut into passages, and indexed.
// It is never changed once made, and shared between requests.
type document struct {
	item     prompt.Item
	sections []section
	passages []passage // of the text, and behind them properties
	text     int       // how many are of the text
	aliases  []string
	groups   int
	index    postings
}

func prepare(item prompt.Item) *document {
	d := &document{item: item, sections: []section{{}}}
	if item.Source != nil && item.Source.Heading != "" && !strings.Contains(item.Content, "# "+item.Source.Heading) {
		d.sections = append(d.sections, section{level: 1, title: item.Source.Heading}) // it stands above the passage
	}
	properties, from, _ := md.Frontmatter(item.Content)
	d.aliases = append(aliases(properties), item.Aliases...)
	for b := range md.Blocks(item.Content, from) {
		d.add(b)
	}
	d.closeSection(0)
	d.text = len(d.passages)
	if i := strings.Index(item.Content, properties); properties != "" {
		d.addProperties(span{i, i + len(properties)})
	}
	d.build()
	return d
}

// addProperties appends the properties of a note, each with its value, but for those
// that organize notes and tell nothing.
func (d *document) addProperties(s span) {
	for at := s.start; at < s.end; {
		key, _, _ := strings.Cut(d.item.Content[at:s.end], ":")
		end := at
		for first := true; end < s.end && (first || strings.ContainsAny(d.item.Content[end:end+1], " \t-")); first = false {
			line, _, _ := strings.Cut(d.item.Content[end:s.end], "\n")
			end = min(end+len(line)+1, s.end)
		}
		text := strings.TrimRight(d.item.Content[at:end], " \t\n")
		if value := strings.Trim(strings.TrimPrefix(text, key), ": []\"'"); value != "" && !isIn("housekeeping", strings.ReplaceAll(strings.ToLower(key), " ", "-")) && len(text) <= sentenceBytes {
			d.passages = append(d.passages, passage{kind: md.Item, text: span{at, at + len(text)}})
		}
		at = end
	}
}

// add appends the passages of one block.
func (d *document) add(b md.Block) {
	p := passage{kind: b.Kind, section: len(d.sections) - 1, text: span{b.Start, b.End}}
	switch b.Kind {
	case md.Title:
		d.closeSection(b.Level)
		parent := p.section
		for parent > 0 && d.sections[parent].level >= b.Level {
			parent = d.sections[parent].parent
		}
		d.sections = append(d.sections, section{level: b.Level, title: b.Text, parent: parent, line: p.text})
		return
	case md.Paragraph:
		for _, w := range windows(d.item.Content, p.text) {
			p.text = w
			d.passages = append(d.passages, p)
		}
		return
	case md.Table:
		d.rows(p)
		return
	case md.Item:
		if n := len(d.passages); n == 0 || d.passages[n-1].kind != md.Item || d.passages[n-1].section != p.section {
			d.groups++
		}
		p.group = d.groups
	case md.Code, md.Quote:
	}
	d.passages = append(d.passages, p)
}

// rows adds the rows of a table, each below the header.
func (d *document) rows(p passage) {
	d.groups++
	p.group = d.groups
	at := p.text.start
	for n := 1; at < p.text.end; n++ {
		row, _, _ := strings.Cut(d.item.Content[at:p.text.end], "\n")
		end := at + len(row)
		if n <= 2 {
			p.header = span{p.text.start, end}
		} else {
			d.passages = append(d.passages, passage{kind: p.kind, section: p.section, text: span{at, end}, header: p.header, group: p.group})
		}
		at = end + 1
	}
	if p.header == p.text { // no rows
		p.header = span{}
		d.passages = append(d.passages, p)
	}
}

// closeSection ends the last section before a heading of this level, or at the
// end of the document (0). A heading with nothing below it is a passage of its
// own, or its words could not be found.
func (d *document) closeSection(level int) {
	last := len(d.sections) - 1
	if last == 0 || level > d.sections[last].level {
		return
	}
	if n := len(d.passages); (n == 0 || d.passages[n-1].section != last) && d.sections[last].line != (span{}) {
		d.passages = append(d.passages, passage{kind: md.Title, section: last, text: d.sections[last].line})
	}
}

func (d *document) slice(s span) string { return d.item.Content[s.start:s.end] }

// line is the 1-based line of the note on which offset stands.
func (d *document) line(offset int) int {
	return strings.Count(d.item.Content[:offset], "\n") + max(1, d.item.StartLine)
}

// names are those that a question may have for the document.
func (d *document) names() []string {
	return append([]string{cmp.Or(d.item.Title, baseName(d.path0())), baseName(d.path0())}, d.aliases...)
}

// aliases are the other names that the properties give to a note.
func aliases(properties string) []string {
	var names []string
	inside := false
	for line := range strings.Lines(properties) {
		key, value, ok := strings.Cut(line, ":")
		item, listed := strings.CutPrefix(strings.TrimSpace(line), "-")
		if ok && !listed {
			inside, item = strings.EqualFold(key, "aliases"), strings.Trim(strings.TrimSpace(value), "[]")
		}
		for name := range strings.SplitSeq(item, ",") {
			if name = strings.Trim(name, " \"'"); inside && name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// path0 is the path of the note, or the address of a page.
func (d *document) path0() string {
	if d.item.Path != "" {
		return d.item.Path
	}
	path, _, _ := strings.Cut(d.item.ID, "#")
	return path
}

func baseName(path string) string {
	path = withoutMD(path)
	return path[strings.LastIndexByte(path, '/')+1:]
}

func withoutMD(path string) string {
	if n := len(path) - len(".md"); n > 0 && strings.EqualFold(path[n:], ".md") {
		return path[:n]
	}
	return path
}

// Paragraphs are cut into passages of a few sentences: long enough to be
// understood alone, short enough to be read in a list of five.
const (
	passageBytes  = 320 // sentences are added while the passage stays below this
	sentenceBytes = 480 // a longer sentence is cut at a space
)

// windows groups the sentences of a paragraph into passages.
func windows(text string, s span) []span {
	var out []span
	for _, sentence := range sentences(text, s) {
		if n := len(out); n > 0 && sentence.end-out[n-1].start <= passageBytes {
			out[n-1].end = sentence.end
			continue
		}
		out = append(out, sentence)
	}
	return out
}

// sentences cuts text[s] at full stops and the like, outside of code and
// links. Nothing but the white space between sentences is lost.
func sentences(text string, s span) []span {
	var out []span
	text = text[:s.end]
	start, brackets, ticks := s.start, 0, false
	for i := s.start; i < s.end; {
		r, n := utf8.DecodeRuneInString(text[i:])
		next := i + n
		switch {
		case r == '`':
			ticks = !ticks
		case r == '[' && !ticks:
			brackets++
		case r == ']' && !ticks:
			brackets = max(0, brackets-1)
		}
		long := next-start >= sentenceBytes
		if long || !ticks && brackets == 0 && endsSentence(text[start:i], r, text[next:]) {
			if long {
				next = cutBack(text, start, next)
			} else {
				next = len(text) - len(strings.TrimLeft(text[next:], closers))
			}
			out = appendSpan(out, text, start, next)
			start, ticks, brackets = next, false, 0
		}
		i = next
	}
	return appendSpan(out, text, start, s.end)
}

// closers may stand between the end of a sentence and the space after it.
const closers = `"'”’»)*_」』`

// appendSpan appends text[start:end] without the white space around it.
func appendSpan(out []span, text string, start, end int) []span {
	start = end - len(strings.TrimLeft(text[start:end], " \n\t"))
	end = start + len(strings.TrimRight(text[start:end], " \n\t"))
	if start == end {
		return out
	}
	return append(out, span{start, end})
}

// cutBack moves a cut that length forced back to the last space.
func cutBack(text string, start, end int) int {
	if i := strings.LastIndexAny(text[start:end], " \n\t"); i > (end-start)/2 {
		return start + i
	}
	return end
}

// endsSentence reports whether r ends the sentence before it.
func endsSentence(sentence string, r rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	open := after == "" || isSpace(next) || strings.ContainsRune(closers, next)
	switch r {
	case '。', '！', '？', '｡':
		return true
	case '!', '?', '…':
		return open
	case '.':
	default:
		return false
	}
	word := strings.ToLower(sentence[strings.LastIndexAny(sentence, " \n\t([\"'")+1:])
	if !open || strings.Trim(word, "0123456789") == "" { // "3. March", and a stop after nothing
		return false
	}
	return !isIn("abbreviations", word) && utf8.RuneCountInString(word) > 1
}

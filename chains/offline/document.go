package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// span is a range of bytes in the content of a document.
type span struct{ start, end int }

// passage is a part of a document that is ranked and quoted as a whole, with its scores for the question.
type passage struct {
	doc      *document
	n        int // index among the passages of the document
	kind     md.Kind
	section  *section
	text     span
	header   span // of a table, quoted with each of its rows
	group    int  // number of the list or table, from 1; 0 for other passages
	property bool // a property of the note, not text
	words    int  // length in terms

	found    []float64 // how much of each term of the question it contains, nil for nothing
	score    float64
	coverage float64
	own      bool // it contains a term of the question not only in the title
	expected bool // it contains the expected kind of thing
}

// section is the text below a heading. The first section of a document, which has no parent, is the text above all
// headings.
type section struct {
	level  int
	title  string // as written, without marks
	parent *section
	line   span     // the heading
	terms  []string // of the title; for the first section, of the names of the document
}

// document is an item of a request, split into passages.
type document struct {
	item     prompt.Item
	path     string // path of the note, or address of the page
	names    []string
	sections []*section
	passages []*passage // of the text, followed by the properties
	text     int        // number of passages of the text
	groups   int
}

func newDocument(item prompt.Item) *document {
	d := &document{item: item, path: item.Path}
	if d.path == "" {
		d.path, _, _ = strings.Cut(item.ID, "#")
	}
	base := baseName(d.path)
	d.names = append([]string{cmp.Or(item.Title, base), base}, item.Aliases...)
	root := d.addSection(0, "", span{})
	if item.Source != nil && item.Source.Heading != "" && !strings.Contains(item.Content, "# "+item.Source.Heading) {
		d.addSection(1, item.Source.Heading, span{}) // the heading is above the passage
	}
	properties, from, _ := md.Frontmatter(item.Content)
	for b := range md.Blocks(item.Content, from) {
		d.add(b)
	}
	d.closeSection(0)
	d.text = len(d.passages)
	if i := strings.Index(item.Content, properties); properties != "" {
		d.addProperties(root, i, i+len(properties))
	}
	root.terms = termsIn(strings.Join(d.names, " / "))
	slices.Sort(root.terms)
	root.terms = slices.Compact(root.terms)
	return d
}

// addSection begins a section. Its parent is the last section with a lower level.
func (d *document) addSection(level int, title string, line span) *section {
	s := &section{level: level, title: title, line: line, terms: termsIn(title)}
	if len(d.sections) > 0 {
		s.parent = d.section()
		for s.parent.parent != nil && s.parent.level >= level {
			s.parent = s.parent.parent
		}
	}
	d.sections = append(d.sections, s)
	return s
}

// section returns the last section.
func (d *document) section() *section { return d.sections[len(d.sections)-1] }

// addPassage appends a passage.
func (d *document) addPassage(p passage) {
	p.doc, p.n = d, len(d.passages)
	d.passages = append(d.passages, &p)
}

// addProperties appends the properties between two offsets as passages, each with its value. It leaves out those
// that only organize notes; aliases are added to the names.
func (d *document) addProperties(root *section, at, to int) {
	for _, lines := range property().FindAllStringIndex(d.item.Content[at:to], -1) {
		start := at + lines[0]
		text := strings.TrimRight(d.item.Content[start:at+lines[1]], " \t\n")
		key, value, _ := strings.Cut(text, ":")
		if strings.EqualFold(key, "aliases") {
			for name := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == '\n' }) {
				if name = strings.Trim(name, ":-[] \"'"); name != "" {
					d.names = append(d.names, name)
				}
			}
		}
		housekeeping := isIn("housekeeping", strings.ReplaceAll(strings.ToLower(key), " ", "-"))
		if strings.Trim(value, ": []\"'") != "" && !housekeeping && len(text) <= sentenceBytes {
			d.addPassage(passage{kind: md.Item, section: root, text: span{start, start + len(text)}, property: true})
		}
	}
}

// property matches the lines of a property: those that are indented or items belong to the one above them.
var property = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`.*\n?(?:[ \t-].*\n?)*`) })

// add appends the passages of one block.
func (d *document) add(b md.Block) {
	p := passage{kind: b.Kind, section: d.section(), text: span{b.Start, b.End}}
	switch b.Kind {
	case md.Title:
		d.closeSection(b.Level)
		d.addSection(b.Level, b.Text, p.text)
		return
	case md.Paragraph:
		for _, p.text = range groupSentences(d.item.Content, p.text) {
			d.addPassage(p)
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
	d.addPassage(p)
}

// rows appends the rows of a table, each with the header.
func (d *document) rows(p passage) {
	d.groups++
	p.group = d.groups
	whole := p.text
	at := whole.start
	for n := 1; at < whole.end; n++ {
		row, _, _ := strings.Cut(d.item.Content[at:whole.end], "\n")
		end := at + len(row)
		if n <= 2 {
			p.header = span{whole.start, end}
		} else {
			p.text = span{at, end}
			d.addPassage(p)
		}
		at = end + 1
	}
	if p.header == whole { // no rows
		p.header, p.text = span{}, whole
		d.addPassage(p)
	}
}

// closeSection ends the last section before a heading of this level, or with 0 at the end of the document. A
// heading without text becomes a passage of its own, because otherwise its words could not be found.
func (d *document) closeSection(level int) {
	last := d.section()
	if last.parent == nil || level > last.level {
		return
	}
	if n := len(d.passages); (n == 0 || d.passages[n-1].section != last) && last.line != (span{}) {
		d.addPassage(passage{kind: md.Title, section: last, text: last.line})
	}
}

func (d *document) slice(s span) string { return d.item.Content[s.start:s.end] }

// line returns the line of the note, from 1, at an offset.
func (d *document) line(offset int) int {
	return strings.Count(d.item.Content[:offset], "\n") + max(1, d.item.StartLine)
}

// isTitle reports whether a section is the whole note: its heading is the first and repeats the name of the note.
func (d *document) isTitle(s *section) bool {
	return s.level <= 1 && slices.Contains(d.sections[:min(2, len(d.sections))], s) &&
		slices.ContainsFunc(d.names, func(n string) bool { return strings.EqualFold(n, s.title) })
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

// Paragraphs are split into passages of a few sentences: long enough to be understood alone, short enough for a
// list of five.
const (
	passageBytes  = 320 // sentences are added while the passage stays below this
	sentenceBytes = 480 // a longer sentence is cut at a space
)

// groupSentences groups the sentences of a paragraph into passages.
func groupSentences(text string, s span) []span {
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

// sentences splits text[s] at the ends of sentences, outside of code and links. It drops only the white space
// between them.
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

// closers are characters that may follow the end of a sentence.
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

// cutBack moves a forced cut back to the last space, if that is in the second half.
func cutBack(text string, start, end int) int {
	if i := strings.LastIndexAny(text[start:end], " \n\t"); i > (end-start)/2 {
		return start + i
	}
	return end
}

// endsSentence reports whether r ends the sentence before it.
func endsSentence(sentence string, r rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	open := after == "" || unicode.IsSpace(next) || strings.ContainsRune(closers, next)
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
	if !open || strings.Trim(word, "0123456789") == "" { // "3. March", or only a full stop
		return false
	}
	return !isIn("abbreviations", word) && utf8.RuneCountInString(word) > 1
}

package offline

import (
	"strings"
	"unicode/utf8"

	"ibid/context/prompt"
)

// span is a range of bytes in the content of a document.
type span struct{ start, end int }

// blockKind says how a passage is quoted.
type blockKind uint8

const (
	paragraph blockKind = iota
	listItem
	tableRow
	code
	quoted  // a quote or callout: its lines bring their own markers
	heading // a heading with nothing below it
)

// passage is what is ranked and quoted as a whole.
type passage struct {
	kind    blockKind
	section int
	text    span
	context span // the header of a table, or the item above a nested one; empty for most
	group   int  // lists and tables: which one, from 1; 0 for the rest
	item    int  // lists and tables: which item or row of the group, from 1
	words   int  // length in terms
}

// section is what stands below one heading; section 0 is what stands above
// the first.
type section struct {
	level  int
	title  string // as written, without markers
	parent int
	line   span // the heading line
}

// entry is one thing that a person can ask for in a list.
type entry struct {
	text    span
	section int
	done    bool // tasks
}

// document is an item prepared for quoting: cut into passages, and indexed.
// It is never changed once made, and shared between requests.
type document struct {
	item     prompt.Item
	sections []section
	passages []passage
	tasks    []entry
	items    []entry
	links    []string // targets of wikilinks and markdown links as written, once each
	tags     []string // with '#', once each
	aliases  []string // from the frontmatter
	index    postings
}

func prepare(item prompt.Item) *document {
	d := &document{item: item, sections: []section{{}}}
	sc := scanner{doc: d, text: item.Content}
	sc.scan()
	d.links = linksIn(item.Content)
	d.tags = mergeTags(sc.tags, tagsIn(item.Content))
	d.build()
	return d
}

func (d *document) slice(s span) string { return d.item.Content[s.start:s.end] }

// line is the 1-based line of the note on which offset stands.
func (d *document) line(offset int) int {
	n := strings.Count(d.item.Content[:offset], "\n") + 1
	if d.item.StartLine > 0 {
		n += d.item.StartLine - 1
	}
	return n
}

// name is what the document is called.
func (d *document) name() string {
	if d.item.Title != "" {
		return d.item.Title
	}
	return baseName(d.path0())
}

// names are what a question may call the document.
func (d *document) names() []string {
	return append([]string{d.name(), baseName(d.path0())}, d.aliases...)
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
	wholeBytes    = 520 // a list item, quote or callout up to this size is never taken apart
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

// sentences cuts text[s] at full stops and the like. Nothing but the white
// space between sentences is lost.
func sentences(text string, s span) []span {
	var out []span
	start, i := s.start, s.start
	ticks, brackets := false, 0
	for i < s.end {
		r, n := utf8.DecodeRuneInString(text[i:s.end])
		next := i + n
		switch {
		case r == '`':
			ticks = !ticks
		case r == '[' && !ticks:
			brackets++
		case r == ']' && !ticks:
			brackets = max(0, brackets-1)
		}
		inside := ticks || brackets > 0
		if !inside && endsSentence(text[:s.end], start, i, r, next) || next-start >= sentenceBytes {
			next = sentenceEnd(text[:s.end], start, next, next-start >= sentenceBytes)
			out = appendSpan(out, text, start, next)
			start, ticks, brackets = next, false, 0
		}
		i = next
	}
	return appendSpan(out, text, start, s.end)
}

// appendSpan appends text[start:end] without the white space around it.
func appendSpan(out []span, text string, start, end int) []span {
	for start < end && isSpace(rune(text[start])) {
		start++
	}
	for end > start && isSpace(rune(text[end-1])) {
		end--
	}
	if start == end {
		return out
	}
	return append(out, span{start, end})
}

// sentenceEnd moves the end of a sentence behind closing quotes, or a cut that
// length forced back to the last space.
func sentenceEnd(text string, start, end int, forced bool) int {
	if forced {
		if i := strings.LastIndexAny(text[start:end], " \n\t"); i > sentenceBytes/2 {
			return start + i
		}
		return end
	}
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(`"'”’»)*_」』`, r) {
			break
		}
		end += n
	}
	return end
}

// abbreviations that end in a full stop without ending a sentence, folded.
var abbreviations = map[string]bool{
	"e.g": true, "i.e": true, "etc": true, "vs": true, "cf": true, "mr": true, "mrs": true, "ms": true, "dr": true, "st": true,
	"prof": true, "no": true, "fig": true, "p": true, "pp": true, "approx": true, "ca": true, "nr": true, "bzw": true,
	"z.b": true, "d.h": true, "u.a": true, "usw": true, "vgl": true, "abb": true, "str": true, "т.е": true, "т.д": true,
}

// endsSentence reports whether the rune r at text[at:next] ends the sentence
// that began at start.
func endsSentence(text string, start, at int, r rune, next int) bool {
	switch r {
	case '。', '！', '？', '｡':
		return true
	case '!', '?', '…':
		return next == len(text) || isCloser(text[next:])
	case '.':
	default:
		return false
	}
	if next < len(text) && !isCloser(text[next:]) {
		return false
	}
	word := text[start:at]
	word = fold(word[strings.LastIndexAny(word, " \n\t([\"'")+1:])
	if strings.Trim(word, "0123456789") == "" { // "3. March", and a stop after nothing
		return false
	}
	return !abbreviations[dotted(text[start:at])] && !abbreviations[word] && utf8.RuneCountInString(word) > 1
}

// dotted is the last word of s with its inner full stops.
func dotted(s string) string {
	return strings.ToLower(s[strings.LastIndexAny(s, " \n\t([\"'")+1:])
}

// isCloser reports whether what follows a full stop lets it end a sentence.
func isCloser(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return isSpace(r) || strings.ContainsRune(`"'”’»)*_`, r)
}

package index

import (
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/syntax"
	"ibid/vault/md"
)

// page is the text of a note, by its lines, which are counted from 1.
type page struct {
	*vault.Text
	starts []int // of the lines
}

func newPage(text *vault.Text) *page {
	p, at := &page{text, append(make([]int, 0, 64), 0)}, 0
	for line := range strings.Lines(text.Content) {
		if at > 0 {
			p.starts = append(p.starts, at)
		}
		at += len(line)
	}
	return p
}

func (p *page) count() int { return len(p.starts) }

// start is where a line starts; one behind the last at the end of the text.
func (p *page) start(line int) int {
	if line > len(p.starts) {
		return len(p.Content)
	}
	return p.starts[line-1]
}

// between gives the text of some lines.
func (p *page) between(first, last int) string {
	return p.Content[p.start(first):p.start(last+1)]
}

// lineOf is the line that the byte at is on.
func (p *page) lineOf(at int) int {
	n, found := slices.BinarySearch(p.starts, at)
	if found {
		n++
	}
	return n
}

// body is the line on which the text below the properties starts.
func (p *page) body() int { return max(p.Note.BodyLine, 1) }

// bodyStart is where the text below the properties starts.
func (p *page) bodyStart() int { return p.start(p.body()) }

// section is the part of a note from one heading to the next: what is indexed
// and found as one.
type section struct {
	heading    string // text of the heading, "" before the first
	trail      string // the headings above it and its own
	start, end int    // lines, inclusive
	from, to   int    // byte offsets of its text, without the heading's own
}

// sections cuts a note at its headings. Properties and what stands before the
// first heading are a section of their own.
func (p *page) sections() (list []section) {
	heads := append([]vault.Heading{{}}, p.Note.Headings...)
	var above []vault.Heading
	for i, h := range heads {
		end := p.count()
		if i+1 < len(heads) {
			end = heads[i+1].Line - 1
		}
		above = append(slices.DeleteFunc(above, func(a vault.Heading) bool { return a.Level >= h.Level }), h)
		s := section{heading: h.Text, start: max(h.Line, 1), end: end, from: p.start(h.Line + 1), to: p.start(max(h.Line, end) + 1)}
		for _, a := range above[1:] {
			s.trail += a.Text + "\n"
		}
		if i > 0 || len(heads) == 1 || strings.TrimSpace(p.Content[:s.to]) != "" {
			list = append(list, s)
		}
	}
	return list
}

// pieceRunes bounds the pieces of sections that are ranked by themselves.
const pieceRunes = 2000

// piece is a section, or a part of a long one that ends at a line, if need be at a
// sentence.
type piece struct {
	*section
	from, to int // byte offsets in the text of the note
}

// pieces cuts the sections of a note into pieces.
func (p *page) pieces() (list []piece) {
	all := p.sections()
	for i := range all {
		s := &all[i]
		for from, more := s.from, true; more; {
			to := from + breakAt(p.Content[from:s.to], pieceRunes)
			list = append(list, piece{s, from, to})
			from, more = to, to < s.to
		}
	}
	return list
}

// parts are the lines of each part of the page that an operator names.
func (p *page) parts(op syntax.Op) (list []lineRange) {
	switch op {
	case syntax.Line:
		for n := range p.count() {
			list = append(list, lineRange{n + 1, n + 1})
		}
	case syntax.Section:
		for _, s := range p.sections() {
			list = append(list, lineRange{s.start, max(s.start, s.end)})
		}
	case syntax.Block:
		for b := range md.Blocks(p.Content, p.bodyStart()) {
			list = append(list, lineRange{p.lineOf(b.Start), p.lineOf(max(b.End-1, b.Start))})
		}
	default:
		return p.tasks(op)
	}
	return list
}

// listItem is the mark of an item of a list, in a quote or not, and the box of a task.
var listItem = regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?:[ \t]|$))?`)

// tasks are the lines of each task that op asks for, and those below it up to the next
// item or blank line.
func (p *page) tasks(op syntax.Op) (list []lineRange) {
	var fences md.Fences
	open := false // the last of the list goes on
	for n := p.body(); n <= p.count(); n++ {
		line := strings.TrimSuffix(p.between(n, n), "\n")
		code := fences.Line(line) || fences.Kind() != md.TextLine
		if item := listItem.FindStringSubmatch(line); !code && item != nil {
			if open = item[1] != "" && (op == syntax.Task || (op == syntax.TaskTodo) == (item[1] == " ")); open {
				list = append(list, lineRange{n, n})
			}
		} else if open = open && (code || strings.Trim(line, " \t>") != ""); open {
			list[len(list)-1].to = n
		}
	}
	return list
}

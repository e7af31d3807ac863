package index

import (
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/syntax"
	"ibid/vault/md"
)

// page is the text of a note with the places of its lines, which are counted from 1.
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

// start returns the offset of a line; that of a line behind the last is the end of the text.
func (p *page) start(line int) int {
	if line > len(p.starts) {
		return len(p.Content)
	}
	return p.starts[line-1]
}

// between returns the text of some lines.
func (p *page) between(first, last int) string {
	return p.Content[p.start(first):p.start(last+1)]
}

// lineOf returns the line of an offset.
func (p *page) lineOf(at int) int {
	n, found := slices.BinarySearch(p.starts, at)
	if found {
		n++
	}
	return n
}

// body returns the first line below the properties.
func (p *page) body() int { return max(p.Note.BodyLine, 1) }

// bodyStart returns the offset of the text below the properties.
func (p *page) bodyStart() int { return p.start(p.body()) }

// parts returns the parts of the page that an operator looks at.
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

// listItem matches the mark of a list item, in a quote or not, and the box of a task.
var listItem = regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?:[ \t]|$))?`)

// tasks returns the tasks of an operator, each with the lines below it up to the next item or blank
// line.
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

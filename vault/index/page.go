package index

import (
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/syntax"
	"ibid/vault/md"
)

// page is the text of a note while it is looked at.
type page struct {
	text *vault.Text
	lines
	hit lineRange // that an operator or an expression found first
}

// parts are the lines of each part of the page that an operator names.
func (p *page) parts(op syntax.Op) (list []lineRange) {
	switch op {
	case syntax.Line:
		for n := range p.count() {
			list = append(list, lineRange{n + 1, n + 1})
		}
	case syntax.Section:
		for _, s := range sections(p.text) {
			list = append(list, lineRange{s.start, max(s.start, s.end)})
		}
	case syntax.Block:
		for b := range md.Blocks(p.text.Content, p.start(p.body())) {
			list = append(list, lineRange{p.lineOf(b.Start), p.lineOf(max(b.End-1, b.Start))})
		}
	default:
		return p.tasks(op)
	}
	return list
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
func (p *page) body() int { return min(max(p.text.Note.BodyLine, 1), p.count()) }

// listItem is the mark of an item of a list, in a quote or not, and the box of a task.
var listItem = regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?:[ \t]|$))?`)

// tasks are the lines of each task that op asks for, and those below it up to the next
// item or blank line.
func (p *page) tasks(op syntax.Op) (list []lineRange) {
	var fences md.Fences
	start := 0
	for n := p.body(); n <= p.count()+1; n++ {
		line := ""
		if n <= p.count() {
			line = strings.TrimSuffix(p.between(n, n), "\n")
			if fences.Line(line) || fences.Kind() != md.TextLine {
				continue
			}
		}
		item := listItem.FindStringSubmatch(line)
		if item == nil && strings.Trim(line, " \t>") != "" {
			continue
		}
		if start > 0 {
			list = append(list, lineRange{start, n - 1})
		}
		if start = 0; item != nil && item[1] != "" && (op == syntax.Task || (op == syntax.TaskTodo) == (item[1] == " ")) {
			start = n
		}
	}
	return list
}

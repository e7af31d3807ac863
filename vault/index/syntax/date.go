package syntax

import (
	"strings"
	"unicode"

	"ibid/vault/dates"
)

// date reads what stands behind after:, before: and on:, which may be several
// words: as many as make a date.
func (p *parser) date(name string) *Node {
	start := p.at
	var r dates.Range
	found := false
	switch p.rest()[0] {
	case '"', '(':
		text := p.quoted()
		r, found = dates.Parse(text, p.now)
	default:
		var ends []int
		for at := p.at; len(ends) < maxDate && at < len(p.text); {
			end := strings.IndexFunc(p.text[at:], func(r rune) bool { return unicode.IsSpace(r) || r == ')' })
			if end < 0 {
				end = len(p.text) - at
			}
			ends = append(ends, at+end)
			if at += end; strings.HasPrefix(p.text[at:], ")") {
				break
			}
			next := strings.IndexFunc(p.text[at:], func(r rune) bool { return !unicode.IsSpace(r) })
			if next < 0 {
				break
			}
			at += next
		}
		p.at = ends[0]
		for i := len(ends) - 1; i >= 0 && !found; i-- {
			if r, found = dates.Parse(p.text[start:ends[i]], p.now); found {
				p.at = ends[i]
			}
		}
	}
	if !found {
		p.tell("%s:%s is left out: that is no date; dates are such as 2025-08-20, yesterday or \"last week\"", name, quoteText(p.text[start:p.at]))
		return nil
	}
	switch name {
	case "after":
		r = dates.Range{From: r.Until}
	case "before":
		r = dates.Range{Until: r.From}
	}
	return &Node{Op: Date, Range: r}
}

// quoted is the text of what is in quotation marks or parentheses.
func (p *parser) quoted() string {
	closing := `"`
	if p.rest()[0] == '(' {
		closing = ")"
	}
	p.at++
	text, _, ok := strings.Cut(p.rest(), closing)
	p.at += len(text)
	if ok {
		p.at++
	}
	return strings.TrimSpace(text)
}

package syntax

import (
	"strings"

	"ibid/vault/dates"
)

// date reads what stands behind after:, before: and on:, which may be several
// words: as many as make a date.
func (p *parser) date(name string) *Node {
	start := p.at
	var r dates.Range
	found := false
	if m := p.take(quotedDate); m != nil {
		r, found = dates.Parse(strings.TrimSpace(m[1]+m[2]), p.now)
	} else {
		var words []string
		for word := range strings.FieldsSeq(p.rest()) {
			word, _, closed := strings.Cut(word, ")")
			if words = append(words, word); closed || len(words) == maxDate {
				break
			}
		}
		n := len(words) + 1
		for n > 1 && !found {
			n--
			r, found = dates.Parse(strings.Join(words[:n], " "), p.now)
		}
		for _, word := range words[:n] {
			p.at += strings.Index(p.rest(), word) + len(word)
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

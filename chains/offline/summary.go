package offline

import (
	"fmt"
	"slices"

	"ibid/vault/md"
)

// Limits of a summary.
const (
	maxNotes    = 6
	maxSections = 8 // of one note; several notes share them, with at least two each
)

// summarize quotes the beginnings of the sections, which mostly say what these are about.
func (s *shelf) summarize(p *page, q request) {
	docs := q.docs[:min(len(q.docs), maxNotes)]
	if !slices.ContainsFunc(docs, func(d *document) bool { return len(d.beginnings()) > 0 }) {
		p.para("No text stands in " + linkAll(docs) + ".")
		return
	}
	p.para("The main sentences of " + linkAll(docs) + ":")
	for _, d := range docs {
		all := d.beginnings()
		picks := all[:min(len(all), max(2, maxSections/len(docs)))]
		p.quote(s.parts(picks))
		if left := len(all) - len(picks); left > 0 {
			p.para(fmt.Sprintf("(%s of %s left out.)", md.Plural(left, "more section"), d.place("")))
		}
	}
	if more := q.docs[len(docs):]; len(more) > 0 {
		p.para("Not summarized here: " + linkAll(more) + ".")
	}
}

// beginnings returns the first passage of each section that has text.
func (d *document) beginnings() (all []*passage) {
	for i, p := range d.passages {
		if p.kind != md.Title && (i == 0 || d.passages[i-1].section != p.section) {
			all = append(all, p)
		}
	}
	return all
}

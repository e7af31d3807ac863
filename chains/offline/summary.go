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
	if !slices.ContainsFunc(docs, func(d *document) bool { return d.text > 0 }) {
		p.para("No text stands below the properties of " + linkAll(docs) + ".")
		return
	}
	p.para("The main sentences of " + linkAll(docs) + ":")
	for _, d := range docs {
		picks, left := d.digest(max(2, maxSections/len(docs)))
		p.quote(s.parts(picks))
		if left > 0 {
			p.para(fmt.Sprintf("(%s of %s left out.)", md.Plural(left, "more section"), d.place("")))
		}
	}
	if more := q.docs[len(docs):]; len(more) > 0 {
		p.para("Not summarized here: " + linkAll(more) + ".")
	}
}

// digest returns the beginnings of the first sections, up to quota of them: one sentence each, or up to three if
// the note has few sections, and the first items, rows or code of a section without sentences. left is the number
// of further sections.
func (d *document) digest(quota int) (picks []*passage, left int) {
	text, written := d.passages[:d.text], map[*section]bool{}
	for _, p := range text {
		if p.kind != md.Title {
			written[p.section] = true
		}
	}
	if len(written) == 0 { // nothing but headings
		return text[:min(len(text), quota)], 0
	}
	each := min(3, (quota+len(written)-1)/len(written))
	taken := map[*section]int{}
	for _, p := range text {
		n := taken[p.section]
		if !written[p.section] || n == 0 && len(taken) == quota || n > 0 && p.kind != md.Paragraph &&
			picks[len(picks)-1].kind == md.Paragraph {
			continue
		}
		spans := []span{p.text}
		if p.kind == md.Paragraph {
			spans = sentences(d.item.Content, p.text)
		}
		for _, s := range spans[:min(len(spans), each-n)] {
			pick := *p
			pick.text = s
			picks = append(picks, &pick)
			taken[p.section]++
		}
	}
	return picks, len(written) - len(taken)
}

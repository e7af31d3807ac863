package offline

import (
	"fmt"
	"slices"
	"strings"
)

// mostListed is how many things one list names.
const mostListed = 60

// list writes the headings, tasks, items, links or tags of the documents. It
// reports false if the question narrows the list down to nothing, so that an
// ordinary search may still find something.
func (s *shelf) list(p *page, q request) bool {
	found, total := 0, 0
	var bare []int
	budget := mostListed
	var body page
	for _, i := range q.docs {
		lines, n := s.listOf(i, q, budget)
		total += n
		if n == 0 {
			bare = append(bare, i)
			continue
		}
		found++
		body.para(fmt.Sprintf("%s: %s.", s.link(i), s.count(i, q, n)))
		for _, l := range lines {
			body.para(l.text)
			budget -= l.things
		}
	}
	switch {
	case found == 0 && topical(q.terms):
		return false
	case found == 0:
		p.para(fmt.Sprintf("There is no %s in %s.", listingName(q, 1), s.names(q.docs)))
		return true
	}
	p.para(body.String())
	if total > mostListed {
		p.para(fmt.Sprintf("(%d more are left out.)", total-mostListed))
	}
	if len(bare) > 0 && found > 0 && len(q.docs) <= mostNotes {
		p.para(fmt.Sprintf("None in %s.", s.names(bare)))
	}
	return true
}

// chunk is a paragraph of a list.
type chunk struct {
	text   string
	things int
}

// listOf is the list of one document, at most most things of it, and how many
// there are in all.
func (s *shelf) listOf(i int, q request, most int) ([]chunk, int) {
	d := s.docs[i]
	switch q.listing {
	case headings:
		return s.headingList(i, q, most)
	case tasks, items:
		return s.entryList(i, q, most)
	case links:
		return flat(d.links, q, most, "- ", "\n")
	case tags:
		return flat(d.tags, q, most, "", " ")
	}
	return nil, 0
}

// flat joins the words that the question asks for.
func flat(all []string, q request, most int, mark, separator string) ([]chunk, int) {
	var lines []string
	n := 0
	for _, w := range all {
		if !q.wants(w) {
			continue
		}
		if n++; len(lines) < most {
			lines = append(lines, mark+w)
		}
	}
	if len(lines) == 0 {
		return nil, n
	}
	return []chunk{{strings.Join(lines, separator), len(lines)}}, n
}

func (s *shelf) headingList(i int, q request, most int) ([]chunk, int) {
	d := s.docs[i]
	var lines []string
	n := 0
	for k := 1; k < len(d.sections); k++ {
		sec := d.sections[k]
		if d.isTitle(k) || !q.wants(sec.title) {
			continue
		}
		if n++; len(lines) == most {
			continue
		}
		depth := 0
		for up := sec.parent; up > 0; up = d.sections[up].parent {
			if !d.isTitle(up) {
				depth++
			}
		}
		name := s.sectionLink(i, k)
		if d.item.Kind == "url" {
			name = plainLabel(sec.title)
		}
		lines = append(lines, strings.Repeat("  ", depth)+"- "+name)
	}
	if len(lines) == 0 {
		return nil, n
	}
	return []chunk{{strings.Join(lines, "\n"), len(lines)}}, n
}

// entryList quotes tasks or items, section by section.
func (s *shelf) entryList(i int, q request, most int) ([]chunk, int) {
	d := s.docs[i]
	entries := d.items
	if q.listing == tasks {
		entries = d.tasks
	}
	var out []chunk
	section, n, kept, margin := -1, 0, 0, 0
	for _, e := range entries {
		if q.open != q.done && q.done != e.done || !q.wants(d.slice(e.text)) && !q.wants(d.sections[e.section].title) {
			continue
		}
		if n++; kept == most {
			continue
		}
		kept++
		line := d.slice(e.text)
		if e.section != section {
			margin = len(line) - len(strings.TrimLeft(line, " \t"))
		}
		line = quoteLines(line, margin)[0]
		if e.section == section {
			last := &out[len(out)-1]
			last.text += "\n" + line
			last.things++
			continue
		}
		section = e.section
		out = append(out, chunk{"From " + s.place(i, passage{section: e.section, text: e.text}) + ":", 0}, chunk{line, 1})
	}
	return out, n
}

// wants reports whether text is about what the question narrows a list to.
func (q *request) wants(text string) bool {
	narrowed, found := false, false
	var have []string
	for _, t := range q.terms {
		if t.weight <= weakWeight {
			continue
		}
		if !narrowed {
			narrowed = true
			eachTerm(text, func(w string) { have = append(have, w) })
		}
		found = found || slices.ContainsFunc(have, func(w string) bool {
			return w == t.text || inflects(t.text) && sameWord(w, t.text)
		})
	}
	return !narrowed || found
}

// count words the head of a list.
func (s *shelf) count(i int, q request, n int) string {
	if q.listing == tasks && q.open == q.done {
		open := 0
		for _, t := range s.docs[i].tasks {
			if !t.done && (q.wants(s.docs[i].slice(t.text)) || q.wants(s.docs[i].sections[t.section].title)) {
				open++
			}
		}
		return fmt.Sprintf("%s, %d open", plural(n, "task"), open)
	}
	return fmt.Sprintf("%d %s", n, listingName(q, n))
}

func listingName(q request, n int) string {
	name := map[listing]string{headings: "heading", tasks: "task", items: "list item", links: "link", tags: "tag"}[q.listing]
	switch {
	case q.open && !q.done:
		name = "open " + name
	case q.done && !q.open:
		name = "done " + name
	}
	if n != 1 {
		name += "s"
	}
	return name
}

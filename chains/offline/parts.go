package offline

import (
	"slices"
	"strings"
)

// sectionBytes is how much of a section is quoted when the question names it.
const sectionBytes = 1600

// withSection looks whether the question asks for a whole section, or a note,
// by its heading: "what are the five layers?" where a note has that name. If
// so, what stands there is quoted in reading order, and of the other passages
// the two best.
func (s *shelf) withSection(found, hits []hit, q request) []hit {
	doc, section, ok := s.asked(hits, q)
	if !ok {
		return found
	}
	var out []hit
	size := 0
	d := s.docs[doc]
	for i, p := range d.passages {
		if p.section != section {
			continue
		}
		if size += p.text.end - p.text.start; size > sectionBytes && len(out) > 0 {
			break
		}
		out = append(out, hit{doc: doc, passage: i})
	}
	if len(out) == 0 {
		return found
	}
	const others = 2
	rest := slices.DeleteFunc(slices.Clone(hits), func(h hit) bool {
		return h.doc == doc && d.passages[h.passage].section == section || h.score < keepScore*hits[0].score
	})
	rest = s.choose(rest, q)
	return append(out, rest[:min(len(rest), others)]...)
}

// asked finds the heading or the name that says what the question says: it
// holds every word of weight, and of its own at most one more, or none if the
// question has a single word.
func (s *shelf) asked(hits []hit, q request) (doc, section int, ok bool) {
	var want []string
	for _, t := range q.terms {
		if t.surface != "" && t.weight > weakWeight {
			want = append(want, t.text)
		}
	}
	if len(want) == 0 {
		return 0, 0, false
	}
	spare := min(1, len(want)-1)
	const deep = 40
	best := spare + 1
	type place struct{ doc, section int }
	seen := map[place]bool{}
	for _, h := range hits[:min(len(hits), deep)] {
		d := s.docs[h.doc]
		at := place{h.doc, d.passages[h.passage].section}
		if !seen[at] {
			seen[at] = true
			if extra := surplus(want, d.sections[at.section].title); extra < best {
				doc, section, best, ok = at.doc, at.section, extra, true
			}
		}
		if at.section = d.opening(); seen[at] {
			continue
		}
		seen[at] = true
		for _, name := range d.names() {
			if extra := surplus(want, name); extra < best {
				doc, section, best, ok = at.doc, at.section, extra, true
			}
		}
	}
	return doc, section, ok
}

// opening is the section with which the text of a note begins.
func (d *document) opening() int {
	if len(d.passages) == 0 {
		return 0
	}
	return d.passages[0].section
}

// surplus counts the words of weight in title that are not in want; if title
// lacks one of want, it returns a large number.
func surplus(want []string, title string) int {
	var have []string
	for _, t := range termsOf(title) {
		if t.weight > weakWeight {
			have = append(have, t.text)
		}
	}
	same := func(list []string, w string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return o == w || inflects(w) && inflects(o) && sameWord(o, w) })
	}
	for _, w := range want {
		if !same(have, w) {
			return 1 << 10
		}
	}
	n := 0
	for _, w := range have {
		if !same(want, w) {
			n++
		}
	}
	return n
}

// complete adds to a passage that ends in a colon what it announces: the list,
// the table or the code that follows.
func (s *shelf) complete(found []hit) []hit {
	const most = 4
	has := map[[2]int]bool{}
	for _, h := range found {
		has[[2]int{h.doc, h.passage}] = true
	}
	for _, h := range slices.Clone(found) {
		d := s.docs[h.doc]
		p := d.passages[h.passage]
		if p.kind != paragraph || !strings.HasSuffix(d.slice(p.text), ":") {
			continue
		}
		for i := h.passage + 1; i < len(d.passages) && i <= h.passage+most; i++ {
			next := d.passages[i]
			if next.section != p.section || next.kind == paragraph || next.group != d.passages[h.passage+1].group || next.group == 0 && i > h.passage+1 {
				break
			}
			if !has[[2]int{h.doc, i}] {
				has[[2]int{h.doc, i}] = true
				found = append(found, hit{doc: h.doc, passage: i})
			}
		}
	}
	return found
}

// part is what is quoted from one place.
type part struct {
	place string
	quote string
}

// parts joins neighbouring passages of one place, and renders them.
func (s *shelf) parts(found []hit) []part {
	var out []part
	for i := 0; i < len(found); {
		h := found[i]
		d := s.docs[h.doc]
		run := []passage{d.passages[h.passage]}
		for i++; i < len(found) && found[i].doc == h.doc && d.joins(run[len(run)-1], d.passages[found[i].passage]); i++ {
			run = append(run, d.passages[found[i].passage])
		}
		whole := run[0]
		whole.text.end = run[len(run)-1].text.end
		place, quote := s.place(h.doc, whole), d.quote(run)
		if n := len(out); n > 0 && out[n-1].place == place {
			out[n-1].quote += "\n\n" + quote
			continue
		}
		out = append(out, part{place, quote})
	}
	return out
}

// joins reports whether b is quoted together with a, which stands before it:
// items and rows of one list or table, and whatever follows directly. A quote
// or callout stays by itself, since it brings its own markers.
func (d *document) joins(a, b passage) bool {
	switch {
	case a.section != b.section || a.kind == quoted || b.kind == quoted:
		return false
	case a.group != 0 && a.group == b.group:
		return a.context == b.context
	}
	return d.follows(a, b)
}

// follows reports whether nothing stands between a and b but white space.
func (d *document) follows(a, b passage) bool {
	start := b.outer().start
	return a.text.end <= start && strings.TrimSpace(d.item.Content[a.text.end:start]) == ""
}

// outer is the text of p with the table header over its first row.
func (p passage) outer() span {
	if p.kind == tableRow && p.item == 1 && p.context != (span{}) {
		return span{p.context.start, p.text.end}
	}
	return p.text
}

package index

import "slices"

// Headings finds notes that have every word of a query in their names, or in these
// and one heading, newest first. It reads nothing, so that there is an answer at
// once; of conditions on text that are not decided by metadata it finds none.
func (s Searcher) Headings(q Query) []Hit {
	pass := q.filter(s.Source)
	t := parseTerms(q.Text, q.Partial)
	if len(t.all) == 0 {
		return nil
	}
	where := func(*scope) answer { return yes }
	if q.where != nil {
		k := compiler{s.Source.Notes(), func(*term) map[string]bool { return nil }}
		where = k.compile(q.where, mode{})
	}
	var hits []Hit
	var names, heading []byte
	for _, n := range byAge(s.Source.Notes(), pass) {
		if where(&scope{note: n}) != yes {
			continue
		}
		names = foldText(names[:0], titles(n))
		in := func(texts ...[]byte) bool {
			return !slices.ContainsFunc(t.all, func(w term) bool { return !w.in(texts...) })
		}
		h := opening(n)
		h.Line, h.found = h.Start, &t
		found := in(names)
		for i := 0; !found && i < len(n.Headings); i++ {
			head := &n.Headings[i]
			heading = foldText(heading[:0], head.Text)
			if found = in(names, heading); found {
				h.Heading, h.Start, h.End, h.Line = head.Text, head.Line, head.Line, head.Line
				h.Snippet = t.cut(head.Text)
			}
		}
		if found {
			if hits = append(hits, h); len(hits) == q.limit() {
				break
			}
		}
	}
	return hits
}

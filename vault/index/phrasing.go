package index

import (
	"cmp"
	"context"
	"slices"

	"ibid/vault"
)

// phrasingShare is what each of the other phrasings of a query adds to a score, where
// the note or piece answers it best of all.
const phrasingShare = 0.5

// addPhrasings adds to notes that fit q how well they, and others, fit its phrasings.
func (s Searcher) addPhrasings(ctx context.Context, q *Query, notes []scoredNote, terms int, pass func(*vault.Note) bool) ([]scoredNote, error) {
	at := map[vault.Path]int{}
	for i := range notes {
		at[notes[i].note.Path] = i
	}
	for _, text := range q.Phrasings {
		other, t := *q, parseTerms(text, false)
		if other.Text, other.inner = text, ""; len(t.list) == 0 {
			continue
		}
		more, err := s.look(ctx, &other, &t, pass)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			continue
		}
		share := phrasingShare / max(more[0].score, 1e-9)
		for i := range more {
			other := &more[i]
			known, ok := at[other.note.Path]
			if !ok {
				none := make([]float32, terms)
				known = len(notes)
				at[other.note.Path] = known
				notes = append(notes, scoredNote{note: other.note, exact: none, stems: none, title: none, named: other.named, tagged: other.tagged})
			}
			notes[known].add(other, share)
		}
	}
	slices.SortStableFunc(notes, func(a, b scoredNote) int { return cmp.Compare(b.score, a.score) })
	return notes, nil
}

// add adds a share of the scores of the same note for another query, to its pieces too.
func (n *scoredNote) add(other *scoredNote, share float64) {
	had, scores := n.score, map[int]float64{}
	for _, p := range other.parts {
		scores[p.nth] = share * p.score
	}
	n.score += share * other.score
	for i := range n.parts {
		p := &n.parts[i]
		also, ok := scores[p.nth]
		if !ok {
			also = share * other.score
		}
		p.score += also
		delete(scores, p.nth)
	}
	for _, p := range other.parts {
		if also, left := scores[p.nth]; left {
			p.score, p.stems = had+also, nil
			n.parts = append(n.parts, p)
		}
	}
}

package index

import (
	"context"

	"ibid/vault"
)

// Likely are the notes that a text is most likely about, at most so many, as far as the
// index tells: no note is read, and there are none where the index is not ready.
func (s Searcher) Likely(ctx context.Context, text string, most int) (paths []vault.Path) {
	t := parseTerms(text, true)
	if !s.indexed() || len(t.list) == 0 {
		return nil
	}
	t.complete()
	found, _, _ := s.Index.candidates(ctx, s.Source, t.list, &mentions{}, most, (*vault.Note).Ordinary)
	for _, n := range found {
		paths = append(paths, n.Path)
	}
	return paths
}

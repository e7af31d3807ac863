package index

import (
	"context"

	"ibid/vault"
)

// Likely returns the notes that a text is most likely about, at most so many. It reads no note and
// returns none before the index is ready, so that it can be called for every key.
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

package index

import (
	"context"

	"ibid/vault"
)

// Likely are the notes that a text is most likely about, at most so many, as far as the
// index tells: no note is read, and there are none where the index is not ready.
func (s Searcher) Likely(ctx context.Context, text string, most int) (found []vault.Path) {
	t := parseTerms(text, true)
	if !s.indexed() || len(t.list) == 0 {
		return nil
	}
	t.complete()
	_, _ = s.Index.candidates(ctx, t.list, &mentions{}, most, func(p vault.Path) bool { // without the index, none
		if n, ok := s.Source.Note(p); ok && n.Ordinary() {
			found = append(found, p)
		}
		return len(found) < most
	})
	return found
}

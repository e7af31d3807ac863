package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
)

// SimilarNote is a note with words in common with another.
type SimilarNote struct {
	Path  vault.Path
	Score float64  // above 0; the best has 1
	Words []string // in common, the most distinctive first
}

// Limits of what is compared.
const (
	alikeBytes = 40_000 // of the text of the note
	manyWords  = 150    // its most frequent words, which are looked up in the index
	someWords  = 30     // the most distinctive of these
	alikeNotes = 60
)

// Alike finds notes with the most distinctive words of one: frequent in it or in its title, and
// in few other notes. Numbers and addresses do not count.
func (s Searcher) Alike(ctx context.Context, of *vault.Note) ([]SimilarNote, error) {
	text, err := reader(s.Source, s.Source.Read)(of.Path)
	if err != nil {
		return nil, ctx.Err()
	}
	q := Query{Hide: of.Path, Limit: alikeNotes}
	list, err := s.telling(ctx, text)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	t, found := terms{list: list}, []SimilarNote{}
	all, err := s.look(ctx, &q, &t, false)
	if err != nil {
		return nil, fmt.Errorf("find notes like %s: %w", of.Path, err)
	}
	for _, n := range all[:min(len(all), alikeNotes)] {
		a := SimilarNote{Path: n.note.Path, Score: n.score / all[0].score}
		for i := range list {
			if n.stems[i] > 0 {
				a.Words = append(a.Words, list[i].folded)
			}
		}
		found = append(found, a)
	}
	return found, nil
}

// telling returns the most distinctive words of a note, with weights.
func (s Searcher) telling(ctx context.Context, text *page) (list []term, err error) {
	body := text.Content[text.bodyStart():]
	seen, _ := visibleText(body[:min(len(body), alikeBytes)])
	counts := map[string]*term{} // by stem
	count := func(part string, weight float64) {
		fold.EachToken(fold.Text(nil, part), func(word []byte) {
			w := string(word)
			if stem.Common(w) || utf8.RuneCount(word) < 2 || strings.ContainsFunc(w, unicode.IsNumber) {
				return
			}
			stems := stem.Of(w)
			if counts[stems[0]] == nil {
				counts[stems[0]] = &term{folded: w, stems: stems, added: true}
			}
			counts[stems[0]].weight += weight
		})
	}
	count(seen, 1)
	count(titles(text.Note), 3)
	for _, t := range counts {
		t.weight = 1 + math.Log(t.weight)
		list = append(list, *t)
	}
	most := func(n int, worth func(t *term) float64) {
		slices.SortFunc(list, func(a, b term) int {
			return cmp.Or(cmp.Compare(worth(&b), worth(&a)), cmp.Compare(a.folded, b.folded))
		})
		list = list[:min(len(list), n)]
	}
	most(manyWords, func(t *term) float64 { return t.weight })
	if s.indexed() {
		_ = s.Index.lookUp(ctx, func(l *lookup) { // an index that fails is passed over
			for i := range list {
				l.measure(&list[i])
			}
			most(someWords, func(t *term) float64 { return t.weight * rarity(t.notes, l.st.notes) })
		})
	}
	return list[:min(len(list), someWords)], ctx.Err()
}

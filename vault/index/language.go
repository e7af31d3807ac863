package index

import (
	"cmp"
	"maps"
	"slices"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
)

// The sample for Languages.
const (
	sampledNotes = 40
	sampledBytes = 2000 // of each
)

// Languages returns the languages of at least a tenth of the notes, the most frequent first. It
// reads a sample.
func Languages(src Source) []string {
	notes := slices.DeleteFunc(slices.Clone(src.Notes()), func(n *vault.Note) bool { return !n.Ordinary() })
	votes, sampled := map[string]int{}, min(len(notes), sampledNotes)
	for i := range sampled {
		if text, err := src.Read(notes[i*len(notes)/sampled].Path); err == nil {
			votes[languageOf(text.Content)]++
		}
	}
	delete(votes, "")
	return slices.DeleteFunc(MostFrequent(votes), func(l string) bool { return 10*votes[l] < sampled })
}

// MostFrequent returns the words that were counted, the most frequent first.
func MostFrequent(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
}

// languageOf guesses the language of a text from the words at its beginning, "" if none is typical.
func languageOf(text string) (most string) {
	count := map[string]int{}
	fold.EachToken(fold.Text(nil, text[:min(len(text), sampledBytes)]), func(word []byte) {
		if l := stem.Language(string(word)); l != "" {
			if count[l]++; count[l] > count[most] {
				most = l
			}
		}
	})
	return most
}

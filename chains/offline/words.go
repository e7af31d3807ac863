package offline

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"ibid/vault/index/stem"
)

//go:embed words.txt
var wordsFile string

// lists returns the lists of words.txt by name.
var lists = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	var list map[string]bool
	for line := range strings.Lines(wordsFile) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			list = map[string]bool{}
			all[strings.TrimSpace(name)] = list
		} else if !strings.HasPrefix(line, "//") {
			for _, word := range strings.Fields(line) {
				list[word] = true
			}
		}
	}
	return all
})

// isIn reports whether a folded word is in the list of this name.
func isIn(list, word string) bool { return lists()[list][word] }

const weakWeight = 0.3

// weightOf returns the weight of a folded word in a question, 0 for stop words.
func weightOf(word string) float64 {
	switch {
	case isIn("weak", word):
		return weakWeight
	case stem.Common(word), isIn("stop", word):
		return 0
	}
	return 1
}

// forSummary matches the words with which people ask for a summary.
var forSummary = regexp.MustCompile(
	`(?i)\b(?:summar(?:y|ies|i[sz](?:e|ed|ing))|overview|tl;?dr|gist|recap|synopsis|(?:key|main) points|in short|` +
		`zusammenfass(?:en|ung)|fasse|resumen|resumer)\b|überblick|uberblick|résum(?:é|er)|кратко|резюме|总结|概括|摘要|概述|總結|要約|まとめ|요약`)

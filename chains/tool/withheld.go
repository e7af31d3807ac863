package tool

import (
	"slices"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/index/fold"
)

// unsearched returns a sentence, with a blank before it, about the notes of a folder that a lookup did not see; "" if it
// saw all that exist for a model.
func (o *Options) unsearched(folder vault.Path) string {
	left := o.Vault.LeftOut(folder)
	text := left.ForModel()
	if text == "" {
		return ""
	}
	return " " + text + "."
}

// maxPrivateNotes limits the private notes that isWithheld reads.
const maxPrivateNotes = 500

// isWithheld reports whether a private note has a word of a query that no other note matches. Private notes are read
// for nothing else, and nothing of them is returned.
func isWithheld(v *vault.Vault, q index.Query) bool {
	if q.TimeOnly || len(q.Tags) > 0 {
		return false
	}
	words, read := index.SignificantWords(q.Text), 0
	for _, n := range v.Notes() {
		if !n.Private || read == maxPrivateNotes || q.Folder != "" && !n.Path.In(q.Folder) {
			continue
		}
		read++
		data, _ := v.ReadOwn(n.Path) // one that cannot be read has its title
		if hasWord(n.Title+"\n"+string(data), words) {
			return true
		}
	}
	return false
}

// hasWord reports whether a text of any length has one of the words, which are folded.
func hasWord(text string, words []string) (has bool) {
	fold.EachToken(fold.Text(nil, text), func(word []byte) { has = has || slices.Contains(words, string(word)) })
	return has
}

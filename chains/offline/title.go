package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/context/prompt"
)

// titleWords limits the words of a title.
const titleWords = 5

// Title returns a title for a conversation that begins with this question: its significant words, else the title of
// the first document, "" if there is neither.
func Title(question string, documents []prompt.Item) string {
	var words []string
	for _, t := range termsOf(questionStart(question)) {
		if t.surface != "" && t.weight > weakWeight && len(words) < titleWords {
			words = append(words, t.surface)
		}
	}
	title := strings.Join(words, " ")
	if title == "" && len(documents) > 0 {
		title = documents[0].Title
	}
	r, size := utf8.DecodeRuneInString(title)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + title[size:]
}

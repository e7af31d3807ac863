package ui

import (
	"slices"

	"ibid/ui/browse"
	"ibid/ui/inspector"
	"ibid/ui/keys"
	"ibid/ui/review"
)

// keysOfPages lists the keys of pages that are not lists: a line with the name of the page, then its
// keys, which always mean the same there. enter and esc answer or close, as the last row of each page
// says.
const keysOfPages = `find
up ctrl+p shift+enter: match before
down ctrl+n ctrl+f: next match
enter: read the matches: n and N go on
esc: close`

// pageKeys returns the keys of pages that are not lists.
func pageKeys() []keys.Key {
	return slices.Concat(review.Keys(), keys.ParseKeys(keysOfPages), browse.Keys(),
		keys.ParseKeys(inspector.Keys))
}

package query

import (
	"cmp"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"ibid/vault"
)

// collators are collators for the root locale, of which each serves one goroutine at a time.
var collators = sync.Pool{New: func() any { return collate.New(language.Und, collate.Numeric) }}

// compareText orders texts as people do: marks before numbers, numbers by value before letters. Accents and
// case count only where all else is equal, small letters first. Different Unicode encodings of one text are
// equal.
func compareText(a, b string) int {
	if a == b {
		return 0
	}
	c := collators.Get().(*collate.Collator)
	defer collators.Put(c)
	return cmp.Or(c.CompareString(a, b), strings.Compare(norm.NFD.String(b), norm.NFD.String(a)))
}

// comparePaths orders files by name; if two names differ only in the encoding of accents, by their bytes.
func comparePaths(a, b vault.Path) int {
	return cmp.Or(compareText(string(a), string(b)), cmp.Compare(a, b))
}

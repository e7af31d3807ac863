package query

import (
	"cmp"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// compareText orders texts as people do: without regard to case first, small letters
// before capitals where nothing else differs.
func compareText(a, b string) int {
	if a == b {
		return 0
	}
	if !simple(a) || !simple(b) {
		return collated(a, b)
	}
	tie := 0
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x|0x20 != y|0x20 || x < 'A' || y < 'A' {
			return cmp.Compare(lowered(x), lowered(y))
		}
		if tie == 0 {
			tie = cmp.Compare(y, x)
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), tie)
}

func lowered(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// simple reports whether s has only letters, digits and spaces of ASCII, whose order
// is known without tables.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != ' ' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// collated orders texts by the tables of Unicode, and by their bytes where these see
// no difference.
func collated(a, b string) int {
	c := collators().Get().(*collate.Collator)
	defer collators().Put(c)
	return cmp.Or(c.CompareString(a, b), strings.Compare(a, b))
}

// collators keeps what orders texts: making one takes long.
var collators = sync.OnceValue(func() *sync.Pool {
	return &sync.Pool{New: func() any { return collate.New(language.Und) }}
})

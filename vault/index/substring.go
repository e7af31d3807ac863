package index

import (
	"iter"
	"strings"
	"unicode/utf8"
)

func plainASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if eight := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56; eight&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// rare are letters and digits, those that stand most often in texts last.
const rare = "qjxzwvkybfgpmu0123456789cdhlrnsioate"

// containsFold reports whether text holds want, which is in lower case: letters of
// ASCII count as the same in both cases.
func containsFold(text, want string) bool { return indexFold(text, want) >= 0 }

// indexFold is where want, which is in lower case, stands in text, or -1.
func indexFold(text, want string) int {
	for at := range allFold(text, want) {
		return at
	}
	return -1
}

// allFold gives all places where want, which is in lower case, stands in text.
func allFold(text, want string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if want == "" {
			yield(0)
			return
		}
		at, best := 0, len(rare)
		for i := range len(want) {
			if place := strings.IndexByte(rare, want[i]); place < best {
				at, best = i, place
			}
		}
		lower, upper := want[at], want[at]
		if 'a' <= lower && lower <= 'z' {
			upper -= 'a' - 'A'
		}
		other := 0 // a second byte of want, to tell most of what is not the same at once
		if at == 0 {
			other = min(1, len(want)-1)
		}
		nextLower, nextUpper := -1, -1
		for from := at; from < len(text); from++ {
			nextLower = nextByte(text, lower, from, nextLower)
			nextUpper = nextByte(text, upper, from, nextUpper)
			from = min(nextLower, nextUpper)
			if from-at+len(want) > len(text) {
				return
			}
			if c := text[from-at+other] | want[other]; c < utf8.RuneSelf && text[from-at+other]|' ' != want[other]|' ' {
				continue
			}
			if strings.EqualFold(text[from-at:from-at+len(want)], want) && !yield(from-at) {
				return
			}
		}
	}
}

// nextByte is where c stands in text from an offset on, len(text) if nowhere; last
// is the answer before this one.
func nextByte(text string, c byte, from, last int) int {
	if last >= from {
		return last
	}
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

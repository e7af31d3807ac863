package theme

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"ibid/vault/md"
)

// ShortCount formats a count, such as tokens, in three to five characters: 1.2k.
func ShortCount(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 999_500:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// Size formats a number of bytes: 3.0 kB.
func Size(n int) string {
	if n < 999_950 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// Comma formats a count with separated thousands: 10,000.
func Comma(n int) string {
	return md.Thousands(n)
}

// Plural returns a count with its noun: 1 note, 3 notes.
func Plural(n int, noun string) string {
	return md.Plural(n, noun)
}

// ClusterAt returns the columns of the cluster at a column of a text.
func ClusterAt(text string, col int) (from, to int) {
	for at := 0; text != ""; {
		g, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if col < at+w {
			return at, at + w
		}
		at, text = at+w, text[len(g):]
	}
	return col, col
}

// WordAt returns the columns of the word at a column of a text, an empty range if there is none. Paths
// and addresses are words.
func WordAt(text string, col int) (from, to int) {
	at, in := 0, false
	for text != "" {
		g, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		r := []rune(g)[0]
		word := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) ||
			strings.ContainsRune("_-/~@%&=+#", r) ||
			strings.ContainsRune(".:?'’", r) && in && len(text) > len(g) && text[len(g)] != ' '
		switch {
		case word && !in:
			from, in = at, true
		case !word && in && col < at:
			return from, at
		case !word:
			in = false
			if col < at+w && r != ' ' {
				return at, at + w
			}
		}
		at, text = at+w, text[len(g):]
	}
	if !in || col >= at {
		return col, col
	}
	return from, at
}

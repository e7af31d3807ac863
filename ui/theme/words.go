package theme

import (
	"fmt"
	"strconv"
)

// Short is a count, such as tokens, in three or four characters: 1.2k.
func Short(n int) string {
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

// Comma writes a count as people do: 10,000.
func Comma(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is a count with its noun: 1 note, 3 notes.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Comma(n) + " " + noun + "s"
}

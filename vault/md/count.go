package md

import "strconv"

// Thousands formats a number with commas between groups of three digits: 8,192.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns a count with its noun: 1 note, 3 notes.
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Thousands(n) + " " + noun
}

package legible

import "strings"

// leastRun is the length of the shortest run of encoded data to leave out, in characters.
const leastRun = 2001

// isEncoded reports whether a run has the distribution of characters of base64, hex or percent encoding. Names of
// files, addresses and numbers consist of the same characters, but not in such a mixture.
func isEncoded(run string) bool {
	if len(run) < leastRun {
		return false
	}
	count := countChars(run)
	switch {
	case count.other > 0:
		return false
	case count.percent*3 > count.all*3/10:
		return true
	case count.isHex:
		return count.share(count.hexLetters) > 15 && count.share(count.digits) > 30
	}
	return count.percent == 0 && count.share(count.upper) > 15 && count.share(count.lower) > 10 &&
		count.share(count.digits) > 3 && count.distinct >= leastDistinct
}

// leastDistinct is how many of the 64 characters of base64 a run of it has at least.
const leastDistinct = 32

// separators stand between the lines of a run, and between bytes of hex.
const separators = "\n\r\t >:"

// charCount tells how many characters of some kinds a run has. Separators do not count.
type charCount struct {
	all, upper, lower, digits, hexLetters int
	percent                               int // encoded bytes: %2F
	other                                 int // characters of no encoding
	distinct                              int
	isHex                                 bool
}

// share returns how many of a hundred characters are of a kind.
func (c *charCount) share(n int) int { return 100 * n / max(c.all, 1) }

func countChars(run string) charCount {
	c := charCount{isHex: true}
	var seen [256]bool
	for i := range len(run) {
		b := run[i]
		if strings.IndexByte(separators, b) >= 0 {
			continue
		}
		c.all++
		if !seen[b] {
			seen[b] = true
			c.distinct++
		}
		isHexLetter := 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
		isDigit := '0' <= b && b <= '9'
		if isHexLetter {
			c.hexLetters++
		}
		c.isHex = c.isHex && (isHexLetter || isDigit)
		switch {
		case 'A' <= b && b <= 'Z':
			c.upper++
		case 'a' <= b && b <= 'z':
			c.lower++
		case isDigit:
			c.digits++
		case b == '%':
			c.percent++
		case strings.IndexByte("+/=-_.~!*,;&@$?#'", b) < 0:
			c.other++
		}
	}
	return c
}

// isDense reports whether a line consists of one long word of base64, or of hex with blanks or colons between its
// bytes.
func isDense(line string) bool {
	if len(line) < wrappedLine {
		return false
	}
	if base64Length(line) == len(line) {
		return true
	}
	return isHexDump(line)
}

// isHexDump reports whether a line consists of bytes in hex with blanks or colons between them.
func isHexDump(line string) bool {
	digits := 0 // since the last separator
	for i := range len(line) {
		b := line[i]
		if b == ' ' || b == ':' {
			if digits == 0 || digits%2 != 0 {
				return false
			}
			digits = 0
			continue
		}
		isHex := '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
		if !isHex {
			return false
		}
		digits++
	}
	return digits%2 == 0
}

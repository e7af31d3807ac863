package query

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// formatDate writes t by a format of dateformat, "yyyy-MM-dd". Letters that stand for
// something else than what is known here are an error, not a wrong date.
func formatDate(t time.Time, format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); {
		c := format[i]
		if c == '\'' {
			end := strings.IndexByte(format[i+1:], '\'')
			if end < 0 {
				return "", unsupported(format, "a quote in the format of a date has no end")
			}
			b.WriteString(format[i+1 : i+1+end])
			i += end + 2
			continue
		}
		n := 1
		if unicode.IsLetter(rune(c)) {
			for i+n < len(format) && format[i+n] == c {
				n++
			}
			part, ok := formatPart(t, format[i:i+n])
			if !ok {
				return "", unsupported(format[i:i+n], "this part of the format of a date is not known")
			}
			b.WriteString(part)
		} else {
			b.WriteByte(c)
		}
		i += n
	}
	return b.String(), nil
}

// formatPart writes one part of a date.
func formatPart(t time.Time, part string) (string, bool) {
	year, week := t.ISOWeek()
	hour := (t.Hour()+11)%12 + 1
	switch part {
	case "yyyy", "y":
		return fmt.Sprintf("%0*d", len(part), t.Year()), true
	case "yy":
		return t.Format("06"), true
	case "MMMM", "LLLL":
		return t.Month().String(), true
	case "MMM", "LLL":
		return t.Month().String()[:3], true
	case "MM", "M", "LL", "L":
		return padded(int(t.Month()), len(part)), true
	case "dd", "d":
		return padded(t.Day(), len(part)), true
	case "EEEE", "cccc":
		return t.Weekday().String(), true
	case "EEE", "ccc":
		return t.Weekday().String()[:3], true
	case "E", "c":
		return strconv.Itoa((int(t.Weekday())+6)%7 + 1), true
	case "HH", "H":
		return padded(t.Hour(), len(part)), true
	case "hh", "h":
		return padded(hour, len(part)), true
	case "mm", "m":
		return padded(t.Minute(), len(part)), true
	case "ss", "s":
		return padded(t.Second(), len(part)), true
	case "SSS":
		return padded(t.Nanosecond()/int(time.Millisecond), 3), true
	case "a":
		return t.Format("PM"), true
	case "ooo", "o":
		return padded(t.YearDay(), len(part)), true
	case "WW", "W":
		return padded(week, len(part)), true
	case "kkkk":
		return strconv.Itoa(year), true
	case "q":
		return strconv.Itoa((int(t.Month())-1)/3 + 1), true
	case "T":
		return t.Format("15:04"), true
	}
	return "", false
}

func padded(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

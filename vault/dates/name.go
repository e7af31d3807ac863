package dates

import "time"

// InName returns the first day in the name of a file: 2026-03-04 or 20260304, anywhere in it.
func InName(name string, loc *time.Location) (time.Time, bool) {
	for i := range len(name) {
		if !isDigit(name[i]) || i > 0 && isDigit(name[i-1]) {
			continue
		}
		for _, layout := range []string{time.DateOnly, "20060102"} {
			end := min(i+len(layout), len(name))
			if layout != time.DateOnly && end < len(name) && isDigit(name[end]) {
				continue // a longer number
			}
			if t, err := time.ParseInLocation(layout, name[i:end], loc); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

package dates

import "time"

// InName returns the first day in the name of a file: 2026-03-04 or 20260304, anywhere in it.
func InName(name string, loc *time.Location) (time.Time, bool) {
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' || i > 0 && name[i-1] >= '0' && name[i-1] <= '9' {
			continue
		}
		digits := name[i:min(len(name), i+10)]
		if t, err := time.ParseInLocation(time.DateOnly, digits, loc); err == nil {
			return t, true
		}
		if len(digits) < 8 || len(digits) > 8 && digits[8] >= '0' && digits[8] <= '9' {
			continue
		}
		if t, err := time.ParseInLocation("20060102", digits[:8], loc); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

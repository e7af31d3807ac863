package page

import (
	"fmt"
	"time"
)

// FormatAge formats a time that passed since: "just now", "3 min ago".
func FormatAge(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return Age(d) + " ago"
}

// Age formats a duration with one unit: "3 min", "2 h", "5 days".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(int(d.Seconds()), 0))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
	return fmt.Sprintf("%d years", int(d.Hours()/24/365))
}

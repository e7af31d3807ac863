package query

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"ibid/vault/dates"
)

// readDate parses a date as queries and fields have it, "2026-03", "2026-03-04" or "2026-03-04T10:30", in the
// time zone loc unless it names one.
func readDate(s string, loc *time.Location) (time.Time, bool) {
	if len(s) < len("2026-03") || s[0] < '0' || s[0] > '9' || s[4] != '-' {
		return time.Time{}, false
	}
	for _, layout := range []string{
		time.DateOnly, "2006-01", "2006-01-02T15", "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339,
	} {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// namedDate returns the date for a name as in date(today).
func namedDate(name string, now time.Time) (time.Time, bool) {
	today := dates.Midnight(now)
	week := dates.Monday(today)
	month := today.AddDate(0, 0, 1-today.Day())
	year := time.Date(today.Year(), time.January, 1, 0, 0, 0, 0, today.Location())
	last := func(next time.Time) time.Time { return next.Add(-time.Millisecond) }
	found, ok := map[string]time.Time{
		"now": now, "today": today, "yesterday": today.AddDate(0, 0, -1), "tomorrow": today.AddDate(0, 0, 1),
		"sow": week, "eow": last(week.AddDate(0, 0, 7)), "som": month, "eom": last(month.AddDate(0, 1, 0)), "soy": year,
		"eoy": last(year.AddDate(1, 0, 0)),
	}[name]
	return found, ok
}

// addDuration adds sign times d to a date. A day that the new month does not have becomes its last.
func addDuration(t time.Time, d duration, sign float64) time.Time {
	months := int(math.Trunc(d.months * sign))
	if months != 0 {
		first := time.Date(t.Year(), t.Month()+time.Month(months), 1, t.Hour(), t.Minute(), t.Second(),
			t.Nanosecond(), t.Location())
		last := first.AddDate(0, 1, -first.Day()).Day()
		t = first.AddDate(0, 0, min(t.Day(), last)-1)
	}
	days := math.Trunc(d.ms * sign / day)
	part := d.months*sign - float64(months)
	rest := time.Duration((d.ms*sign - days*day + part*30*day) * float64(time.Millisecond))
	return t.AddDate(0, 0, int(max(-longestDays, min(days, longestDays)))).Add(rest)
}

// longestDays limits the days that are added to a date.
const longestDays = 1e8

// timeBetween returns the time from b to a by the clock on the wall: each day has 24 hours.
func timeBetween(a, b time.Time) duration {
	return duration{
		ms: float64(atWallClock(a, time.UTC).Sub(atWallClock(b.In(a.Location()), time.UTC))) /
			float64(time.Millisecond),
	}
}

// atWallClock returns the time in another zone at which clocks there show the same as those of t.
func atWallClock(t time.Time, in *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), in)
}

// units maps names of units to durations.
var units = sync.OnceValue(func() map[string]duration {
	all := map[string]duration{}
	for i, names := range []string{
		"year years yr yrs", "month months mo mos", "week weeks wk wks w", "day days d", "hour hours hr hrs h",
		"minute minutes min mins m", "second seconds sec secs s", "millisecond milliseconds",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = []duration{
				{12, 0}, {1, 0}, {0, 7 * day}, {0, day}, {0, hour}, {0, minute}, {0, second}, {0, 1},
			}[i]
		}
	}
	return all
})

// durationPart matches one part of a duration, with its separator.
var durationPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-?\d+(?:\.\d+)?)\s*([a-z]+)\s*(,?)\s*`)
})

// readDuration parses a duration: "1 week, 2 days", "4hr2min". ok is false for other text.
func readDuration(s string) (sum duration, ok bool) {
	for s = strings.TrimSpace(s); s != ""; {
		m := durationPart().FindStringSubmatch(s)
		if m == nil {
			return duration{}, false
		}
		s = s[len(m[0]):]
		count, err := strconv.ParseFloat(m[1], 64)
		unit, known := units()[m[2]]
		if err != nil || !known || m[3] != "" && s == "" {
			return duration{}, false
		}
		sum, ok = sum.plus(unit.times(count)), true
	}
	return sum, ok
}

func (d duration) plus(o duration) duration { return duration{d.months + o.months, d.ms + o.ms} }

func (d duration) times(n float64) duration { return duration{d.months * n, d.ms * n} }

var numberForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?`) })

// numberLen returns the length of the number at the beginning of s, 0 if there is none.
func numberLen(s string) int { return len(numberForm().FindString(s)) }

// unit returns the value of d.days and similar parts, nil for unknown names.
func (d duration) unit(name string) any {
	u, ok := units()[name]
	if !ok {
		return nil
	}
	if u.months > 0 && d.ms == 0 {
		return d.months / u.months
	}
	return d.total() / u.total()
}

// datePart returns the value of date.year and similar parts, nil for unknown names.
func datePart(t time.Time, name string) any {
	_, week := t.ISOWeek()
	n, ok := map[string]int{
		"year": t.Year(), "month": int(t.Month()), "weekyear": week, "week": t.Day()/7 + 1,
		"weekday": dates.Weekday(t) + 1, "day": t.Day(),
		"hour": t.Hour(), "minute": t.Minute(), "second": t.Second(),
		"millisecond": t.Nanosecond() / int(time.Millisecond),
	}[name]
	if !ok {
		return nil
	}
	return float64(n)
}

package obsidian

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tokens are what a format is made of: text in brackets, a letter behind a backslash,
// and the names of parts of a time. Everything else stands for itself.
var tokens = regexp.MustCompile(`\[[^\[]*?\]|\\.|M{3,4}|MM|Mo|M|Q|DDDo|D{3,4}|Do|DD|D|d{3,4}|dd|do|d|e|E|wo|ww|w|Wo|WW|W|YYYY|YY|Y|gggg|gg|GGGG|GG|A|a|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|ZZ|Z|X|x|L{1,4}|l{1,4}`)

// long are the formats that stand for others.
var long = map[string]string{
	"L": "MM/DD/YYYY", "LL": "MMMM D, YYYY", "LLL": "MMMM D, YYYY h:mm A", "LLLL": "dddd, MMMM D, YYYY h:mm A",
	"l": "M/D/YYYY", "ll": "MMM D, YYYY", "lll": "MMM D, YYYY h:mm A", "llll": "ddd, MMM D, YYYY h:mm A",
}

// Format writes a time in a format of Moment, such as "YYYY-MM-DD" or
// "YYYY/[Week] ww". Months and days have their English names, and weeks begin with
// Sunday where the format does not ask for those of ISO.
func Format(format string, t time.Time) string {
	return tokens.ReplaceAllStringFunc(format, func(token string) string {
		switch token[0] {
		case '[':
			return token[1 : len(token)-1]
		case '\\':
			return token[1:]
		}
		if whole, ok := long[token]; ok {
			return Format(whole, t)
		}
		if text, ok := dayToken(token, t); ok {
			return text
		}
		return clockToken(token, t)
	})
}

// dayToken is a part of a date.
func dayToken(token string, t time.Time) (string, bool) {
	isoYear, isoWeek := t.ISOWeek()
	year, week := usWeek(t)
	weekday := int(t.Weekday())
	numbers := map[string]int{
		"M": int(t.Month()), "D": t.Day(), "DDD": t.YearDay(), "d": weekday, "e": weekday, "E": (weekday+6)%7 + 1,
		"w": week, "W": isoWeek, "Q": (int(t.Month())-1)/3 + 1, "Y": t.Year(),
	}
	if n, ok := numbers[token]; ok {
		return strconv.Itoa(n), true
	}
	if n, ok := numbers[strings.TrimSuffix(token, "o")]; ok {
		return ordinal(n), true
	}
	switch token {
	case "MM":
		return two(int(t.Month())), true
	case "MMM":
		return t.Format("Jan"), true
	case "MMMM":
		return t.Month().String(), true
	case "DD":
		return two(t.Day()), true
	case "DDDD":
		return fmt.Sprintf("%03d", t.YearDay()), true
	case "dd":
		return t.Weekday().String()[:2], true
	case "ddd":
		return t.Weekday().String()[:3], true
	case "dddd":
		return t.Weekday().String(), true
	case "ww":
		return two(week), true
	case "WW":
		return two(isoWeek), true
	case "YYYY":
		return fmt.Sprintf("%04d", t.Year()), true
	case "YY":
		return two(t.Year() % 100), true
	case "gggg":
		return fmt.Sprintf("%04d", year), true
	case "gg":
		return two(year % 100), true
	case "GGGG":
		return fmt.Sprintf("%04d", isoYear), true
	case "GG":
		return two(isoYear % 100), true
	}
	return "", false
}

// clockToken is a part of a time of day.
func clockToken(token string, t time.Time) string {
	noon := (t.Hour()+11)%12 + 1
	night := (t.Hour()+23)%24 + 1
	switch token {
	case "A":
		return t.Format("PM")
	case "a":
		return t.Format("pm")
	case "HH":
		return two(t.Hour())
	case "H":
		return strconv.Itoa(t.Hour())
	case "hh":
		return two(noon)
	case "h":
		return strconv.Itoa(noon)
	case "kk":
		return two(night)
	case "k":
		return strconv.Itoa(night)
	case "mm":
		return two(t.Minute())
	case "m":
		return strconv.Itoa(t.Minute())
	case "ss":
		return two(t.Second())
	case "s":
		return strconv.Itoa(t.Second())
	case "Z":
		return t.Format("-07:00")
	case "ZZ":
		return t.Format("-0700")
	case "X":
		return strconv.FormatInt(t.Unix(), 10)
	case "x":
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	return fmt.Sprintf("%09d", t.Nanosecond())[:len(token)] // S
}

func two(n int) string { return fmt.Sprintf("%02d", n) }

// ordinal is a number as the place in an order: 1st, 2nd, 11th.
func ordinal(n int) string {
	switch {
	case n%100/10 == 1:
	case n%10 == 1:
		return strconv.Itoa(n) + "st"
	case n%10 == 2:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}

// usWeek is the week in which a day lies where weeks begin with Sunday and the first
// one holds 1 January, and the year that the week belongs to.
func usWeek(t time.Time) (year, week int) {
	saturday := t.AddDate(0, 0, int(time.Saturday-t.Weekday()))
	return saturday.Year(), (saturday.YearDay()-1)/7 + 1
}

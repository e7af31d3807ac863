package dates

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tokens matches the tokens of a format: text in brackets, a letter after a backslash, and the names of parts
// of a time. All other text is literal.
var tokens = regexp.MustCompile(
	`\[[^\[]*?\]|\\.|[MQDdwW]o|M{3,4}|MM|M|Q|D{3,4}|DD|D|d{2,4}|d|E|ww|w|WW|W|YYYY|YY|Y|gggg|GGGG|A|a|HH|H|hh|h|mm|m|ss|s`)

// unknownTokens matches tokens of Moment that are unknown here: the forms of a locale, seconds since 1970, eras,
// time zones, fractions of a second.
var unknownTokens = regexp.MustCompile(`\[[^\[]*?\]|\\.|LTS?|L{1,4}|l{1,4}|X|x|ZZ?|zz?|S{1,9}|N{1,5}|kk?|e|y{1,4}|DDDo`)

// CheckFormat returns an error that names the first part of a format of Moment that [Format] does not know and
// would write as it stands.
func CheckFormat(format string) error {
	for _, token := range unknownTokens.FindAllString(format, -1) {
		if token[0] != '[' && token[0] != '\\' {
			return fmt.Errorf("the date format %q has %s, which ibid does not know", format, token)
		}
	}
	return nil
}

// Format formats a time by a format of Moment, such as "YYYY-MM-DD" or "YYYY/[Week] ww". Months and days have
// their English names, and weeks begin with Sunday unless the format asks for ISO weeks.
func Format(format string, t time.Time) string {
	return tokens.ReplaceAllStringFunc(format, func(token string) string {
		if text, ok := literalText(token); ok {
			return text
		}
		return formatPart(token, t)
	})
}

// literalText returns the text that a token in brackets or after a backslash stands for.
func literalText(token string) (text string, ok bool) {
	switch token[0] {
	case '[':
		return token[1 : len(token)-1], true
	case '\\':
		return token[1:], true
	}
	return "", false
}

// layouts maps parts of a format to layouts of package time.
var layouts = map[string]string{
	"YYYY": "2006", "YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01",
	"DDDD": "002", "DD": "02", "dddd": "Monday",
	"ddd": "Mon", "HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5", "A": "PM", "a": "pm",
}

// formatPart formats one part of a time.
func formatPart(token string, t time.Time) string {
	if layout, ok := layouts[token]; ok {
		return t.Format(layout)
	}
	isoYear, isoWeek := t.ISOWeek()
	year, week := usWeek(t)
	numbers := map[string]int{
		"M": int(t.Month()), "D": t.Day(), "DDD": t.YearDay(), "d": int(t.Weekday()), "E": Weekday(t) + 1, "w": week,
		"W": isoWeek, "Q": (int(t.Month())-1)/3 + 1, "Y": t.Year(), "H": t.Hour(),
	}
	if n, ok := numbers[token]; ok {
		return strconv.Itoa(n)
	}
	if name, ok := strings.CutSuffix(token, "o"); ok {
		return ordinal(numbers[name])
	}
	switch token {
	case "dd":
		return t.Weekday().String()[:2]
	case "gggg":
		return fmt.Sprintf("%04d", year)
	case "GGGG":
		return fmt.Sprintf("%04d", isoYear)
	}
	return fmt.Sprintf("%02d", numbers[token[:1]]) // ww, WW
}

// ordinal returns an ordinal number: 1st, 2nd, 11th.
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

// usWeek returns the number of the week of a day, where weeks begin with Sunday and the first one contains 1
// January, and the year of that week.
func usWeek(t time.Time) (year, week int) {
	saturday := t.AddDate(0, 0, int(time.Saturday-t.Weekday()))
	return saturday.Year(), (saturday.YearDay()-1)/7 + 1
}

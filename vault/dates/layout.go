package dates

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Layout reads the times that [Format] writes by one format of Moment. It also reads months and weekdays in the
// other languages of this package, since Moment writes them in the language of the editor.
type Layout struct {
	whole, part *regexp.Regexp // of a whole text, and of a part of it
	tokens      []string       // one for each group
	literals    []string       // texts without letters that stand between the tokens
}

// wordPattern matches the name of a month or of a weekday.
const wordPattern = `[\p{L}\p{M}]+\.?`

// tokenPatterns are the expressions for what the tokens write.
var tokenPatterns = map[string]string{
	"YYYY": `\d{4}`, "YY": `\d{2}`, "Y": `\d{1,4}`, "gggg": `\d{4}`, "GGGG": `\d{4}`, "Q": `[1-4]`,
	"MMMM": wordPattern, "MMM": wordPattern, "MM": `\d{2}`, "M": `\d{1,2}`,
	"DDDD": `\d{3}`, "DDD": `\d{1,3}`, "DD": `\d{2}`, "D": `\d{1,2}`,
	"ww": `\d{2}`, "w": `\d{1,2}`, "WW": `\d{2}`, "W": `\d{1,2}`,
	"dddd": wordPattern, "ddd": wordPattern, "dd": wordPattern, "d": `[0-6]`, "E": `[1-7]`,
	"HH": `\d{2}`, "hh": `\d{2}`, "mm": `\d{2}`, "ss": `\d{2}`,
	"H": `\d{1,2}`, "h": `\d{1,2}`, "m": `\d{1,2}`, "s": `\d{1,2}`, "A": `[AaPp][Mm]`, "a": `[AaPp][Mm]`,
}

// ordinalPattern matches an ordinal number in the languages whose editors write one: 3rd, 3., 3er, 3º, 3日.
const ordinalPattern = `\d{1,2}(?:st|nd|rd|th|\.|er?|º|ª|日)?`

// ParseLayout makes a layout from a format of Moment, which may contain folders. ok is false if what the format writes
// does not tell a day, week, month, quarter or year, or contains something that this package does not know.
func ParseLayout(format string) (l Layout, ok bool) {
	if len(format) > maxLength || !utf8.ValidString(format) {
		return Layout{}, false
	}
	if CheckFormat(format) != nil {
		return Layout{}, false
	}
	format = norm.NFC.String(format)
	var pattern strings.Builder
	addLiteral := func(text string) {
		pattern.WriteString(regexp.QuoteMeta(text))
		if text != "" && !strings.ContainsFunc(text, unicode.IsLetter) {
			l.literals = append(l.literals, text)
		}
	}
	end := 0
	for _, at := range tokens.FindAllStringIndex(format, -1) {
		addLiteral(format[end:at[0]])
		token := format[at[0]:at[1]]
		end = at[1]
		if text, isLiteral := literalText(token); isLiteral {
			addLiteral(text)
			continue
		}
		l.tokens = append(l.tokens, token)
		expression, known := tokenPatterns[token]
		if !known {
			expression = ordinalPattern
		}
		pattern.WriteString("(" + expression + ")")
	}
	addLiteral(format[end:])
	l.whole = regexp.MustCompile("(?i)^" + pattern.String() + "$")
	l.part = regexp.MustCompile("(?i)" + pattern.String())
	at := time.Date(2004, 6, 15, 0, 0, 0, 0, time.UTC)
	_, ok = l.Read(Format(format, at), time.UTC)
	return l, ok
}

// Read reads a text that the layout has written, as the day, week, month, quarter or year that it tells. Letters
// may have either case.
func (l Layout) Read(text string, loc *time.Location) (Range, bool) {
	m := l.whole.FindStringSubmatch(norm.NFC.String(text))
	if m == nil {
		return Range{}, false
	}
	return l.resolve(m[1:], loc)
}

// find reads the first part of a text that the layout could have written and that is no part of a longer number or
// word.
func (l Layout) find(text string, loc *time.Location) (Range, bool) {
	if slices.ContainsFunc(l.literals, func(literal string) bool { return !strings.Contains(text, literal) }) {
		return Range{}, false // far cheaper than the expression
	}
	for from := 0; from < len(text); {
		at := l.part.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return Range{}, false
		}
		start, end := from+at[0], from+at[1]
		if !joins(text, start) && !joins(text, end) {
			groups := make([]string, len(l.tokens))
			for i := range groups {
				groups[i] = text[from+at[2*i+2] : from+at[2*i+3]]
			}
			if r, ok := l.resolve(groups, loc); ok {
				return r, true
			}
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
	return Range{}, false
}

// joins reports whether a number or a word goes on at an offset of a text.
func joins(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case isDigitRune(before) && isDigitRune(after):
		return true
	case isDense(before) || isDense(after): // no spaces between words
		return false
	}
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

func isDigitRune(r rune) bool { return '0' <= r && r <= '9' }

// Keys of the values in a time.
const (
	yearKey        = 'Y'
	monthKey       = 'M'
	dayKey         = 'D'
	dayOfYearKey   = 'j'
	quarterKey     = 'Q'
	isoYearKey     = 'G' // the year of a week in ISO 8601
	isoWeekKey     = 'W'
	localYearKey   = 'g' // the year of a week that begins with Sunday
	localWeekKey   = 'w'
	weekdayKey     = 'E' // from Monday, 0
	timeOfDayKey   = 'H' // is checked, but not read
	twoDigitsUntil = 68  // 68 is 2068, 69 is 1969, as in Moment
)

// resolve converts the texts of the tokens to a time. A value that stands twice has to be the same.
func (l Layout) resolve(texts []string, loc *time.Location) (Range, bool) {
	found := map[rune]int{}
	for i, token := range l.tokens {
		key, n, ok := tokenValue(token, texts[i])
		if !ok {
			return Range{}, false
		}
		if earlier, twice := found[key]; twice && earlier != n {
			return Range{}, false
		}
		if key != timeOfDayKey {
			found[key] = n
		}
	}
	return rangeOf(found, loc)
}

// tokenValue returns what the text of a token says.
func tokenValue(token, text string) (key rune, n int, ok bool) {
	switch token {
	case "MMMM", "MMM":
		n, ok = wordValue(text, 'm')
		return monthKey, n, ok
	case "dddd", "ddd", "dd":
		n, ok = wordValue(text, 'w')
		if token == "dd" && !ok {
			return timeOfDayKey, 0, true // two letters are no word of every language
		}
		return weekdayKey, n, ok
	}
	digits := strings.TrimRightFunc(text, func(r rune) bool { return !isDigitRune(r) })
	n, err := strconv.Atoi(digits)
	ok = err == nil
	switch token {
	case "YYYY", "Y":
		return yearKey, n, ok
	case "YY":
		if n > twoDigitsUntil {
			return yearKey, 1900 + n, ok
		}
		return yearKey, 2000 + n, ok
	case "GGGG":
		return isoYearKey, n, ok
	case "gggg":
		return localYearKey, n, ok
	case "MM", "M", "Mo":
		return monthKey, n, ok
	case "DD", "D", "Do":
		return dayKey, n, ok
	case "DDDD", "DDD":
		return dayOfYearKey, n, ok
	case "Q", "Qo":
		return quarterKey, n, ok
	case "WW", "W", "Wo":
		return isoWeekKey, n, ok
	case "ww", "w", "wo":
		return localWeekKey, n, ok
	case "E":
		return weekdayKey, n - 1, ok
	case "d", "do":
		return weekdayKey, (n + 6) % 7, ok
	}
	return timeOfDayKey, 0, !ok || n < timeOfDayLimits[token]
}

// timeOfDayLimits are the numbers that hours, minutes and seconds stay below.
var timeOfDayLimits = map[string]int{"HH": 24, "H": 24, "hh": 13, "h": 13, "mm": 60, "m": 60, "ss": 60, "s": 60}

// wordValue returns the value of a word that has a kind in one of the languages.
func wordValue(word string, kind byte) (n int, ok bool) {
	folded, _ := fold(strings.TrimSuffix(word, "."), false)
	for _, language := range table().languages {
		if t, known := language[folded]; known && t.kind == kind {
			return t.n, true
		}
	}
	return 0, false
}

// rangeOf returns the smallest time that the values tell.
func rangeOf(found map[rune]int, loc *time.Location) (Range, bool) {
	has := func(keys ...rune) bool {
		return !slices.ContainsFunc(keys, func(key rune) bool { _, ok := found[key]; return !ok })
	}
	p := parser{now: time.Date(2000, 1, 1, 0, 0, 0, 0, loc)}
	if !has(isoYearKey) && has(yearKey, isoWeekKey) {
		found[isoYearKey] = found[yearKey]
	}
	if !has(localYearKey) && has(yearKey, localWeekKey) {
		found[localYearKey] = found[yearKey]
	}
	switch {
	case has(yearKey, monthKey, dayKey):
		return p.day(found[yearKey], found[monthKey], found[dayKey])
	case has(yearKey, dayOfYearKey):
		day := time.Date(found[yearKey], 1, found[dayOfYearKey], 0, 0, 0, 0, loc)
		return days(day, 1), day.Year() == found[yearKey]
	case has(isoYearKey, isoWeekKey):
		r, ok := p.week(found[isoYearKey], found[isoWeekKey])
		if ok && has(weekdayKey) {
			return days(r.From.AddDate(0, 0, found[weekdayKey]), 1), true
		}
		return r, ok
	case has(localYearKey, localWeekKey):
		first := time.Date(found[localYearKey], 1, 1, 0, 0, 0, 0, loc)
		sunday := first.AddDate(0, 0, -int(first.Weekday())+7*(found[localWeekKey]-1))
		year, week := usWeek(sunday)
		ok := year == found[localYearKey] && week == found[localWeekKey]
		if ok && has(weekdayKey) {
			return days(sunday.AddDate(0, 0, (found[weekdayKey]+1)%7), 1), true
		}
		return days(sunday, 7), ok
	case has(yearKey, monthKey):
		month := found[monthKey]
		return p.months(found[yearKey], month, 1), 1 <= month && month <= 12
	case has(yearKey, quarterKey):
		return p.months(found[yearKey], 3*found[quarterKey]-2, 3), true
	case has(yearKey):
		return p.months(found[yearKey], 1, 12), true
	}
	return Range{}, false
}

package dates

import (
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"
)

// InName returns the first day in the name of a file: 2026-03-04 or 20260304, anywhere in it. These are the names
// that Dataview reads; [Names] knows many more.
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

// NameFormat is how the notes of a day, week, month, quarter or year are named: by a format of Moment, which may
// contain folders, below a folder, "" for the root of the vault.
type NameFormat struct{ Folder, Format string }

// Names reads the dates in the names of the notes of a vault. The zero value knows the common forms only.
type Names struct {
	paths []pathLayout
	days  []Layout // of days, anywhere in a name
}

// pathLayout is the layout of the paths of notes in a folder.
type pathLayout struct {
	prefix string // the folder with a slash, "" for the root of the vault
	Layout
}

// NewNames returns names of notes by the formats of a vault, the most important first. A format that tells no
// date, or has parts that [CheckFormat] refuses, is left out.
func NewNames(formats ...NameFormat) (n Names) {
	for _, f := range formats {
		path, ok := ParseLayout(f.Format)
		if !ok {
			continue
		}
		prefix := ""
		if folder := strings.Trim(f.Folder, "/"); folder != "" {
			prefix = norm.NFC.String(folder) + "/"
		}
		n.paths = append(n.paths, pathLayout{prefix, path})
		name, ok := ParseLayout(f.Format[strings.LastIndexByte(f.Format, '/')+1:])
		if ok && name.hasFullDay() {
			n.days = append(n.days, name)
		}
	}
	return n
}

// hasFullDay reports whether the layout tells a day with a year of four digits, and so enough to be looked for in a
// name that says more.
func (l Layout) hasFullDay() bool {
	has := func(tokens ...string) bool {
		return slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(l.tokens, t) })
	}
	return has("YYYY") && (has("DDDD") || has("M", "MM", "MMM", "MMMM", "Mo") && has("D", "DD", "Do"))
}

// commonDays are formats of days whose meaning is the same everywhere. Dots mean that the day comes first.
var commonDays = []string{
	"YYYY-M-D", "YYYY_M_D", "YYYY.M.D", "YYYY M D", "YYYY年M月D日",
	"YYYYMMDDHHmmss", "YYYYMMDDHHmm", "YYYYMMDD[T]HHmmss", "YYYYMMDD[T]HHmm", "YYYYMMDD", "D.M.YYYY",
	"MMMM Do, YYYY", "MMMM Do YYYY", "Do MMMM YYYY", "Do [de] MMMM [de] YYYY", "D-MMM-YYYY", "YYYY-MMM-D",
}

// commonFolders is the format of days whose year and month are folders.
const commonFolders = "YYYY/MM/DD"

// commonPeriods are formats of weeks, months and quarters that are dates where they are a whole name.
var commonPeriods = []string{"GGGG-[W]WW", "GGGG[W]WW", "YYYY-MM", "YYYY_MM", "YYYY-[Q]Q"}

// dayOrMonthFirst are formats in which the day and the month may stand for each other.
var dayOrMonthFirst = []string{"D-M-YYYY", "D_M_YYYY", "M-D-YYYY", "M_D_YYYY"}

// The years of dates in common forms. Other numbers of four digits are no years.
const (
	firstYear = 1900
	lastYear  = 2100
)

// leastDigits is the number of digits that the name of a day has at least: "May 3, 2026".
const leastDigits = 5

// commonLayouts holds the layouts of the common forms.
var commonLayouts = sync.OnceValue(func() (l struct{ days, folders, periods, unclear []Layout }) {
	l.days = parseLayouts(commonDays)
	l.folders = parseLayouts([]string{commonFolders})
	l.periods = parseLayouts(commonPeriods)
	l.unclear = parseLayouts(dayOrMonthFirst)
	return l
})

// InPath returns the day, week, month, quarter or year in the path of a note, without its ending. The formats of
// the vault come first. Then a day in one of the common forms is looked for in the name; of forms in which the day
// and the month may stand for each other only those count that have one meaning.
func (n Names) InPath(path string, loc *time.Location) (Range, bool) {
	if !strings.ContainsFunc(path, isDigitRune) {
		return Range{}, false
	}
	path = norm.NFC.String(path)
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, l := range n.paths {
		rest, inFolder := strings.CutPrefix(path, l.prefix)
		if !inFolder {
			continue
		}
		if r, ok := l.Read(rest, loc); ok {
			return r, true
		}
	}
	for _, l := range n.days {
		if r, ok := l.find(name, loc); ok {
			return r, true
		}
	}
	if r, ok := commonDay(name, loc); ok {
		return r, true
	}
	if r, ok := firstDay(commonLayouts().folders, path, loc); ok {
		return r, true
	}
	for _, l := range commonLayouts().periods {
		if r, ok := l.Read(name, loc); ok && r.isCommonYear() {
			return r, true
		}
	}
	return Range{}, false
}

// commonDay returns the first day in a name that is written in one of the common forms.
func commonDay(name string, loc *time.Location) (Range, bool) {
	if strings.Count(strings.Map(digitsAlike, name), "0") < leastDigits {
		return Range{}, false
	}
	if r, ok := firstDay(commonLayouts().days, name, loc); ok {
		return r, true
	}
	var meaning Range
	for _, l := range commonLayouts().unclear {
		r, ok := l.find(name, loc)
		if !ok || !r.isCommonYear() {
			continue
		}
		if meaning != (Range{}) && meaning != r {
			return Range{}, false // 03-04-2026
		}
		meaning = r
	}
	return meaning, meaning != Range{}
}

// writtenDays are formats of days as they are written, the most common first.
var writtenDays = []string{
	"YYYY-MM-DD", "YYYYMMDD", "YYYY_MM_DD", "YYYY.MM.DD", "DD.MM.YYYY", "D.M.YYYY", "YYYY年M月D日",
	"MMMM Do, YYYY", "MMMM D, YYYY", "D MMMM YYYY", "YYYY-MM-DD dddd", "YYYY-MM-DD ddd",
}

// CommonFormat returns the common format of days in which most of the names are written; "" if none of them is a day.
func CommonFormat(names ...string) (format string) {
	most := 0
	for i, layout := range writtenLayouts() {
		count := 0
		for _, name := range names {
			r, ok := layout.find(name, time.UTC)
			if ok && r.isCommonYear() && Format(writtenDays[i], r.From) == name {
				count++
			}
		}
		if count > most {
			most = count
			format = writtenDays[i]
		}
	}
	return format
}

// writtenLayouts holds the layouts of writtenDays.
var writtenLayouts = sync.OnceValue(func() []Layout { return parseLayouts(writtenDays) })

// parseLayouts makes layouts from formats that all tell a date.
func parseLayouts(formats []string) (list []Layout) {
	for _, format := range formats {
		layout, _ := ParseLayout(format)
		list = append(list, layout)
	}
	return list
}

// digitsAlike maps all digits to one.
func digitsAlike(r rune) rune {
	if isDigitRune(r) {
		return '0'
	}
	return r
}

// firstDay returns the day that the first of the layouts finds in a text.
func firstDay(layouts []Layout, text string, loc *time.Location) (Range, bool) {
	for _, l := range layouts {
		if r, ok := l.find(text, loc); ok && r.isCommonYear() {
			return r, true
		}
	}
	return Range{}, false
}

func (r Range) isCommonYear() bool { return firstYear <= r.From.Year() && r.From.Year() <= lastYear }

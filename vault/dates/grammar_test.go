package dates_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ibid/vault/dates"
)

// allowed are the days that an expression speaks of, as far as its words exclude
// others; zero days leave a side open.
type allowed struct {
	first, last time.Time
	sure        [2]time.Time // the first and the last that it means for sure; zero for first and last
	not         bool         // those days are the ones that it excludes
	none        bool         // it can only be refused
}

func (a allowed) has(day time.Time) bool {
	in := (a.first.IsZero() || !day.Before(a.first)) && (a.last.IsZero() || !day.After(a.last))
	return in != a.not && !a.none
}

// tongue has the words of a language for the expressions of the grammar below. %s is the place of the words that
// belong to a word.
type tongue struct {
	Months, Weekdays []string

	Day, DayYear, MonthYear string         // of month 1 and day 2; with a year; of month 1 and year 2
	Units                   map[string]int // "last week" to its offset, by the letter of the unit in front
	MonthOf, WeekdayOf      map[string]int // month 1 of another year: "%s of last year"; weekday 1 of another week
	Days                    map[string]int // offsets from today
	Ago, Last               []string       // number 1 of units d, w, m, y; the last number 1 of units
	Early, Mid, Late        []string
	Since, Until            []string
	Before, After           []string
	Between, Numbers        []string // from day 1 to day 2 of month 3
	Not, Never              []string // what no range says; %s is a month
	Sentence                []string
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// period returns the n-th unit, by its letter, from the one of today.
func period(unit byte, today time.Time, n int) allowed {
	y, m, _ := today.Date()
	switch unit {
	case 'w':
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7+7*n)
		return allowed{first: monday, last: monday.AddDate(0, 0, 6)}
	case 'm':
		return allowed{first: day(y, int(m)+n, 1), last: day(y, int(m)+n+1, 0)}
	case 'q':
		first := (int(m)-1)/3*3 + 1 + 3*n
		return allowed{first: day(y, first, 1), last: day(y, first+3, 0)}
	}
	return allowed{first: day(y+n, 1, 1), last: day(y+n, 12, 31)}
}

// grammar puts expressions together.
type grammar struct {
	*rapid.T
	tongue
	today time.Time
}

func pick[T any](g grammar, list []T) T { return rapid.SampledFrom(list).Draw(g.T, "one of") }

func keyOf(g grammar, m map[string]int) (string, int) {
	key := pick(g, slices.Sorted(maps.Keys(m)))
	return key, m[key]
}

func (g grammar) number(label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(g.T, label)
}

// atom is a time in one piece; many says that it is longer than a day, with a year
// of its own so that it lies where it says.
func (g grammar) atom() (text string, a allowed, many bool) {
	year, month := g.number("year", 2015, 2026), g.number("month", 1, 12)
	name := g.Months[month-1]
	d := g.number("day", 1, 28)
	switch g.number("atom", 0, 8) {
	case 0:
		return fmt.Sprintf(g.MonthYear, name, year), allowed{first: day(year, month, 1), last: day(year, month+1, 0)}, true
	case 1:
		return fmt.Sprintf(g.DayYear, name, d, year), allowed{first: day(year, month, d), last: day(year, month, d)}, false
	case 2:
		if text := fmt.Sprint(year); strings.Contains(g.MonthYear, "年") {
			return text + "年", period('y', day(year, 1, 1), 0), true
		}
		return fmt.Sprint(year), period('y', day(year, 1, 1), 0), true
	case 3:
		text, n := keyOf(g, g.Units)
		return text[2:], period(text[0], g.today, n), true
	case 4:
		form, n := keyOf(g, g.MonthOf)
		y := g.today.Year() + n
		return fmt.Sprintf(form, name), allowed{first: day(y, month, 1), last: day(y, month+1, 0)}, true
	case 5:
		form, n := keyOf(g, g.WeekdayOf)
		w := g.number("weekday", 0, 6)
		at := period('w', g.today, n).first.AddDate(0, 0, w)
		return fmt.Sprintf(form, g.Weekdays[w]), allowed{first: at, last: at}, false
	case 6:
		text, n := keyOf(g, g.Days)
		return text, allowed{first: g.today.AddDate(0, 0, n), last: g.today.AddDate(0, 0, n)}, false
	case 7:
		n := g.number("count", 2, 9)
		unit := g.number("unit", 0, 3)
		at := []time.Time{
			g.today.AddDate(0, 0, -n), g.today.AddDate(0, 0, -7*n), g.today.AddDate(0, -n, 0), g.today.AddDate(-n, 0, 0),
		}[unit]
		return fmt.Sprintf(g.Ago[unit], n), allowed{first: at, last: at}, false
	}
	return fmt.Sprintf("%d-%02d-%02d", year, month, d),
		allowed{first: day(year, month, d), last: day(year, month, d)}, false
}

// part returns an atom, or half of one, at least a day.
func (g grammar) part() (text string, a allowed) {
	text, a, many := g.atom()
	if !many || g.Bool() {
		return text, a
	}
	days := int(a.last.Sub(a.first).Hours()/24) + 1
	from := func(n int) time.Time { return a.first.AddDate(0, 0, n) }
	switch g.number("part", 0, 2) {
	case 0:
		return fmt.Sprintf(pick(g, g.Early), text), allowed{
			first: a.first, last: from(days / 2), sure: [2]time.Time{a.first, from(days / 5)},
		}
	case 1:
		sure := [2]time.Time{from(days * 3 / 7), from((days - 1) / 2)}
		return fmt.Sprintf(pick(g, g.Mid), text), allowed{
			first: from(days / 4), last: a.last.AddDate(0, 0, -days/4), sure: sure,
		}
	}
	return fmt.Sprintf(pick(g, g.Late), text), allowed{
		first: from(days/2 - 1), last: a.last, sure: [2]time.Time{from(days - 1 - days/5), a.last},
	}
}

func (g grammar) Bool() bool { return rapid.Bool().Draw(g.T, "yes") }

// expression returns a part with its bounds.
func (g grammar) expression() (text string, a allowed) {
	text, a = g.part()
	sure := a.sure
	if sure[0].IsZero() {
		sure = [2]time.Time{a.first, a.last}
	}
	switch g.number("form", 0, 9) {
	case 0:
		return fmt.Sprintf(pick(g, g.Since), text), allowed{first: a.first}
	case 1:
		return fmt.Sprintf(pick(g, g.Until), text), allowed{last: a.last}
	case 2:
		return fmt.Sprintf(pick(g, g.Before), text), allowed{last: sure[0].AddDate(0, 0, -1)}
	case 3:
		return fmt.Sprintf(pick(g, g.After), text), allowed{first: sure[1].AddDate(0, 0, 1)}
	case 4:
		other, b := g.part()
		return fmt.Sprintf(pick(g, g.Between), text, other), allowed{first: a.first, last: b.last}
	case 5:
		from, month := g.number("from", 1, 14), g.number("month", 1, 12)
		to, year := from+g.number("more", 1, 14), g.today.Year()
		if month > int(g.today.Month()) {
			year--
		}
		return fmt.Sprintf(pick(g, g.Numbers), from, to, g.Months[month-1]),
			allowed{first: day(year, month, from), last: day(year, month, to)}
	case 6:
		return fmt.Sprintf(pick(g, g.Not), text), allowed{first: sure[0], last: sure[1], not: true}
	case 7:
		form := pick(g, g.Never)
		if strings.Contains(form, "%s") {
			form = fmt.Sprintf(form, pick(g, g.Months))
		}
		return form, allowed{none: true}
	case 8:
		n := g.number("count", 2, 9)
		unit := g.number("unit", 0, 1)
		at := g.today.AddDate(0, 0, -n*(1+6*unit))
		return fmt.Sprintf(g.Last[unit], n), allowed{first: at, last: g.today}
	}
	return text, a
}

// TestNothingExcluded: a range that is read holds no day that the words exclude,
// by itself and in a sentence.
func TestNothingExcluded(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "tongues.json"))
	var tongues map[string]tongue
	if err = cmp.Or(err, json.Unmarshal(data, &tongues)); err != nil {
		t.Fatal(err)
	}
	for name, words := range tongues {
		t.Run(name, func(t *testing.T) {
			read, all := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				today := day(2025, 1, 1).AddDate(0, 0, rapid.IntRange(0, 700).Draw(t, "today"))
				g := grammar{t, words, today}
				text, a := g.expression()
				var found []dates.Range
				if g.Bool() {
					sentence := fmt.Sprintf(pick(g, words.Sentence), text)
					for _, f := range dates.Find(sentence, today.Add(11*time.Hour)) {
						found = append(found, f.Range)
					}
					text = sentence
				} else if r, ok := dates.Parse(text, today.Add(11*time.Hour)); ok {
					found = append(found, r)
				}
				if all++; len(found) > 0 {
					read++
				}
				for _, r := range found {
					from, until := r.From, r.Until
					if from.IsZero() {
						from = until.AddDate(0, 0, -30)
						if !a.none && !a.not && !a.first.IsZero() {
							t.Fatalf("%q on %s: open at its beginning, though nothing is meant before %s", text,
								today.Format(time.DateOnly), a.first.Format(time.DateOnly))
						}
					}
					if until.IsZero() {
						until = from.AddDate(0, 0, 30)
						if !a.none && !a.not && !a.last.IsZero() {
							t.Fatalf("%q on %s: open at its end, though nothing is meant after %s", text, today.Format(time.DateOnly),
								a.last.Format(time.DateOnly))
						}
					}
					for d := from; d.Before(until); d = d.AddDate(0, 0, 1) {
						if !a.has(d) {
							t.Fatalf("%q on %s is read as %s; %s is excluded", text, today.Format(time.DateOnly), span(r),
								d.Format(time.DateOnly))
						}
					}
				}
			})
			if t.Logf("%d of %d are read", read, all); read*3 < all {
				t.Errorf("only %d of %d expressions are read", read, all)
			}
		})
	}
}

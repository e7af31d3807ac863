package dates

import (
	"slices"
	"strings"
	"time"
)

// Range is the time from From up to Until, which is not part of it. A zero time
// leaves that side open.
type Range struct{ From, Until time.Time }

// Contains reports whether t lies in r.
func (r Range) Contains(t time.Time) bool {
	return !t.Before(r.From) && (r.Until.IsZero() || t.Before(r.Until))
}

// longest is how long a text can be that is read as a range, in bytes.
const longest = 100

// Parse reads a whole text as a range. ok is false if it is none, or holds
// anything else.
func Parse(text string, now time.Time) (r Range, ok bool) {
	if len(text) > longest {
		return Range{}, false
	}
	words, ok := tokens(text)
	if !ok || len(words) > 12 {
		return Range{}, false
	}
	p := parser{now: now, today: dayOf(now)}
	return p.parse(words)
}

// parser reads tokens as they are meant at one moment.
type parser struct{ now, today time.Time }

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func days(from time.Time, n int) Range { return Range{from, from.AddDate(0, 0, n)} }

// parse reads one range, or two with something in between.
func (p parser) parse(words []token) (Range, bool) {
	first := words[0].kind
	if first == kindSince || first == kindUntil {
		words = words[1:]
	}
	for i, w := range words {
		if i > 0 && i < len(words)-1 && (w.kind == kindUntil || w.kind == kindAnd) {
			return p.between(words[:i], words[i+1:])
		}
	}
	r, ok := p.one(words)
	switch {
	case !ok:
		return Range{}, false
	case first == kindSince:
		r.Until = later(r.Until, p.today.AddDate(0, 0, 1))
	case first == kindUntil:
		r.From = time.Time{}
	}
	return r, true
}

func indexed(words []token, kind byte) bool {
	return slices.ContainsFunc(words, func(t token) bool { return t.kind == kind })
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// between is from the beginning of one range to the end of another. One that ends
// before it begins has crossed the new year, or the weekend.
func (p parser) between(from, to []token) (Range, bool) {
	a, ok := p.one(from)
	b, ok2 := p.one(to)
	if !ok || !ok2 {
		return Range{}, false
	}
	if !a.From.Before(b.Until) && !dated(to) {
		if to[0].kind == kindWeekday {
			b.Until = b.Until.AddDate(0, 0, 7)
		} else {
			b.Until = b.Until.AddDate(1, 0, 0)
		}
	}
	return Range{a.From, b.Until}, a.From.Before(b.Until)
}

// dated reports whether words name a year.
func dated(words []token) bool {
	return indexed(words, kindYear) || indexed(words, kindDay) || indexed(words, kindMonthOf)
}

// one reads a range without an end of its own, by the kinds of its words.
func (p parser) one(words []token) (Range, bool) {
	if len(words) > 1 && words[0].kind == kindUnit && words[0].n == week && words[1].kind != kindRelative {
		if r, ok := p.one(words[1:]); ok { // week of
			return days(monday(r.From), 7), true
		}
		return Range{}, false
	}
	var shape [6]byte
	if len(words) > len(shape) {
		return Range{}, false
	}
	n := map[byte]int{}
	for i, w := range words {
		shape[i], n[w.kind] = w.kind, w.n
	}
	read, ok := shapes[string(shape[:len(words)])]
	if !ok {
		return Range{}, false
	}
	if indexed(words, kindDay) {
		n[kindMonth] = words[0].month
		n[kindYear] = words[0].year
	}
	if indexed(words, kindMonthOf) {
		n[kindYear] = words[0].year
	}
	return read(p, n)
}

type reading = func(p parser, n map[byte]int) (Range, bool)

// shapes has, by the kinds of the words, how they are read.
var shapes = func() map[string]reading {
	m := map[string]reading{}
	for _, s := range []struct {
		shapes string
		read   reading
	}{
		{"o", func(p parser, n map[byte]int) (Range, bool) { return days(p.today.AddDate(0, 0, n['o']), 1), true }},
		{"d", func(p parser, n map[byte]int) (Range, bool) { return p.day(n['y'], n['m'], n['d']) }},
		{"y", func(p parser, n map[byte]int) (Range, bool) { return p.months(n['y'], 1, 12), true }},
		{"p", func(p parser, n map[byte]int) (Range, bool) { return p.months(n['y'], n['p'], 1), true }},
		{"m", func(p parser, n map[byte]int) (Range, bool) { return p.pastMonths(n['m'], 1, false), true }},
		{"my ym", func(p parser, n map[byte]int) (Range, bool) { return p.months(n['y'], n['m'], 1), true }},
		{"mn nm", func(p parser, n map[byte]int) (Range, bool) { return p.pastDay(n['m'], n['n']) }},
		{"mny nmy ymn", func(p parser, n map[byte]int) (Range, bool) { return p.day(n['y'], n['m'], n['n']) }},
		{"rm mr", parser.relativeMonth},
		{"w", func(p parser, n map[byte]int) (Range, bool) {
			return days(p.today.AddDate(0, 0, -(7+weekday(p.today)-n['w'])%7), 1), true
		}},
		{"rw wr", parser.relativeWeekday},
		{"ruw wru wur", func(p parser, n map[byte]int) (Range, bool) {
			return days(monday(p.today).AddDate(0, 0, 7*n['r']+n['w']), 1), n['u'] == week
		}},
		{"ru ur", func(p parser, n map[byte]int) (Range, bool) { return p.unit(n['u'], n['r']), true }},
		{"rnu nru nur", parser.recent},
		{"nua anu", func(p parser, n map[byte]int) (Range, bool) {
			return days(dayOf(p.shift(n['u'], -n['n'])), 1), true
		}},
		{"q", func(p parser, n map[byte]int) (Range, bool) { return p.pastMonths(3*n['q']-2, 3, false), true }},
		{"qy yq", func(p parser, n map[byte]int) (Range, bool) { return p.months(n['y'], 3*n['q']-2, 3), true }},
		{"s", func(p parser, n map[byte]int) (Range, bool) { return p.pastMonths(n['s'], 3, false), true }},
		{"sy ys", func(p parser, n map[byte]int) (Range, bool) { return p.months(n['y'], n['s'], 3), true }},
		{"rs sr", parser.relativeSeason},
		{"yk ky", func(p parser, n map[byte]int) (Range, bool) {
			first := monday(time.Date(n['y'], 1, 4, 0, 0, 0, 0, p.now.Location()))
			return days(first.AddDate(0, 0, 7*(n['k']-1)), 7), true
		}},
	} {
		for shape := range strings.FieldsSeq(s.shapes) {
			m[shape] = s.read
		}
	}
	return m
}()

// weekday counts from Monday, 0.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

func monday(t time.Time) time.Time { return t.AddDate(0, 0, -weekday(t)) }

func (p parser) day(year, month, day int) (Range, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, p.now.Location())
	return days(t, 1), t.Day() == day && int(t.Month()) == month
}

// months is n months from one on.
func (p parser) months(year, month, n int) Range {
	t := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, p.now.Location())
	return Range{t, t.AddDate(0, n, 0)}
}

// pastMonths is n months of the last year in which they are over, or have begun.
func (p parser) pastMonths(month, n int, over bool) Range {
	for year := p.today.Year(); ; year-- {
		if r := p.months(year, month, n); !r.From.After(p.today) && (!over || !r.Until.After(p.today)) {
			return r
		}
	}
}

// pastDay is a day of this month, or of the last month of that name.
func (p parser) pastDay(month, day int) (Range, bool) {
	year := p.today.Year()
	if month > int(p.today.Month()) {
		year--
	}
	return p.day(year, month, day)
}

func (p parser) relativeMonth(n map[byte]int) (Range, bool) {
	switch r := p.months(p.today.Year(), n['m'], 1); {
	case n['r'] < 0:
		return p.pastMonths(n['m'], 1, true), true
	case n['r'] > 0 && !r.From.After(p.today):
		return p.months(p.today.Year()+1, n['m'], 1), true
	default:
		return r, true
	}
}

func (p parser) relativeSeason(n map[byte]int) (Range, bool) {
	if n['r'] < 0 {
		return p.pastMonths(n['s'], 3, true), true
	}
	r := p.pastMonths(n['s'], 3, false)
	if !p.today.Before(r.Until) || n['r'] > 0 {
		r = p.months(r.From.Year()+1, n['s'], 3)
	}
	return r, true
}

// relativeWeekday is the last such day before today, that of this week, or that
// of the next one.
func (p parser) relativeWeekday(n map[byte]int) (Range, bool) {
	t := monday(p.today).AddDate(0, 0, 7*max(n['r'], 0)+n['w'])
	if n['r'] < 0 && !t.Before(p.today) {
		t = t.AddDate(0, 0, -7)
	}
	return days(t, 1), true
}

// recent is the last, or the next, n units, today included.
func (p parser) recent(n map[byte]int) (Range, bool) {
	if n['r'] >= 0 {
		return Range{p.today, dayOf(p.shift(n['u'], n['n'])).AddDate(0, 0, 1)}, n['r'] > 0
	}
	return Range{dayOf(p.shift(n['u'], -n['n'])), p.today.AddDate(0, 0, 1)}, true
}

// The units of time.
const (
	hour = iota
	day
	week
	month
	quarter
	year
	weekend
)

// shift is now moved by n units.
func (p parser) shift(unit, n int) time.Time {
	switch unit {
	case hour:
		return p.now.Add(time.Duration(n) * time.Hour)
	case week, weekend:
		n *= 7
	case month:
		return p.now.AddDate(0, n, 0)
	case quarter:
		return p.now.AddDate(0, 3*n, 0)
	case year:
		return p.now.AddDate(n, 0, 0)
	}
	return p.now.AddDate(0, 0, n)
}

// unit is the n-th unit from the one that is running.
func (p parser) unit(unit, n int) Range {
	y, m := p.today.Year(), int(p.today.Month())
	switch unit {
	case hour:
		return days(dayOf(p.shift(hour, n)), 1)
	case week:
		return days(monday(p.today).AddDate(0, 0, 7*n), 7)
	case weekend:
		return days(monday(p.today).AddDate(0, 0, 7*n+5), 2)
	case month:
		return p.months(y, m+n, 1)
	case quarter:
		return p.months(y, (m-1)/3*3+1+3*n, 3)
	case year:
		return p.months(y+n, 1, 12)
	}
	return days(p.today.AddDate(0, 0, n), 1)
}

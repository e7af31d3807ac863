package dates

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Range is the time from From up to Until, without Until itself. A zero time leaves that side open.
type Range struct{ From, Until time.Time }

// Contains reports whether t is in r.
func (r Range) Contains(t time.Time) bool {
	return !t.Before(r.From) && (r.Until.IsZero() || t.Before(r.Until))
}

// Limits of the text of a time, in bytes and in words.
const (
	maxLength = 100
	maxWords  = 14
)

// Parse parses text as a range. ok is false if it is none, or contains anything else.
func Parse(text string, now time.Time) (r Range, ok bool) {
	if len(text) > maxLength {
		return Range{}, false
	}
	p := parser{now: now, today: Midnight(now)}
	text, _ = fold(text, false)
	for _, words := range tokenize(text) {
		if r, ok = p.parse(words); ok {
			return r, true
		}
	}
	return Range{}, false
}

// tokenize returns the tokens of a folded text, in each of the languages that have most of its words.
func tokenize(text string) (all [][]token) {
	most := 0
	for i := range table().languages {
		l := lex(text, i)
		if l.known > most {
			all, most = nil, l.known
		}
		if l.known == most {
			all = append(all, l.tokens)
		}
	}
	return all
}

// parser parses tokens relative to one moment.
type parser struct{ now, today time.Time }

// Midnight returns the start of the day of t.
func Midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func days(from time.Time, n int) Range { return Range{from, from.AddDate(0, 0, n)} }

// leads are the kinds of words that introduce a time without changing it.
const leads = "itg"

// isKind reports whether t is of one of the kinds.
func (t token) isKind(kinds string) bool { return strings.IndexByte(kinds, t.kind) >= 0 }

func hasKind(words []token, kinds string) bool {
	return slices.ContainsFunc(words, func(t token) bool { return t.isKind(kinds) })
}

// trimTrailingLeads returns words without the leads at their end.
func trimTrailingLeads(words []token) []token {
	for len(words) > 0 && words[len(words)-1].isKind(leads) {
		words = words[:len(words)-1]
	}
	return words
}

// parse parses one range, or two with a connecting word between them.
func (p parser) parse(words []token) (Range, bool) {
	for len(words) > 0 && words[0].isKind(leads) {
		words = words[1:]
	}
	if words = trimTrailingLeads(words); len(words) == 0 || len(words) > maxWords {
		return Range{}, false
	}
	side, ago := byte(0), false
	if t := words[0]; t.isKind("[]{(<>") {
		side, ago, words = t.kind, t.kind == '<' && t.n > 0, words[1:]
	}
	if i := len(words) - 1; i > 0 && words[i].isKind("SUBA") {
		if words[0].kind == '-' {
			words, i = words[1:], i-1 // 到 … 为止
		}
		behind := map[byte]byte{'S': '[', 'U': ']', 'B': '<', 'A': '>'}[words[i].kind]
		if side != 0 && side != behind {
			return Range{}, false
		}
		side, ago, words = behind, behind == '<', words[:i]
	}
	for i, t := range words {
		if i > 0 && i < len(words)-1 &&
			(t.isKind("-]Sh") && side != '<' && side != '>' || side == '(' && t.kind == '&') {
			if r, ok := p.parseBetween(words[:i], words[i+1:]); ok {
				return r, true
			}
		}
	}
	if ago || side == '[' && !hasKind(words, "j") { // vor drei Wochen, seit drei Wochen
		if r, ok := p.parseOne(append(slices.Clip(words), token{kind: 'a'})); ok {
			if !ago {
				r.Until = p.today.AddDate(0, 0, 1)
			}
			return r, true
		}
	}
	r, ok := p.parseOne(words)
	switch side {
	case '(':
		ok = false
	case '[':
		r.Until = slices.MaxFunc([]time.Time{r.Until, p.today.AddDate(0, 0, 1)}, time.Time.Compare)
	case ']':
		r.From = time.Time{}
	case '<':
		r = Range{Until: r.From}
	case '>':
		r = Range{From: r.Until}
	}
	return r, ok
}

// parseBetween returns the range from the beginning of one range to the end of another. Each takes the month or the
// year from the other where it has none: "3 to 9 May 2022".
func (p parser) parseBetween(from, to []token) (Range, bool) {
	a, ok := p.valuesOf(from)
	b, ok2 := p.valuesOf(to)
	if !ok || !ok2 {
		return Range{}, false
	}
	if a.has("w") && b.has("w") && len(b) == 1 { // until the first such day after it
		r, ok := p.resolve(a)
		return Range{r.From, r.From.AddDate(0, 0, (7+b['w']-Weekday(r.From))%7+1)}, ok
	}
	sameMonth := a.takeFrom('m', b, "nD")
	sameMonth = b.takeFrom('m', a, "nD") || sameMonth || a.has("m") && a['m'] == b['m']
	noYear := b.has("mqs") && !a.has("yr") && !b.has("yr")
	yearOfB := a.takeFrom('y', b, "mqsk")
	yearOfA := b.takeFrom('y', a, "mqsk")
	first, ok := p.resolve(a)
	last, ok2 := p.resolve(b)
	if !ok || !ok2 {
		return Range{}, false
	}
	switch crossed := !first.From.Before(last.Until) && !sameMonth; {
	case crossed && yearOfB:
		first.From = first.From.AddDate(-1, 0, 0)
	case crossed && (yearOfA || noYear):
		last.Until = last.Until.AddDate(1, 0, 0)
	}
	return Range{first.From, last.Until}, first.From.Before(last.Until)
}

// parseOne parses a range that is not made of two.
func (p parser) parseOne(words []token) (Range, bool) {
	if len(words) > 2 && words[0].kind == 'u' && words[0].n == week && words[1].isKind(leads) { // week of
		r, ok := p.parseOne(words[2:])
		return days(Monday(r.From), 7), ok && r.isDay()
	}
	v, ok := p.valuesOf(words)
	if !ok {
		return Range{}, false
	}
	return p.resolve(v)
}

func (r Range) isDay() bool { return r.Until.Equal(r.From.AddDate(0, 0, 1)) }

// resolve converts values to a range, by their kinds.
func (p parser) resolve(v values) (r Range, ok bool) {
	if d, ordinal := v['D']; ordinal && v.has("m") {
		v['n'] = d
		v.drop('D')
	}
	part, isPart := v['f']
	_, ofDay := v['x']
	onWeekday, isDate := v['w'], v.has("w") && v.has("m") && v.has("n")
	v.drop('f', 'x')
	if isDate {
		v.drop('w')
	}
	r, ok = p.byKinds(string(slices.Sorted(maps.Keys(v))), v)
	switch {
	case !ok, v['r']*v['r'] > 1 && (v.has("n") || !v.has("u")), ofDay && !r.isDay(),
		isDate && Weekday(r.From) != onWeekday:
		return Range{}, false
	case isPart && !r.isDay():
		return Range{r.sixth(part / 10), r.sixth(part % 10)}, true
	}
	return r, true
}

// sixth returns the time after n sixths of a range, at the beginning of a month if the range can be divided so.
func (r Range) sixth(n int) time.Time {
	count := 12*(r.Until.Year()-r.From.Year()) + int(r.Until.Month()-r.From.Month())
	switch {
	case n == 6:
		return r.Until
	case r.From.Day() != 1 || r.Until.Day() != 1 || count > 1 && count*n%6 != 0:
		return r.From.AddDate(0, 0, int(r.Until.Sub(r.From).Hours()+12)/24*n/6)
	case count == 1:
		return r.From.AddDate(0, 0, 5*n)
	}
	return r.From.AddDate(0, count*n/6, 0)
}

// byKinds converts values of exactly these kinds.
func (p parser) byKinds(kinds string, v values) (Range, bool) {
	switch kinds {
	case "o":
		return days(p.today.AddDate(0, 0, v['o']), 1), true
	case "mny":
		return p.day(v['y'], v['m'], v['n'])
	case "y":
		return p.months(v['y'], 1, 12), true
	case "my":
		return p.months(v['y'], v['m'], 1), v['m'] <= 12 && v['m'] > 0
	case "m":
		return p.pastMonths(v['m'], 1, false)
	case "mn":
		return p.pastDay(v['m'], v['n'])
	case "mr":
		return p.relativeMonth(v['r'], v['m'])
	case "w":
		return days(p.today.AddDate(0, 0, -(7+Weekday(p.today)-v['w'])%7), 1), true
	case "rw":
		return p.relativeWeekday(v['r'], v['w']), true
	case "ruw":
		return days(Monday(p.today).AddDate(0, 0, 7*v['r']+v['w']), 1), v['u'] == week
	case "ru":
		return p.unit(v['u'], v['r']), true
	case "nru":
		return p.lastOrNext(v['r'], v['n'], v['u'])
	case "anu":
		return days(Midnight(p.shift(v['u'], -v['n'])), 1), true
	case "q":
		return p.pastMonths(3*v['q']-2, 3, false)
	case "qy":
		return p.months(v['y'], 3*v['q']-2, 3), true
	case "s":
		return p.pastMonths(v['s'], 3, false)
	case "sy":
		return p.months(v['y'], v['s'], 3), true
	case "rs":
		return p.relativeSeason(v['r'], v['s'])
	case "ky":
		return p.week(v['y'], v['k'])
	case "k":
		year, running := p.today.ISOWeek()
		if v['k'] > running {
			year--
		}
		return p.week(year, v['k'])
	}
	return Range{}, false
}

// week returns a week by its number in ISO 8601.
func (p parser) week(year, n int) (Range, bool) {
	r := days(Monday(time.Date(year, 1, 4, 0, 0, 0, 0, p.now.Location())).AddDate(0, 0, 7*(n-1)), 7)
	of, same := r.From.ISOWeek()
	return r, of == year && same == n
}

// Weekday returns the day of the week from Monday, 0.
func Weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// Monday returns the Monday of the week of t.
func Monday(t time.Time) time.Time { return t.AddDate(0, 0, -Weekday(t)) }

func (p parser) day(year, month, day int) (Range, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, p.now.Location())
	return days(t, 1), t.Day() == day && int(t.Month()) == month
}

// months returns n months, beginning with the given one.
func (p parser) months(year, month, n int) Range {
	t := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, p.now.Location())
	return Range{t, t.AddDate(0, n, 0)}
}

// pastMonths returns n months of the last year in which they have begun, or ended if over is set.
func (p parser) pastMonths(month, n int, over bool) (Range, bool) {
	for year := p.today.Year(); month <= 12; year-- {
		if r := p.months(year, month, n); !r.From.After(p.today) && (!over || !r.Until.After(p.today)) {
			return r, true
		}
	}
	return Range{}, false
}

// pastDay returns a day of this month, or of the last month with this number.
func (p parser) pastDay(month, day int) (Range, bool) {
	year := p.today.Year()
	if month > int(p.today.Month()) {
		year--
	}
	return p.day(year, month, day)
}

func (p parser) relativeMonth(relative, month int) (Range, bool) {
	year := p.today.Year()
	if relative < 0 {
		return p.pastMonths(month, 1, true)
	}
	if relative > 0 && month <= int(p.today.Month()) {
		year++
	}
	return p.months(year, month, 1), true
}

func (p parser) relativeSeason(relative, month int) (Range, bool) {
	if relative < 0 {
		return p.pastMonths(month, 3, true)
	}
	r, _ := p.pastMonths(month, 3, false)
	if !p.today.Before(r.Until) || relative > 0 {
		r = p.months(r.From.Year()+1, month, 3)
	}
	return r, true
}

// relativeWeekday returns the last such day before today, that of this week, or that of the next week.
func (p parser) relativeWeekday(relative, day int) Range {
	t := Monday(p.today).AddDate(0, 0, 7*max(relative, 0)+day)
	if relative < 0 && !t.Before(p.today) {
		t = t.AddDate(0, 0, -7)
	}
	return days(t, 1)
}

// lastOrNext returns the last, or the next, n units, with today.
func (p parser) lastOrNext(relative, n, unit int) (Range, bool) {
	if relative >= 0 {
		return Range{p.today, Midnight(p.shift(unit, n)).AddDate(0, 0, 1)}, relative > 0
	}
	return Range{Midnight(p.shift(unit, -n)), p.today.AddDate(0, 0, 1)}, true
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

// lengths are the lengths of the units, in months and days.
var lengths = [...]struct{ months, days int }{
	hour: {}, day: {0, 1}, week: {0, 7}, month: {1, 0}, quarter: {3, 0}, year: {12, 0}, weekend: {0, 7},
}

// shift returns now moved by n units.
func (p parser) shift(unit, n int) time.Time {
	if unit == hour {
		return p.now.Add(time.Duration(n) * time.Hour)
	}
	return p.now.AddDate(0, n*lengths[unit].months, n*lengths[unit].days)
}

// unit returns the n-th unit from the current one.
func (p parser) unit(unit, n int) Range {
	switch months := lengths[unit].months; {
	case months > 0:
		begun := (12*p.today.Year() + int(p.today.Month()) - 1) / months
		return p.months(0, (begun+n)*months+1, months)
	case unit == week:
		return days(Monday(p.today).AddDate(0, 0, 7*n), 7)
	case unit == weekend:
		return days(Monday(p.today).AddDate(0, 0, 7*n+5), 2)
	}
	return days(Midnight(p.shift(unit, n)), 1)
}

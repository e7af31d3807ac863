package dates_test

import (
	"fmt"
	"maps"
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

// tongue is how a language says what the grammar below puts together. %s stands for
// what belongs to a word.
type tongue struct {
	months    []string
	weekdays  []string
	day       string         // of month 1 and day 2
	dayYear   string         // with a year
	monthYear string         // of month 1 and year 2
	units     map[string]int // "last week" to its offset, by the letter of the unit in front
	monthOf   map[string]int // month 1 of another year: "%s of last year"
	weekdayOf map[string]int // weekday 1 of another week
	days      map[string]int // offsets from today
	ago       []string       // number 1 of units d, w, m, y
	last      []string       // the last number 1 of units
	early     []string
	mid       []string
	late      []string
	since     []string
	until     []string
	before    []string
	after     []string
	between   []string
	numbers   []string // from day 1 to day 2 of month 3
	not       []string
	never     []string // what no range says; %s is a month
	sentence  []string
}

var tongues = map[string]tongue{
	"en": {
		months:   strings.Fields("January February March April May June July August September October November December"),
		weekdays: strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
		day:      "%[1]s %[2]d", dayYear: "%[1]s %[2]d, %[3]d", monthYear: "%s %d",
		units: map[string]int{
			"w last week": -1, "w this week": 0, "w the week before last": -2, "w next week": 1, "w the week after next": 2, "m last month": -1, "m the month before last": -2,
			"y last year": -1, "y the year before last": -2, "q last quarter": -1, "m this month": 0,
		},
		monthOf:   map[string]int{"%s of last year": -1, "%s last year": -1, "last year's %s": -1, "%s of the year before last": -2},
		weekdayOf: map[string]int{"%s of last week": -1, "%s of this week": 0},
		days:      map[string]int{"today": 0, "yesterday": -1, "the day before yesterday": -2, "yesterday morning": -1, "yesterday at 10:30": -1, "last night": -1},
		ago:       []string{"%d days ago", "%d weeks ago", "%d months ago", "%d years ago"},
		last:      []string{"the last %d days", "the past %d weeks"},
		early:     []string{"early %s", "the beginning of %s", "the start of %s", "the first half of %s"},
		mid:       []string{"mid %s", "mid-%s", "the middle of %s"},
		late:      []string{"late %s", "the end of %s", "the second half of %s"},
		since:     []string{"since %s"}, until: []string{"until %s", "till %s", "up to %s"},
		before: []string{"before %s"}, after: []string{"after %s"},
		between: []string{"between %s and %s", "from %s to %s", "from %s through %s", "from %s until %s", "%s - %s", "%s – %s"},
		numbers: []string{"between %d and %d %s", "from the %d to the %d of %s", "%d-%d %s", "%d–%d %s"},
		not:     []string{"not %s", "except %s", "other than %s", "never %s"},
		never: []string{
			"the second week of %s", "the week before", "the week after", "every Monday", "the first Monday of %s", "the last Monday in %s", "over 3 years ago", "more than 2 weeks ago",
			"a week ago Monday", "two Mondays before last", "the following week", "the other week", "last week but one", "half a year ago", "3 weeks before %s",
		},
		sentence: []string{"what did I write about the barn %s?", "%s: the fence", "roof plans, %s"},
	},
	"de": {
		months:   strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		weekdays: strings.Fields("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
		day:      "%[2]d. %[1]s", dayYear: "%[2]d. %[1]s %[3]d", monthYear: "%s %d",
		units: map[string]int{
			"w letzte Woche": -1, "w diese Woche": 0, "w vorletzte Woche": -2, "w übernächste Woche": 2, "m letzten Monat": -1, "m vorletzten Monat": -2,
			"y letztes Jahr": -1, "y vorletztes Jahr": -2, "q letztes Quartal": -1, "m diesen Monat": 0,
		},
		monthOf:   map[string]int{"%s letzten Jahres": -1, "%s des letzten Jahres": -1, "%s des vorletzten Jahres": -2},
		weekdayOf: map[string]int{"%s letzter Woche": -1, "%s dieser Woche": 0},
		days:      map[string]int{"heute": 0, "gestern": -1, "vorgestern": -2, "gestern Abend": -1, "vorvorgestern": -3, "gestern um 10:30": -1},
		ago:       []string{"vor %d Tagen", "vor %d Wochen", "vor %d Monaten", "vor %d Jahren"},
		last:      []string{"die letzten %d Tage", "in den vergangenen %d Wochen"},
		early:     []string{"Anfang %s", "Beginn %s", "die erste Hälfte %s"},
		mid:       []string{"Mitte %s"},
		late:      []string{"Ende %s", "die zweite Hälfte %s"},
		since:     []string{"seit %s", "ab %s"}, until: []string{"bis %s"},
		before: []string{"vor %s"}, after: []string{"nach %s"},
		between: []string{"zwischen %s und %s", "von %s bis %s", "%s bis %s", "%s – %s"},
		numbers: []string{"zwischen dem %d. und dem %d. %s", "vom %d. bis %d. %s", "%d.–%d. %s"},
		not:     []string{"nicht %s", "außer %s", "ohne %s", "statt %s"},
		never: []string{
			"die zweite Woche im %s", "jeden Montag", "vor drei Wochen Montag", "der erste Montag im %s", "ein halbes Jahr vor %s", "3 Wochen vor %s", "in der folgenden Woche",
		},
		sentence: []string{"was habe ich über die Scheune geschrieben %s?", "%s: der Zaun"},
	},
	"fr": {
		months:   strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		weekdays: strings.Fields("lundi mardi mercredi jeudi vendredi samedi dimanche"),
		day:      "%[2]d %[1]s", dayYear: "%[2]d %[1]s %[3]d", monthYear: "%s %d",
		units: map[string]int{
			"w la semaine dernière": -1, "w cette semaine": 0, "w l'avant-dernière semaine": -2, "m le mois dernier": -1, "m le mois passé": -1,
			"y l'année dernière": -1, "y l'an dernier": -1, "y l'année prochaine": 1, "q le trimestre dernier": -1,
		},
		monthOf:   map[string]int{"%s de l'année dernière": -1, "%s de l'an passé": -1, "%s l'an dernier": -1},
		weekdayOf: map[string]int{"%s de la semaine dernière": -1, "%s de cette semaine": 0},
		days:      map[string]int{"aujourd'hui": 0, "hier": -1, "avant-hier": -2, "hier soir": -1, "hier matin": -1},
		ago:       []string{"il y a %d jours", "il y a %d semaines", "il y a %d mois", "il y a %d ans"},
		last:      []string{"les %d derniers jours", "ces %d dernières semaines"},
		early:     []string{"début %s", "au début de %s", "la première moitié de %s"},
		mid:       []string{"mi-%s", "au milieu de %s"},
		late:      []string{"fin %s", "à la fin de %s", "la seconde moitié de %s"},
		since:     []string{"depuis %s", "à partir de %s"}, until: []string{"jusqu'à %s", "jusqu'au %s"},
		before: []string{"avant %s"}, after: []string{"après %s"},
		between: []string{"entre %s et %s", "de %s à %s", "depuis %s jusqu'à %s"},
		numbers: []string{"entre le %d et le %d %s", "du %d au %d %s"},
		not:     []string{"pas %s", "sauf %s", "sans %s", "hormis %s"},
		never: []string{
			"le mois d'avant", "la semaine suivante", "chaque lundi", "tous les lundi", "la deuxième semaine de %s", "le premier lundi de %s", "3 semaines avant %s",
			"plus de 2 semaines avant %s", "l'année précédente",
		},
		sentence: []string{"qu'est-ce que j'ai écrit sur la grange %s ?", "%s : la clôture"},
	},
	"es": {
		months:   strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		weekdays: strings.Fields("lunes martes miércoles jueves viernes sábado domingo"),
		day:      "%[2]d de %[1]s", dayYear: "%[2]d de %[1]s de %[3]d", monthYear: "%s de %d",
		units: map[string]int{
			"w la semana pasada": -1, "w esta semana": 0, "w la semana antepasada": -2, "w la semana que viene": 1, "m el mes pasado": -1, "m este mes": 0,
			"y el año pasado": -1, "y el año antepasado": -2, "y el último año": -1, "q el trimestre pasado": -1,
		},
		monthOf:   map[string]int{"%s del año pasado": -1, "%s del año antepasado": -2},
		weekdayOf: map[string]int{"%s de la semana pasada": -1, "%s de esta semana": 0},
		days:      map[string]int{"hoy": 0, "ayer": -1, "anteayer": -2, "anteayer por la tarde": -2, "anoche": -1, "antes de ayer": -2, "ayer por la mañana": -1, "esta mañana": 0},
		ago:       []string{"hace %d días", "hace %d semanas", "hace %d meses", "hace %d años"},
		last:      []string{"los últimos %d días", "las últimas %d semanas"},
		early:     []string{"principios de %s", "a comienzos de %s", "la primera mitad de %s"},
		mid:       []string{"mediados de %s", "a mediados de %s"},
		late:      []string{"finales de %s", "a fines de %s", "la segunda mitad de %s"},
		since:     []string{"desde %s", "a partir de %s"}, until: []string{"hasta %s"},
		before: []string{"antes de %s"}, after: []string{"después de %s"},
		between: []string{"entre %s y %s", "de %s a %s", "desde %s hasta %s"},
		numbers: []string{"entre el %d y el %d de %s", "del %d al %d de %s"},
		not:     []string{"no %s", "salvo %s", "excepto %s", "sin %s"},
		never: []string{
			"la semana siguiente", "el mes anterior", "cada lunes", "todos los lunes", "la segunda semana de %s", "el primer lunes de %s", "3 semanas antes de %s", "hace más de 2 semanas",
		},
		sentence: []string{"¿qué escribí sobre el granero %s?", "%s: la cerca"},
	},
	"zh": {
		months:   strings.Fields("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"),
		weekdays: strings.Fields("周一 周二 周三 周四 周五 周六 周日"),
		day:      "%[1]s%[2]d日", dayYear: "%[3]d年%[1]s%[2]d号", monthYear: "%[2]d年%[1]s",
		units: map[string]int{
			"w 上周": -1, "w 上个星期": -1, "w 上上周": -2, "w 这周": 0, "w 下周": 1, "m 上个月": -1, "m 上上个月": -2, "m 本月": 0, "y 去年": -1, "y 大前年": -3, "y 前年": -2, "y 大后年": 3, "y 今年": 0, "q 上季度": -1,
		},
		monthOf:   map[string]int{"去年%s": -1, "去年的%s": -1, "今年%s": 0, "大前年%s": -3, "前年%s": -2},
		weekdayOf: map[string]int{"上%s": -1, "上上%s": -2, "本%s": 0},
		days:      map[string]int{"今天": 0, "昨天": -1, "前天": -2, "大前天": -3, "昨天晚上": -1, "昨晚": -1},
		ago:       []string{"%d天前", "%d周前", "%d个月前", "%d年前"},
		last:      []string{"过去%d天", "最近%d周"},
		early:     []string{"%s初", "%s上旬"},
		mid:       []string{"%s中旬"},
		late:      []string{"%s末", "%s底", "%s下旬"},
		since:     []string{"从%s起", "自%s以来", "%s以来"}, until: []string{"到%s为止", "直到%s"},
		before: []string{"%s以前", "%s之前"}, after: []string{"%s以后", "%s之后"},
		between: []string{"从%s到%s", "%s到%s", "%s至%s"},
		numbers: []string{"%[3]s%[1]d日到%[2]d日", "%[3]s%[1]d号至%[2]d号"},
		not:     []string{"不是%s", "不在%s", "除了%s", "%s以外"},
		never:   []string{"每周一", "每年%s", "上上上周", "%s第二周", "某年%s", "半年前", "前三个月", "去年同期%s"},
		sentence: []string{
			"我%s写了什么", "%s的会议记录", "谷仓：%s",
		},
	},
	"ja": {
		months:   strings.Fields("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"),
		weekdays: strings.Fields("月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"),
		day:      "%[1]s%[2]d日", dayYear: "%[3]d年%[1]s%[2]d日", monthYear: "%[2]d年%[1]s",
		units: map[string]int{
			"w 先週": -1, "w 先々週": -2, "w 今週": 0, "w 来週": 1, "w 再来週": 2, "m 先月": -1, "m 先々月": -2, "m 今月": 0, "y 去年": -1, "y 昨年": -1, "y 一昨年": -2, "y 今年": 0,
		},
		monthOf:   map[string]int{"去年の%s": -1, "昨年%s": -1, "一昨年の%s": -2},
		weekdayOf: map[string]int{"先週の%s": -1, "今週%s": 0},
		days:      map[string]int{"今日": 0, "昨日": -1, "一昨日": -2, "おととい": -2, "昨日の夜": -1, "今朝": 0},
		ago:       []string{"%d日前", "%d週間前", "%dか月前", "%d年前"},
		last:      []string{"過去%d日", "過去%d週間"},
		early:     []string{"%s初め", "%sの上旬", "%s初旬"},
		mid:       []string{"%s中旬", "%sの半ば"},
		late:      []string{"%s末", "%sの終わり", "%s下旬"},
		since:     []string{"%sから", "%s以降", "%s以来"}, until: []string{"%sまで"},
		before: []string{"%s以前", "%s前"}, after: []string{"%s以後"},
		between:  []string{"%sから%sまで", "%s〜%s"},
		numbers:  []string{"%[3]s%[1]d日から%[2]d日まで"},
		not:      []string{"%sではなく", "%s以外", "%sを除く"},
		never:    []string{"毎週月曜日", "前年の%s", "翌%s", "同年%s", "毎年%s", "前月", "半年前"},
		sentence: []string{"%sに何を書きましたか", "納屋のメモ、%s"},
	},
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// period is the unit, by its letter, that lies n from the one of today.
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
	name := g.months[month-1]
	d := g.number("day", 1, 28)
	switch g.number("atom", 0, 8) {
	case 0:
		return fmt.Sprintf(g.monthYear, name, year), allowed{first: day(year, month, 1), last: day(year, month+1, 0)}, true
	case 1:
		return fmt.Sprintf(g.dayYear, name, d, year), allowed{first: day(year, month, d), last: day(year, month, d)}, false
	case 2:
		if text := fmt.Sprint(year); strings.Contains(g.monthYear, "年") {
			return text + "年", period('y', day(year, 1, 1), 0), true
		}
		return fmt.Sprint(year), period('y', day(year, 1, 1), 0), true
	case 3:
		text, n := keyOf(g, g.units)
		return text[2:], period(text[0], g.today, n), true
	case 4:
		form, n := keyOf(g, g.monthOf)
		y := g.today.Year() + n
		return fmt.Sprintf(form, name), allowed{first: day(y, month, 1), last: day(y, month+1, 0)}, true
	case 5:
		form, n := keyOf(g, g.weekdayOf)
		w := g.number("weekday", 0, 6)
		at := period('w', g.today, n).first.AddDate(0, 0, w)
		return fmt.Sprintf(form, g.weekdays[w]), allowed{first: at, last: at}, false
	case 6:
		text, n := keyOf(g, g.days)
		return text, allowed{first: g.today.AddDate(0, 0, n), last: g.today.AddDate(0, 0, n)}, false
	case 7:
		n := g.number("count", 2, 9)
		unit := g.number("unit", 0, 3)
		at := []time.Time{g.today.AddDate(0, 0, -n), g.today.AddDate(0, 0, -7*n), g.today.AddDate(0, -n, 0), g.today.AddDate(-n, 0, 0)}[unit]
		return fmt.Sprintf(g.ago[unit], n), allowed{first: at, last: at}, false
	}
	return fmt.Sprintf("%d-%02d-%02d", year, month, d), allowed{first: day(year, month, d), last: day(year, month, d)}, false
}

// part is an atom, or a part of one: half of it, at least a day.
func (g grammar) part() (text string, a allowed) {
	text, a, many := g.atom()
	if !many || g.Bool() {
		return text, a
	}
	days := int(a.last.Sub(a.first).Hours()/24) + 1
	from := func(n int) time.Time { return a.first.AddDate(0, 0, n) }
	switch g.number("part", 0, 2) {
	case 0:
		return fmt.Sprintf(pick(g, g.early), text), allowed{first: a.first, last: from(days / 2), sure: [2]time.Time{a.first, from(days / 5)}}
	case 1:
		sure := [2]time.Time{from(days * 3 / 7), from((days - 1) / 2)}
		return fmt.Sprintf(pick(g, g.mid), text), allowed{first: from(days / 4), last: a.last.AddDate(0, 0, -days/4), sure: sure}
	}
	return fmt.Sprintf(pick(g, g.late), text), allowed{first: from(days/2 - 1), last: a.last, sure: [2]time.Time{from(days - 1 - days/5), a.last}}
}

func (g grammar) Bool() bool { return rapid.Bool().Draw(g.T, "yes") }

// expression is a part with what bounds it.
func (g grammar) expression() (text string, a allowed) {
	text, a = g.part()
	sure := a.sure
	if sure[0].IsZero() {
		sure = [2]time.Time{a.first, a.last}
	}
	switch g.number("form", 0, 9) {
	case 0:
		return fmt.Sprintf(pick(g, g.since), text), allowed{first: a.first}
	case 1:
		return fmt.Sprintf(pick(g, g.until), text), allowed{last: a.last}
	case 2:
		return fmt.Sprintf(pick(g, g.before), text), allowed{last: sure[0].AddDate(0, 0, -1)}
	case 3:
		return fmt.Sprintf(pick(g, g.after), text), allowed{first: sure[1].AddDate(0, 0, 1)}
	case 4:
		other, b := g.part()
		return fmt.Sprintf(pick(g, g.between), text, other), allowed{first: a.first, last: b.last}
	case 5:
		from, month := g.number("from", 1, 14), g.number("month", 1, 12)
		to, year := from+g.number("more", 1, 14), g.today.Year()
		if month > int(g.today.Month()) {
			year--
		}
		return fmt.Sprintf(pick(g, g.numbers), from, to, g.months[month-1]), allowed{first: day(year, month, from), last: day(year, month, to)}
	case 6:
		return fmt.Sprintf(pick(g, g.not), text), allowed{first: sure[0], last: sure[1], not: true}
	case 7:
		form := pick(g, g.never)
		if strings.Contains(form, "%s") {
			form = fmt.Sprintf(form, pick(g, g.months))
		}
		return form, allowed{none: true}
	case 8:
		n := g.number("count", 2, 9)
		unit := g.number("unit", 0, 1)
		at := g.today.AddDate(0, 0, -n*(1+6*unit))
		return fmt.Sprintf(g.last[unit], n), allowed{first: at, last: g.today}
	}
	return text, a
}

// TestNothingExcluded: a range that is read holds no day that the words exclude,
// by itself and in a sentence.
func TestNothingExcluded(t *testing.T) {
	for name, words := range tongues {
		t.Run(name, func(t *testing.T) {
			read, all := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				today := day(2025, 1, 1).AddDate(0, 0, rapid.IntRange(0, 700).Draw(t, "today"))
				g := grammar{t, words, today}
				text, a := g.expression()
				var found []dates.Range
				if g.Bool() {
					sentence := fmt.Sprintf(pick(g, words.sentence), text)
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
							t.Fatalf("%q on %s: open at its beginning, though nothing is meant before %s", text, today.Format(time.DateOnly), a.first.Format(time.DateOnly))
						}
					}
					if until.IsZero() {
						until = from.AddDate(0, 0, 30)
						if !a.none && !a.not && !a.last.IsZero() {
							t.Fatalf("%q on %s: open at its end, though nothing is meant after %s", text, today.Format(time.DateOnly), a.last.Format(time.DateOnly))
						}
					}
					for d := from; d.Before(until); d = d.AddDate(0, 0, 1) {
						if !a.has(d) {
							t.Fatalf("%q on %s is read as %s; %s is excluded", text, today.Format(time.DateOnly), span(r), d.Format(time.DateOnly))
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

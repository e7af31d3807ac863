package dates

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The kinds of tokens.
const (
	kindNone     = 0
	kindRelative = 'r' // last -1, this 0, next 1
	kindUnit     = 'u'
	kindNumber   = 'n'
	kindMonth    = 'm'
	kindWeekday  = 'w' // from Monday, 0
	kindOffset   = 'o' // of days from today
	kindAgo      = 'a'
	kindDay      = 'd' // with year and month
	kindMonthOf  = 'p' // with year
	kindYear     = 'y'
	kindSeason   = 's' // the month that it begins with
	kindQuarter  = 'q'
	kindWeekNo   = 'k'
	kindSince    = '['
	kindUntil    = ']'
	kindAnd      = '&'
)

// token is a word of a time expression.
type token struct {
	kind        byte
	n           int
	year, month int // of kindDay and kindMonthOf
}

// vocabulary has the words of each kind with their value, in lower case and
// without accents.
const vocabulary = `
r -1 last past prior previous letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vorige vorigen voriger voriges dernier derniere derniers dernieres passe passee pasado pasada pasados pasadas ultimo ultima ultimos ultimas 上 上个 最近 过去
r 0 this current diese diesen dieser dieses diesem aktuelle aktuellen ce cet cette ces este esta estos estas 本 这 这个
r 1 next coming upcoming nachste nachsten nachster nachstes kommende kommenden kommender kommendes prochain prochaine prochains prochaines proximo proxima proximos proximas 下 下个
u 0 hour hours stunde stunden heure heures hora horas 小时
u 1 day days tag tage tagen jour jours dia dias 天 日
u 2 week weeks woche wochen semaine semaines semana semanas 周 星期 礼拜
u 3 month months monat monate monaten monats mois mes meses 月 个月
u 4 quarter quarters quartal quartale trimestre trimestres 季度
u 5 year years jahr jahre jahren jahres an ans annee annees ano anos 年
u 6 weekend weekends wochenende week-end 周末
m 1 january jan januar janner janvier enero 一月
m 2 february feb februar fevrier febrero 二月
m 3 march mar marz mars marzo 三月
m 4 april apr avril abril 四月
m 5 may mai mayo 五月
m 6 june jun juni juin junio 六月
m 7 july jul juli juillet julio 七月
m 8 august aug aout agosto 八月
m 9 september sep sept septembre septiembre setiembre 九月
m 10 october oct oktober okt octobre octubre 十月
m 11 november nov novembre noviembre 十一月
m 12 december dec dezember dez decembre diciembre 十二月
w 0 monday mon montag lundi lunes 周一 星期一 礼拜一
w 1 tuesday tue tues dienstag mardi martes 周二 星期二 礼拜二
w 2 wednesday wed mittwoch mercredi miercoles 周三 星期三 礼拜三
w 3 thursday thu thur thurs donnerstag jeudi jueves 周四 星期四 礼拜四
w 4 friday fri freitag vendredi viernes 周五 星期五 礼拜五
w 5 saturday sat samstag sonnabend samedi sabado 周六 星期六 礼拜六
w 6 sunday sun sonntag dimanche domingo 周日 周天 星期日 星期天 礼拜日 礼拜天
o -2 vorgestern anteayer avant-hier 前天
o -1 yesterday gestern hier ayer 昨天
o 0 today now tonight heute jetzt aujourd'hui hoy ahora 今天 现在
o 1 tomorrow morgen demain manana 明天
o 2 ubermorgen apres-demain 后天
s 3 spring fruhling fruhjahr printemps primavera 春天 春季
s 6 summer sommer ete verano 夏天 夏季
s 9 autumn fall herbst automne otono 秋天 秋季
s 12 winter hiver invierno 冬天 冬季
n 1 one a ein eine einem einer einen un une una uno 一
n 2 two zwei deux dos 二 两
n 3 three drei trois tres 三
n 4 four vier quatre cuatro 四
n 5 five funf cinq cinco 五
n 6 six sechs seis 六
n 7 seven sieben sept siete 七
n 8 eight acht huit ocho 八
n 9 nine neun neuf nueve 九
n 10 ten zehn dix diez 十
n 11 eleven elf onze once 十一
n 12 twelve zwolf douze doce 十二
a 0 ago before vor hace 前 以前 之前
[ 0 since from between von seit zwischen depuis entre desde 从 自
] 0 to until till through bis jusqu'a jusque jusqu'au au hasta al 到 至
& 0 and und et y 和
`

// noise are words that change nothing.
const noise = " the of in on at during within der die das dem den des im am um le la les l du de del en el los las 's 的 里 内 "

// phrases are several words that are one.
var phrases = strings.NewReplacer(
	"day before yesterday", "vorgestern", "day after tomorrow", "ubermorgen",
	"il y a ", "ago ", "avant hier", "avant-hier", "apres demain", "apres-demain", "antes de ayer", "anteayer",
	"fin de semana", "weekend", "week end", "weekend",
	"去年", "上 年", "今年", "本 年", "明年", "下 年", "上周末", "上 周末", "这周末", "本 周末",
)

type word struct {
	kind byte
	n    int
}

var dictionary = sync.OnceValue(func() map[string]word {
	m := map[string]word{}
	for line := range strings.Lines(vocabulary) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.Atoi(fields[1])
		for _, w := range fields[2:] {
			if _, ok := m[w]; !ok {
				m[w] = word{fields[0][0], n}
			}
		}
	}
	return m
})

var (
	fullDate = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t[\d:.z+-]*)?$`)
	dayFirst = regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.(\d{4})$`)
	slashed  = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4})$`)
	digits8  = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})$`)
	monthOf  = regexp.MustCompile(`^(\d{4})[-/](\d{1,2})$`)
	weekOf   = regexp.MustCompile(`^(\d{4})-?(w|q)(\d{1,2})$`)
	ordinal  = regexp.MustCompile(`^(\d{1,4})(?:st|nd|rd|th|er|e|o|a)?$`)
	numbered = regexp.MustCompile(`^(q|w|kw)(\d{1,2})$`)

	spread = strings.NewReplacer("..", " - ", "–", " - ", "—", " - ", "~", " - ", ",", " ", ";", " ", "，", " ", "’", "'")

	chinese = []struct {
		pattern *regexp.Regexp
		with    string
	}{
		{regexp.MustCompile(`(\d{4})年(\d{1,2})月(\d{1,2})[日号]`), " $1-$2-$3 "},
		{regexp.MustCompile(`(\d{4})年(\d{1,2})月`), " $1-$2 "},
		{regexp.MustCompile(`(\d{4})年`), " $1 "},
		{regexp.MustCompile(`(\d{1,2})月(\d{1,2})[日号]`), " 月$1 $2 "},
		{regexp.MustCompile(`(\d{1,2})月`), " 月$1 "},
	}
)

// tokens cuts a text into words that have a meaning here. ok is false if one has
// none.
func tokens(text string) (out []token, ok bool) {
	text = phrases.Replace(spread.Replace(" " + plain(text) + " "))
	for _, c := range chinese {
		text = c.pattern.ReplaceAllString(text, c.with)
	}
	for w := range strings.FieldsSeq(text) {
		if from, to, two := strings.Cut(w, "/"); two && fullDate.MatchString(from) && fullDate.MatchString(to) {
			out, w = append(out, dateToken(from)...), to
			out = append(out, token{kind: kindUntil})
		}
		var more []token
		if more, ok = read(w); !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, len(out) > 0
}

// plain is text in lower case, without accents.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
}

// read gives the tokens of one word: several, if it is joined of some.
func read(w string) ([]token, bool) {
	if t := dateToken(w); t != nil {
		return t, true
	}
	w = strings.TrimSuffix(w, ".")
	known, ok := dictionary()[w]
	switch {
	case ok:
		return []token{{kind: known.kind, n: known.n}}, true
	case w == "-":
		return []token{{kind: kindUntil}}, true
	case strings.Contains(noise, " "+w+" "):
		return nil, true
	}
	if m := ordinal.FindStringSubmatch(w); m != nil {
		if n := number(m[1]); n < 1000 {
			return []token{{kind: kindNumber, n: n}}, true
		}
		return []token{{kind: kindYear, n: number(m[1])}}, true
	}
	if i := strings.IndexAny(w, "-'"); i > 0 && i < len(w)-1 {
		first, ok := read(w[:i])
		rest, ok2 := read(w[i+1:])
		return append(first, rest...), ok && ok2
	}
	return segments(w)
}

// dateToken reads a word that is a date in digits, or a numbered week or quarter.
// A number that none can have makes it nil.
func dateToken(w string) []token {
	date := func(year, month, day string) []token {
		return []token{{kind: kindDay, year: number(year), month: number(month), n: number(day)}}
	}
	part := func(kind string, n int) []token {
		if kind == "q" && 1 <= n && n <= 4 {
			return []token{{kind: kindQuarter, n: n}}
		}
		if kind != "q" && 1 <= n && n <= 53 {
			return []token{{kind: kindWeekNo, n: n}}
		}
		return nil
	}
	if m := fullDate.FindStringSubmatch(w); m != nil {
		return date(m[1], m[2], m[3])
	} else if m := digits8.FindStringSubmatch(w); m != nil {
		return date(m[1], m[2], m[3])
	} else if m := dayFirst.FindStringSubmatch(w); m != nil {
		return date(m[3], m[2], m[1])
	} else if m := slashed.FindStringSubmatch(w); m != nil {
		if number(m[1]) > 12 {
			return date(m[3], m[2], m[1])
		}
		return date(m[3], m[1], m[2])
	} else if m := monthOf.FindStringSubmatch(w); m != nil && 1 <= number(m[2]) && number(m[2]) <= 12 {
		return []token{{kind: kindMonthOf, year: number(m[1]), n: number(m[2])}}
	} else if m := weekOf.FindStringSubmatch(w); m != nil {
		if t := part(m[2], number(m[3])); t != nil {
			return append([]token{{kind: kindYear, n: number(m[1])}}, t...)
		}
	} else if m := numbered.FindStringSubmatch(w); m != nil {
		return part(m[1], number(m[2]))
	}
	return nil
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // of at most eight digits
	return n
}

// segments cuts a word of a script without spaces at the longest words it knows.
func segments(w string) (out []token, ok bool) {
	for len(w) > 0 {
		if end := digitsEnd(w); end > 0 {
			out, w = append(out, token{kind: kindNumber, n: number(w[:min(end, 8)])}), w[end:]
			continue
		}
		if rest, is := strings.CutPrefix(w, "月"); is && digitsEnd(rest) > 0 && len(out) == 0 {
			end := digitsEnd(rest)
			out, w = append(out, token{kind: kindMonth, n: number(rest[:min(end, 8)])}), rest[end:]
			continue
		}
		first, rest := longestWord(w)
		if first == "" {
			return nil, false
		}
		known := dictionary()[first]
		if known.kind == kindWeekday && len(out) > 0 && out[len(out)-1].kind == kindRelative {
			out = append(out, token{kind: kindUnit, n: week}) // that day of the week before, not the last such day
		}
		if known.kind != kindNone {
			out = append(out, token{kind: known.kind, n: known.n})
		}
		w = rest
	}
	return out, true
}

func digitsEnd(w string) int {
	end := strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		return len(w)
	}
	return end
}

// longestWord is the longest beginning of w that is a word written without spaces.
func longestWord(w string) (first, rest string) {
	for i, r := range w {
		if r < 0x2E80 {
			break
		}
		if end := i + utf8.RuneLen(r); known(w[:end]) {
			first = w[:end]
		}
	}
	return first, w[len(first):]
}

func known(w string) bool {
	_, ok := dictionary()[w]
	return ok || strings.Contains(noise, " "+w+" ")
}

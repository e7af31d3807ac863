package dates_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/vault/dates"
	"ibid/vault/vaulttest"
)

// now is a Wednesday.
var now = time.Date(2025, 8, 20, 15, 30, 0, 0, time.UTC)

func span(r dates.Range) string {
	from, to := "", ""
	if !r.From.IsZero() {
		from = r.From.Format(time.DateOnly)
	}
	if !r.Until.IsZero() {
		to = r.Until.Add(-1).Format(time.DateOnly)
	}
	return from + ".." + to
}

func TestParse(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(`
2025-08-20..2025-08-20 = today|Today|heute|aujourd'hui|hoy|今天|now|this day|jetzt
2025-08-19..2025-08-19 = yesterday|gestern|hier|ayer|昨天|1 day ago|vor einem Tag|il y a 1 jour|hace un día|2025-08-19|20250819|19.8.2025|19.08.2025|8/19/2025|19/8/2025|August 19|19 August 2025|Aug 19th, 2025|19. August|le 19 août|19 de agosto de 2025|8月19日|2025年8月19日|last tuesday|letzten Dienstag|Dienstag|mardi dernier|el martes|2025-08-19T10:30
2025-08-18..2025-08-18 = day before yesterday|the night before last|vorgestern|avant-hier|anteayer|antenoche|前天|前晚|おとつい|一昨夜|monday|this monday|本周一
2025-08-21..2025-08-21 = tomorrow|morgen|demain|mañana|明天|明早|明晚|あす|明朝
2025-08-22..2025-08-22 = day after tomorrow|übermorgen|après-demain|this friday
2025-08-15..2025-08-15 = friday|last friday|vendredi dernier|上周五
2025-08-12..2025-08-12 = 上周二
2025-08-29..2025-08-29 = next friday|nächsten Freitag|下周五
2025-08-18..2025-08-24 = this week|diese Woche|cette semaine|esta semana|本周|这周|week of 2025-08-20|the week of august 22|2025-W34|KW34 2025
2025-08-11..2025-08-17 = last week|LAST WEEK|last-week|letzte Woche|vorige Woche|la semaine dernière|la semana pasada|上周|上个星期|the last week
2025-08-25..2025-08-31 = next week|nächste Woche|la semaine prochaine|la próxima semana|下周
2025-08-16..2025-08-17 = last weekend|letztes Wochenende|上周末
2025-07-01..2025-07-31 = last month|letzten Monat|le mois dernier|el mes pasado|上个月|july|Juli|juillet|julio|七月|7月|2025-07|july 2025|2025年7月|last july
2025-08-01..2025-08-31 = this month|august|août|本月
2024-09-01..2024-09-30 = september|in September|last september|septembre 2024
2024-01-01..2024-12-31 = last year|letztes Jahr|l'année dernière|l'an dernier|el año pasado|去年|2024|in 2024
2025-07-01..2025-09-30 = this quarter|q3|Q3 2025|2025-Q3
2025-04-01..2025-06-30 = last quarter|q2
2025-03-01..2025-05-31 = spring|last spring|letzten Frühling|le printemps dernier|spring 2025
2024-06-01..2024-08-31 = last summer|summer 2024
2025-06-01..2025-08-31 = this summer|summer
2025-08-06..2025-08-20 = last 2 weeks|past two weeks|die letzten zwei Wochen|les 2 dernières semaines|las últimas dos semanas|过去两周|最近2周
2025-08-17..2025-08-17 = 3 days ago|vor 3 Tagen|il y a trois jours|hace 3 días|三天前|3天前
2025-08-06..2025-08-06 = 2 weeks ago
2025-06-20..2025-06-20 = two months ago
2025-08-20..2025-08-27 = next 7 days
2025-05-01..2025-06-30 = between may and june|from may to june|von Mai bis Juni|de mai à juin|may - june|entre mayo y junio
2024-11-01..2025-02-28 = november to february
2025-08-18..2025-08-22 = monday to friday|Montag bis Freitag
2025-08-01..2025-08-05 = 2025-08-01/2025-08-05|2025-08-01..2025-08-05|from 2025-08-01 to 2025-08-05|august 1 - august 5
2025-05-01..2025-08-20 = since may|seit Mai|depuis mai|desde mayo
..2025-05-31 = until may|bis Mai|hasta mayo|jusqu'à mai|5月まで|到5月为止
2024-10-01..2024-10-31 = 去年十月|去年的10月|October of last year|October last year|Oktober letzten Jahres|octobre de l'année dernière|octubre del año pasado|昨年10月
2025-08-17..2025-08-17 = 大前天|さきおととい|一昨々日|vorvorgestern|avant-avant-hier|trasanteayer
2025-05-03..2025-05-09 = between 3 and 9 May|May 3 to 9|3-9 May|3–9 May|from the 3rd to the 9th of May|vom 3. bis 9. Mai|zwischen dem 3. und 9. Mai|entre le 3 et le 9 mai|del 3 al 9 de mayo|5月3日到9日|5月3日から9日まで
2024-10-01..2024-10-10 = entre le 1er et le 10 octobre|du 1er au 10 octobre
2024-05-03..2024-06-05 = from May 3 to June 5, 2024|3. Mai bis 5. Juni 2024
2024-11-01..2025-02-28 = November to February 2025|from November 2024 to February
2025-08-04..2025-08-10 = the week before last|vorletzte Woche|l'avant-dernière semaine|la semana antepasada|上上周|先々週
2025-06-01..2025-06-30 = the month before last|vorletzten Monat|上上个月
2023-01-01..2023-12-31 = the year before last|vorletztes Jahr|el año antepasado|一昨年|前年
2022-01-01..2022-12-31 = 大前年|一昨々年|さきおととし
2027-01-01..2027-12-31 = 后年|再来年|übernächstes Jahr|the year after next
2028-01-01..2028-12-31 = 大后年|大後年
2023-10-01..2023-10-31 = 前年十月|一昨年の10月
2025-09-01..2025-09-07 = the week after next|übernächste Woche|下下周|再来週
2025-08-23..2025-08-23 = 大后天|überübermorgen|しあさって|明々後日
2025-08-16..2025-08-17 = over the weekend|am Wochenende|先週末
2025-08-04..2025-08-10 = KW 32|KW32|week 32|semaine 32|第32周|calendar week 32
2024-12-23..2024-12-29 = KW 52|2024-W52
2025-05-01..2025-08-20 = desde principios de mayo|since early May
2025-08-18..2025-08-18 = anteayer por la tarde|vorgestern Abend|avant-hier soir|the day before yesterday at 10:30
2025-05-01..2025-05-10 = early May|the beginning of May|Anfang Mai|début mai|principios de mayo|5月上旬|五月初
2025-05-11..2025-05-20 = mid-May|Mitte Mai|mi-mai|mediados de mayo|5月中旬
2025-05-21..2025-05-31 = late May|the end of May|Ende Mai|fin mai|finales de mayo|5月下旬|五月底
2024-09-01..2024-12-31 = late last year|Ende letzten Jahres|去年年底|去年底|fin de l'année dernière
2024-01-01..2024-06-30 = the first half of 2024|2024年上半年|2024年前半
..2025-04-30 = before May|vor Mai|avant mai|antes de mayo|五月以前
2025-06-01.. = after May|nach Mai|après mai|después de mayo|五月以后
2025-07-30..2025-08-20 = seit 3 Wochen|since three weeks|desde hace 3 semanas
2025-07-03..2025-07-03 = the 3rd of last month|el 3 del mes pasado|le 3 du mois dernier|上个月3号|am 3. letzten Monats
2025-08-15..2025-08-15 = Friday of last week|Freitag letzter Woche|先週の金曜日|Friday, August 15|el viernes 15 de agosto
2025-04-03..2025-04-03 = el 3/4/2025|am 3.4.2025|le 03/04/2025
2025-03-04..2025-03-04 = on 3/4/2025|3/4/2025
2023-01-01..2023-12-31 = 2023|2023年|the year 2023|im Jahr 2023|en el año 2023
2025-03-01..2025-03-31 = the month of March|Monat März|le mois de mars
- = | |the|nonsense|week|week of nonsense|Q5|2025-13-01|2025-02-30|31 february|last|ago|3|0|last banana|99 days|from|until|between|may and|-|..|/|上|week of|next 0 of|w99|last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last last|31.31.2025|2025-00|one two three|vor drei Wochen Montag|le mois d'avant|前年の10月|the week before|the week after|the first week of May|every Monday|not last week|last week of May|between May|between 9 and 3 May|Monday, August 15|Sunday May 3|KW 54|2025-W53|more than 2 weeks ago|mes dernières|last Monday in May|the second Monday of May|上上上周|毎週月曜日|in 2 weeks|2 weeks|last week yesterday|la semaine suivante|early|年底
`), "\n") {
		want, all, _ := strings.Cut(line, " = ")
		for text := range strings.SplitSeq(all, "|") {
			r, ok := dates.Parse(text, now)
			if got := span(r); ok == (want == "-") || ok && got != want {
				t.Errorf("%q: %s, %v; want %s", text, got, ok, want)
			}
		}
	}
}

// A range is whole days of the zone that now is in, also where the clock changes.
func TestParseInZone(t *testing.T) {
	zone := time.FixedZone("far", 14*3600)
	r, ok := dates.Parse("yesterday", time.Date(2025, 3, 1, 0, 30, 0, 0, zone))
	if !ok || !r.From.Equal(time.Date(2025, 2, 28, 0, 0, 0, 0, zone)) ||
		!r.Until.Equal(time.Date(2025, 3, 1, 0, 0, 0, 0, zone)) {
		t.Errorf("yesterday is %v", r)
	}
	if !r.Contains(r.From) || r.Contains(r.Until) || r.Contains(r.From.Add(-1)) {
		t.Error("a range holds its beginning and not its end")
	}
	if r := (dates.Range{From: now}); !r.Contains(now.AddDate(100, 0, 0)) {
		t.Error("a range without an end ends")
	}
}

// No word means two things in one language: the second would be lost.
func TestWordTable(t *testing.T) {
	table, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	language, seen := "", map[string]string{}
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case fields[0] == "=":
			language = fields[1]
		case language != "":
			for _, w := range fields[2:] {
				if was := seen[language+" "+w]; was != "" {
					t.Errorf("%s: %s is %s, and %s %s", language, w, was, fields[0], fields[1])
				}
				seen[language+" "+w] = fields[0] + " " + fields[1]
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"last week", "2025-01-01/2025-02-01", "三天前", "le 3 mai", "0000-00-00", "9999-12-31", "last 999 years",
		"999 months ago",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := dates.Parse(s, now)
		if ok && !r.Until.IsZero() && !r.From.Before(r.Until) {
			t.Errorf("%q: from %v until %v", s, r.From, r.Until)
		}
	})
}

func TestParseOfOthers(t *testing.T) {
	dir := vaulttest.Shared(t, "cases")
	if dir == "" {
		t.Skip("IBID_SHARED names no folder")
	}
	data, err := os.ReadFile(filepath.Join(dir, "time-range.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Cases []struct {
			Expression, Note string
			Expected         *struct{ StartDate, EndDate string }
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 1, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range list.Cases {
		want := ""
		if c.Expected != nil {
			want = c.Expected.StartDate + ".." + c.Expected.EndDate
		}
		if strings.HasPrefix(c.Note, "UPSTREAM BUG") {
			want = "2023-05-01..2023-06-30"
		}
		r, ok := dates.Parse(c.Expression, at)
		got := ""
		if ok {
			got = span(r)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", c.Expression, got, want)
		}
	}
	t.Logf("shared: %d time expressions", len(list.Cases))
}

func ExampleParse() {
	now := time.Date(2025, 8, 20, 12, 0, 0, 0, time.UTC)
	r, ok := dates.Parse("letzte Woche", now)
	fmt.Println(ok, r.From.Format(time.DateOnly), r.Until.Format(time.DateOnly))
	// Output: true 2025-08-11 2025-08-18
}

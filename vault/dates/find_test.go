package dates_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/vault/dates"
)

func TestFind(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"what did I decide about the barn roof last spring?", "last spring 2025-03-01..2025-05-31"},
		{"what did I do in the last week", "last week 2025-08-11..2025-08-17"},
		{"What happened in March?", "March 2025-03-01..2025-03-31"},
		{"notes from 2025-08-01 to 2025-08-15, please", "from 2025-08-01 to 2025-08-15 2025-08-01..2025-08-15"},
		{"was habe ich gestern über das Dach geschrieben", "gestern 2025-08-19..2025-08-19"},
		{"Was stand im März im Kalender?", "März 2025-03-01..2025-03-31"},
		{"was geschah vor 3 Tagen", "vor 3 Tagen 2025-08-17..2025-08-17"},
		{"qu'est-ce que j'ai noté hier ?", "hier 2025-08-19..2025-08-19"},
		{"réunions de la semaine dernière", "semaine dernière 2025-08-11..2025-08-17"},
		{"¿qué hice el mes pasado?", "mes pasado 2025-07-01..2025-07-31"},
		{"我上周做了什么", "上周 2025-08-11..2025-08-17"},
		{"三月的会议记录", "三月 2025-03-01..2025-03-31"},
		{"2025年8月19日的日记", "2025年8月19日 2025-08-19..2025-08-19"},
		{"who came on monday?", "monday 2025-08-18..2025-08-18"},
		{"the meeting on August 19th, 2025 about seeds", "August 19th, 2025 2025-08-19..2025-08-19"},
		{"compare last week with this week", "last week 2025-08-11..2025-08-17; this week 2025-08-18..2025-08-24"},
		{"since May", "since May 2025-05-01..2025-08-20"},
		{"in 2024 and later", "2024 2024-01-01..2024-12-31"},
		{"what did we harvest in the fall of 2024", "fall of 2024 2024-09-01..2024-11-30"},
		{"en été", "été 2025-06-01..2025-08-31"},
		{"im letzten Sommer", "letzten Sommer 2024-06-01..2024-08-31"},

		{"what did I write on Tuesday, 19 August about 2.5?", "Tuesday, 19 August 2025-08-19..2025-08-19"},
		{"did we meet in May and in July or on Friday?", "May 2025-05-01..2025-05-31; July 2025-07-01..2025-07-31; Friday 2025-08-15..2025-08-15"},
		{"the roof in May 2023, and the fence in June", "May 2023 2023-05-01..2023-05-31; June 2025-06-01..2025-06-30"},
		{"yesterday at 10:30 we met", "yesterday at 10:30 2025-08-19..2025-08-19"},
		{"qu'ai-je écrit de mai à juin", "mai à juin 2025-05-01..2025-06-30"},
		{"大前天做了什么", "大前天 2025-08-17..2025-08-17"},
		{"去年十月的会议", "去年十月 2024-10-01..2024-10-31"},
		{"前年十月做了什么", "前年十月 2023-10-01..2023-10-31"},
		{"昨天天气怎么样", "昨天 2025-08-19..2025-08-19"},
		{"2022年通胀有多高", "2022年 2022-01-01..2022-12-31"},
		{"先週の月曜日に何をした", "先週の月曜日 2025-08-11..2025-08-11"},
		{"昨日の会議", "昨日 2025-08-19..2025-08-19"},
		{"5月に読んだ本", "5月 2025-05-01..2025-05-31"},
		{"was habe ich letzte Woche nicht geschafft", "letzte Woche 2025-08-11..2025-08-17"},
		{"what did I do last week to the roof", "last week 2025-08-11..2025-08-17"},
		{"COVID-19 in 2020 and iOS 17 in 2023", "2020 2020-01-01..2020-12-31; 2023 2023-01-01..2023-12-31"},
		{"in 2022 a friend came", "2022 2022-01-01..2022-12-31"},
		{"what did I do in May this project", "May 2025-05-01..2025-05-31"},

		// Words beside a time that are not understood with it.
		{"what did I do in the second week of May", ""},
		{"the first Monday in May", ""},
		{"every Monday in May", ""},
		{"we met a week ago Monday", ""},
		{"all but not last week", ""},
		{"was war vor drei Wochen Montag", ""},
		{"qu'est-ce que j'ai fait le mois d'avant", ""},
		{"前年の5月に何をした", ""},
		{"in 2022 last week", ""},
		{"between 9 and 3 May", ""},

		// Words that are no times here.
		{"version 2.5 or v3 for $2022 and 2023 €, 1,999 of them in room 5", ""},
		{"this may work", ""},
		{"“Budget 2023 in May” and «last week» 「去年」", ""},
		{"see https://example.org/2022/05/03 and notes/2022-05-03.md", ""},
		{"Budget 2023", ""},
		{"at 10:30", ""},
		{"mes dernières notes", ""},
		{"may I march on the sat nav?", ""},
		{"budget 2024", ""},
		{"was ist hier zu tun", ""},
		{"what should I do now", ""},
		{"may one ask", ""},
		{"el nivel del mar", ""},
		{"[[2025-08-12]] and #2024-01 and \"last week\" and `last year`", ""},
		{"the sun and the second note", ""},
		{"one day", ""},
		{"", ""},
		{"last. Week", ""},
		{"Q3 goals", ""},
		{"一二三", ""},
	} {
		var got []string
		for _, f := range dates.Find(tt.text, now) {
			got = append(got, f.Text+" "+span(f.Range))
			if !strings.Contains(tt.text[f.Start:f.End], f.Text) {
				t.Errorf("%q: %q does not stand in %q", tt.text, f.Text, tt.text[f.Start:f.End])
			}
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%q: %s; want %s", tt.text, got, tt.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"what was last week", "我上周五做了 什么", "[[a]] \"b", "im März, 2025", "..", "3天前2024年"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, r := range dates.Find(s, now) {
			if r.Start < end || r.End <= r.Start || r.End > len(s) || !strings.Contains(s[r.Start:r.End], r.Text) {
				t.Fatalf("%q: %+v", s, r)
			}
			end = r.End
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		dates.Find("what did I decide about the barn roof and its gutters when we met the carpenter last spring?", now)
	}
}

func ExampleFind() {
	for _, f := range dates.Find("What did I decide about the roof in the last week?", now) {
		fmt.Println(f.Text, span(f.Range))
	}
	// Output: last week 2025-08-11..2025-08-17
}

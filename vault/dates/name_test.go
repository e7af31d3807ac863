package dates_test

import (
	"strings"
	"testing"
	"time"

	"ibid/vault/dates"
)

// nameFormats reads formats, with their folders in front: "Journal|YYYY-MM-DD,YYYY".
func nameFormats(list string) (formats []dates.NameFormat) {
	for format := range strings.SplitSeq(list, ",") {
		folder, rest, inFolder := strings.Cut(format, "|")
		if !inFolder {
			folder, rest = "", format
		}
		formats = append(formats, dates.NameFormat{Folder: folder, Format: rest})
	}
	return formats
}

// lengthOf names a time by its first day and its length.
func lengthOf(r dates.Range) string {
	days := r.Until.Sub(r.From).Hours() / 24
	switch {
	case days < 1.5:
		return r.From.Format(time.DateOnly)
	case days < 8:
		return "week of " + r.From.Format(time.DateOnly)
	case days < 32:
		return r.From.Format("2006-01")
	case days < 93:
		return "quarter from " + r.From.Format("2006-01")
	}
	return r.From.Format("2006")
}

func TestInPath(t *testing.T) {
	for _, c := range []struct{ formats, path, want string }{
		{"", "2026-11-28", "2026-11-28"},
		{"", "Log 20261128 fence", "2026-11-28"},
		{"", "journals/2026_11_28", "2026-11-28"},
		{"", "202611281530 Fence", "2026-11-28"},
		{"", "20261128153059", "2026-11-28"},
		{"", "20261128T1530", "2026-11-28"},
		{"", "202611289930", ""},
		{"", "2026/11/28", "2026-11-28"},
		{"", "Journal/2026/11/28 Saturday", "2026-11-28"},
		{"", "日记 2026年11月28日", "2026-11-28"},
		{"", "2026年1月2日木", "2026-01-02"},
		{"", "28.11.2026", "2026-11-28"},
		{"", "Protokoll 3.4.2026", "2026-04-03"},
		{"", "2026.11.28", "2026-11-28"},
		{"", "Saturday, November 28th, 2026", "2026-11-28"},
		{"", "Nov 28, 2026", "2026-11-28"},
		{"", "28. November 2026", "2026-11-28"},
		{"", "Sonntag, 1. März 2026", "2026-03-01"},
		{"", "1er mars 2026", "2026-03-01"},
		{"", "28 de noviembre de 2026", "2026-11-28"},
		{"", "28-Nov-2026", "2026-11-28"},
		{"", "28-11-2026", "2026-11-28"},
		{"", "11-28-2026", "2026-11-28"},
		{"", "05-05-2026", "2026-05-05"},
		{"", "03-04-2026", ""},
		{"", "03_04_2026", ""},
		{"", "2026-W48", "week of 2026-11-23"},
		{"", "2026-11", "2026-11"},
		{"", "2026-Q4", "quarter from 2026-10"},
		{"", "Budget 2026-11", ""},
		{"", "2026", ""},
		{"", "Order 4711-20261128-9", "2026-11-28"},
		{"", "Part 920261128", ""},
		{"", "1899-11-28", ""},
		{"", "2101-11-28", ""},
		{"", "2026-02-30", ""},
		{"", "Trip 2024-05-01/Packing", ""},
		{"", "No date", ""},
		{"J|DD-MM-YYYY", "J/03-04-2026", "2026-04-03"},
		{"J|DD-MM-YYYY", "Archive/03-04-2026 fence", "2026-04-03"},
		{"MM-DD-YYYY", "03-04-2026", "2026-03-04"},
		{"YYYY/MM/YYYY-MM-DD dddd", "2026/11/2026-11-28 Samstag", "2026-11-28"},
		{"YYYY/MM/YYYY-MM-DD dddd", "2025/11/2026-11-28 Samstag", "2026-11-28"},
		{"YYMMDD", "261128", "2026-11-28"},
		{"YYMMDD", "Invoice 261128", ""},
		{"YYYY/MM-DD", "2026/11-28", "2026-11-28"},
		{"YYYY/DDDD", "2026/332", "2026-11-28"},
		{"dddd", "Saturday", ""},
		{"L", "11-28-2026", "2026-11-28"},
		{"Weekly|gggg-[W]ww", "Weekly/2026-W48", "week of 2026-11-22"},
		{"Weekly|YYYY-[KW]WW", "Weekly/2026-KW48", "week of 2026-11-23"},
		{"YYYY-MM-DD,Y|YYYY", "Y/2026", "2026"},
		{"[Q]Q YYYY", "Q4 2026", "quarter from 2026-10"},
		{"MMMM YYYY", "November 2026", "2026-11"},
		{"Do MMM YY", "2nd Nov 26", "2026-11-02"},
	} {
		got := ""
		if r, ok := dates.NewNames(nameFormats(c.formats)...).InPath(c.path, time.UTC); ok {
			got = lengthOf(r)
		}
		if got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.path, c.formats, got, c.want)
		}
	}
}

// What /daily writes by a format is read by it again, on every day.
func TestLayoutReadsWhatFormatWrites(t *testing.T) {
	for _, format := range []string{
		"YYYY-MM-DD", "YYYYMMDD", "DD-MM-YYYY", "MM-DD-YYYY", "DD.MM.YYYY", "YYYY_MM_DD", "YYYY/MM/DD", "YYMMDD",
		"YYYY/MM-MMMM/YYYY-MM-DD-dddd", "dddd, MMMM Do YYYY", "D. MMMM YYYY", "MMM D, YYYY", "YYYY-DDDD", "DD-MMM-Y",
		"GGGG-[W]WW-E", "YYYY年M月D日", "ddd DD MMM YY", "[Log] YYYY.MM.DD HH.mm", "gggg/ww/d", "Mo/Do/YYYY", `YYYY\YDDD`,
	} {
		layout, ok := dates.ParseLayout(format)
		if !ok {
			t.Errorf("%q: no layout", format)
			continue
		}
		for day := time.Date(2024, 1, 1, 9, 30, 0, 0, time.UTC); day.Year() < 2029; day = day.AddDate(0, 0, 1) {
			text := dates.Format(format, day)
			r, ok := layout.Read(text, time.UTC)
			if !ok || !r.From.Equal(dates.Midnight(day)) || lengthOf(r) != day.Format(time.DateOnly) {
				t.Fatalf("%q: %q is %v, %v", format, text, r, ok)
			}
		}
	}
	for format, want := range map[string]string{
		"GGGG-[W]WW": "week of 2026-11-23", "gggg-[W]ww": "week of 2026-11-22", "YYYY-MM": "2026-11",
		"YYYY-[Q]Q": "quarter from 2026-10", "YYYY": "2026", "YYYY Qo": "quarter from 2026-10",
	} {
		layout, _ := dates.ParseLayout(format)
		r, ok := layout.Read(dates.Format(format, time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)), time.UTC)
		if !ok || lengthOf(r) != want {
			t.Errorf("%q: %v, %v, want %s", format, r, ok, want)
		}
	}
	for _, format := range []string{"", "dddd", "DD", "[2026-11-28]", "YYYY-MM-DD X", "L", "LL", "x", "MM-DD", strings.Repeat("Y", 500)} {
		if _, ok := dates.ParseLayout(format); ok {
			t.Errorf("%q tells a date", format)
		}
	}
}

func TestCheckFormat(t *testing.T) {
	for format, unknown := range map[string]string{
		"YYYY-MM-DD": "", "[Logbuch] YYYY": "", `\LYYYY`: "", "dddd Do MMMM gggg ww GGGG WW E Q HH:mm:ss A": "",
		"L": "L", "LL": "LL", "YYYY LTS": "LTS", "X": "X", "x": "x", "YYYY ZZ": "ZZ", "HH:mm:ss.SSS": "SSS", "kk:mm": "kk",
	} {
		err := dates.CheckFormat(format)
		if (err != nil) != (unknown != "") || err != nil && !strings.Contains(err.Error(), " has "+unknown+",") {
			t.Errorf("%q: %v", format, err)
		}
	}
}

func FuzzInPath(f *testing.F) {
	for _, format := range []string{"YYYY-MM-DD", "J|DD-MM-YYYY", "gggg-[W]ww", "[x", "Do MMMM", `\`} {
		f.Add(format, "J/28-11-2026")
	}
	f.Fuzz(func(t *testing.T, format, path string) {
		n := dates.NewNames(nameFormats(format)...)
		r, ok := n.InPath(path, time.UTC)
		if ok && !r.From.Before(r.Until) {
			t.Fatalf("%q with %q: %v", path, format, r)
		}
	})
}

func BenchmarkInPath(b *testing.B) {
	for name, path := range map[string]string{
		"no digit": "Projects/Garden fence", "a year": "Projects/Budget 2026", "a day": "Journal/2026-11-28",
		"other numbers": "Scans/Invoice 4711-0815 of 2026",
	} {
		b.Run(name, func(b *testing.B) {
			n := dates.NewNames(nameFormats("Journal|YYYY-MM-DD,Journal|gggg-[W]ww")...)
			b.ReportAllocs()
			for b.Loop() {
				n.InPath(path, time.UTC)
			}
		})
	}
}

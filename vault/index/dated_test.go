package index_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
)

func dayOf(y, m, d int) dates.Range {
	from := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.Local)
	return dates.Range{From: from, Until: from.AddDate(0, 0, 1)}
}

// A note has the date of its name, else of its properties, else of its last change,
// unless it was changed when most notes were: then they were copied.
func TestDateOfNote(t *testing.T) {
	src := newMemory(map[string]string{
		"2023-05-03 Boat.md": "varnish", "Log 20230504.md": "varnish", "Shed.md": "varnish", "Jetty.md": "varnish", "Well.md": "varnish",
	})
	changed := time.Date(2023, 5, 5, 12, 0, 0, 0, time.Local)
	for p, n := range map[string]time.Duration{"2023-05-03 Boat.md": 0, "Log 20230504.md": time.Minute, "Shed.md": 9 * time.Minute, "Jetty.md": 30 * time.Minute, "Well.md": -48 * time.Hour} {
		note, _ := src.Note(vault.Path(p))
		note.ModTime = changed.Add(n)
	}
	s := index.Searcher{Source: src}
	found := func(r dates.Range) string {
		return paths(search(t, s, index.Query{Text: "varnish", When: []dates.Range{r}, TimeOnly: true}))
	}
	for _, tt := range []struct {
		day  int
		want string
	}{{3, "Well.md 2023-05-03 Boat.md"}, {4, "Log 20230504.md"}, {5, "Jetty.md"}} {
		if got := found(dayOf(2023, 5, tt.day)); got != tt.want {
			t.Errorf("May %d: %s, want %s", tt.day, got, tt.want)
		}
	}
	note, _ := src.Note("Shed.md")
	note.ModTime = changed.Add(-200 * time.Hour) // fewer than half were changed at once
	if got, want := found(dayOf(2023, 5, 5)), "Jetty.md"; got != want {
		t.Errorf("without a copy: %s, want %s", got, want)
	}
}

// A time moves notes of it up, but not above one that answers much better; shortly
// before and after counts half.
func TestTimeIsOneRanking(t *testing.T) {
	src := newMemory(map[string]string{
		"Hay.md":        "# Hay prices\n\nThe price of hay: in 2022 hay went up, hay was dear in 2022.",
		"2022-01-09.md": "Fed the goats, no hay left.", "2022-06-11.md": "Carried hay with the children all day long until it rained.",
		"2021-12-20.md": "Fed the goats, no hay left at all.", "2019-03-01.md": "Fed the goats, no hay left now.", "Goats.md": "They eat hedge.",
	})
	year := dates.Range{From: dayOf(2022, 1, 1).From, Until: dayOf(2023, 1, 1).From}
	for name, s := range searchers(t, src) {
		got := paths(search(t, s, index.Query{Text: "hay", When: []dates.Range{year}}))
		if want := "Hay.md 2022-01-09.md 2022-06-11.md 2021-12-20.md 2019-03-01.md"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A note is dated by the formats of its vault. The note of a week is of times that are at least a week long.
func TestDateByFormatsOfVault(t *testing.T) {
	src := newMemory(map[string]string{
		"J/03-04-2026.md": "varnish", "W/2026-W14.md": "varnish", "M/2026-04.md": "varnish", "Shed.md": "varnish", "Well.md": "varnish",
	})
	s := index.Searcher{Source: src, DateNames: func() dates.Names {
		return dates.NewNames(dates.NameFormat{Folder: "J", Format: "DD-MM-YYYY"}, dates.NameFormat{Folder: "W", Format: "gggg-[W]ww"})
	}}
	month := dates.Range{From: dayOf(2026, 4, 1).From, Until: dayOf(2026, 5, 1).From}
	week := dates.Range{From: dayOf(2026, 3, 30).From, Until: dayOf(2026, 4, 6).From}
	for _, c := range []struct {
		when dates.Range
		want string
	}{
		{dayOf(2026, 4, 3), "J/03-04-2026.md"},
		{dayOf(2026, 4, 1), ""},
		{week, "J/03-04-2026.md W/2026-W14.md"},
		{month, "J/03-04-2026.md M/2026-04.md W/2026-W14.md"},
		{dates.Range{From: month.From, Until: dayOf(2026, 4, 29).From}, "J/03-04-2026.md W/2026-W14.md"},
	} {
		hits := search(t, s, index.Query{Text: "varnish", When: []dates.Range{c.when}, TimeOnly: true})
		got := strings.Fields(paths(hits))
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %s, want %s", c.when, got, c.want)
		}
	}
}

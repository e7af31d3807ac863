package obsidian

import (
	"testing"
	"testing/fstest"
	"time"
)

func TestFormat(t *testing.T) {
	at := time.Date(2025, 2, 3, 15, 4, 5, 67_000_000, time.FixedZone("", -5400))
	for format, want := range map[string]string{
		"YYYY-MM-DD": "2025-02-03", "YYYY/MMMM/DD": "2025/February/03", "DD-MMM-Y": "03-Feb-2025", "日记-YYYYMMDD": "日记-20250203",
		"dddd, Do MMMM": "Monday, 3rd February", "ddd dd d e E": "Mon Mo 1 1 1", "M Mo D DDD DDDD DDDo": "2 2nd 3 34 034 34th",
		"w ww wo W WW Wo": "6 06 6th 6 06 6th", "gggg gg GGGG GG": "2025 25 2025 25", "Q": "1",
		"[Week] ww [of] YYYY": "Week 06 of 2025", `\Y\MYY`: "YM25", "HH:mm:ss.SSS": "15:04:05.067", "h:mm A a hh H k": "3:04 PM pm 03 15 15",
		"Z ZZ": "-01:30 -0130", "LL": "February 3, 2025", "YYYY-[W]WW": "2025-W06", "": "",
	} {
		if got := Format(format, at); got != want {
			t.Errorf("%q is %q, want %q", format, got, want)
		}
	}
	for day, want := range map[string]string{
		"2024-12-28": "2024 52 2024 52", "2024-12-29": "2025 1 2024 52", "2024-12-31": "2025 1 2025 1", "2025-01-01": "2025 1 2025 1",
		"2025-01-05": "2025 2 2025 1", "2022-01-01": "2022 1 2021 52", "2020-12-27": "2021 1 2020 52", "2021-01-02": "2021 1 2020 53",
	} {
		at, err := time.Parse(time.DateOnly, day)
		if got := Format("gggg w GGGG W", at); err != nil || got != want {
			t.Errorf("the weeks of %s are %q, want %q", day, got, want)
		}
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 31: "31st", 111: "111th", 122: "122nd"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func settings(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{".obsidian/app.json": {Data: []byte("{}")}}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

func TestDaily(t *testing.T) {
	at := time.Date(2026, 11, 22, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		name     string
		settings fstest.MapFS
		path     string
		template string
		wrong    bool
	}{
		{"none", fstest.MapFS{}, "2026-11-22.md", "", false},
		{"empty", settings(".obsidian/daily-notes.json", ""), "2026-11-22.md", "", false},
		{"folder, folders in the format, template", settings(".obsidian/daily-notes.json", `{"folder":"Journal/","format":"YYYY/MM MMMM/dddd Do","template":"Templates/Day"}`), "Journal/2026/11 November/Sunday 22nd.md", "Templates/Day", false},
		{"broken", settings(".obsidian/daily-notes.json", `{"folder":`), "2026-11-22.md", "", true},
		{"another folder of settings", fstest.MapFS{".conf/app.json": {}, ".conf/daily-notes.json": {Data: []byte(`{"format":"[d] D"}`)}}, "d 22.md", "", false},
		{"a plugin in charge", settings(
			".obsidian/daily-notes.json", `{"folder":"Old"}`, ".obsidian/community-plugins.json", `["periodic-notes"]`,
			".obsidian/plugins/periodic-notes/data.json", `{"daily":{"enabled":true,"folder":"Days","format":"","template":"T"}}`), "Days/2026-11-22.md", "T", false},
		{"a plugin with sets of calendars", settings(
			".obsidian/community-plugins.json", `["periodic-notes"]`,
			".obsidian/plugins/periodic-notes/data.json", `{"activeCalendarSet":"Home","calendarSets":[{"id":"Work","day":{"enabled":true,"folder":"W"}},{"id":"Home","day":{"enabled":true,"folder":"H","templatePath":"T/D.md"}}]}`), "H/2026-11-22.md", "T/D.md", false},
		{"a plugin that is off", settings(
			".obsidian/daily-notes.json", `{"folder":"Own"}`, ".obsidian/community-plugins.json", `["other"]`,
			".obsidian/plugins/periodic-notes/data.json", `{"daily":{"enabled":true,"folder":"Days"}}`), "Own/2026-11-22.md", "", false},
	} {
		d, err := ReadDaily(c.settings)
		if (err != nil) != c.wrong {
			t.Errorf("%s: %v", c.name, err)
		}
		p, err := d.Path(at)
		if err != nil || string(p) != c.path || d.Template != c.template {
			t.Errorf("%s: %q from %q, %v", c.name, p, d.Template, err)
		}
	}
	for _, d := range []Daily{{Folder: "../..", Format: "YYYY"}, {Format: "[..]"}, {}} {
		if p, err := d.Path(at); err == nil {
			t.Errorf("%+v names %q", d, p)
		}
	}
}

func TestFill(t *testing.T) {
	at := time.Date(2026, 11, 22, 9, 5, 0, 0, time.UTC)
	d, err := ReadDaily(settings(".obsidian/templates.json", `{"dateFormat":"D.M.YYYY"}`))
	if err != nil {
		t.Fatal(err)
	}
	for template, want := range map[string]string{
		"# {{title}}":                          "# Sun 22",
		"{{date}} {{ Time }} {{date:dddd}}":    "22.11.2026 09:05 Sunday",
		"{{time:h:mm A}}":                      "9:05 AM",
		"[[{{yesterday}}]] [[{{tomorrow}}]]":   "[[2026-11-21]] [[2026-11-23]]",
		"{{date+1d:YYYY-MM-DD}} {{date-1M}}":   "2026-11-23 22.10.2026",
		"<% tp.date.now() %> {{cursor}} {{x}}": "<% tp.date.now() %> {{cursor}} {{x}}",
	} {
		if got := d.Fill(template, "Journal/Sun 22.md", at); got != want {
			t.Errorf("%q is %q, want %q", template, got, want)
		}
	}
}

func TestNewNotes(t *testing.T) {
	for setting, want := range map[string]string{
		`{}`: "", `{"newFileLocation":"root"}`: "", `{"newFileLocation":"current"}`: "a/b", `{"newFileLocation":"folder","newFileFolderPath":"Inbox/"}`: "Inbox",
		`{"newFileLocation":"folder","newFileFolderPath":"../x"}`: "", `{`: "",
	} {
		if got := NewNotes(fstest.MapFS{".obsidian/app.json": {Data: []byte(setting)}}, "a/b/C.md"); string(got) != want {
			t.Errorf("%s: %q, want %q", setting, got, want)
		}
	}
}

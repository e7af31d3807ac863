package obsidian

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"
)

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
		{
			"folder, folders in the format, template",
			settings(".obsidian/daily-notes.json",
				`{"folder":"Journal/","format":"YYYY/MM MMMM/dddd Do","template":"Templates/Day"}`),
			"Journal/2026/11 November/Sunday 22nd.md", "Templates/Day", false,
		},
		{"broken", settings(".obsidian/daily-notes.json", `{"folder":`), "2026-11-22.md", "", true},
		{
			"another folder of settings",
			fstest.MapFS{".conf/app.json": {}, ".conf/daily-notes.json": {Data: []byte(`{"format":"[d] D"}`)}},
			"d 22.md",
			"", false,
		},
		{"a plugin in charge", settings(
			".obsidian/daily-notes.json", `{"folder":"Old"}`, ".obsidian/community-plugins.json", `["periodic-notes"]`,
			".obsidian/plugins/periodic-notes/data.json",
			`{"daily":{"enabled":true,"folder":"Days","format":"","template":"T"}}`), "Days/2026-11-22.md", "T", false},
		{"a plugin with sets of calendars", settings(
			".obsidian/community-plugins.json", `["periodic-notes"]`,
			".obsidian/plugins/periodic-notes/data.json",
			`{"activeCalendarSet":"Home","calendarSets":[{"id":"Work","day":{"enabled":true,"folder":"W"}},{"id":"Home","day":{"enabled":true,"folder":"H","templatePath":"T/D.md"}}]}`), "H/2026-11-22.md", "T/D.md", false},
		{
			"a plugin that is off", settings(
				".obsidian/daily-notes.json", `{"folder":"Own"}`, ".obsidian/community-plugins.json", `["other"]`,
				".obsidian/plugins/periodic-notes/data.json", `{"daily":{"enabled":true,"folder":"Days"}}`),
			"Own/2026-11-22.md", "", false,
		},
		{
			"a plugin that manages other notes", settings(
				".obsidian/daily-notes.json", `{"folder":"Own"}`, ".obsidian/community-plugins.json", `["periodic-notes"]`,
				".obsidian/plugins/periodic-notes/data.json", `{"daily":{"enabled":false,"format":"D","template":"T"}}`),
			"Own/2026-11-22.md", "", false,
		},
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
		"[[{{yesterday}}]] {{date+1d}}":        "[[{{yesterday}}]] {{date+1d}}",
		"<% tp.date.now() %> {{cursor}} {{x}}": "<% tp.date.now() %> {{cursor}} {{x}}",
	} {
		if got := d.Fill(template, "Journal/Sun 22.md", at); got != want {
			t.Errorf("%q is %q, want %q", template, got, want)
		}
	}
}

func TestNewNotes(t *testing.T) {
	for setting, want := range map[string]string{
		`{}`: "", `{"newFileLocation":"root"}`: "", `{"newFileLocation":"current"}`: "a/b",
		`{"newFileLocation":"folder","newFileFolderPath":"Inbox/"}`: "Inbox",
		`{"newFileLocation":"folder","newFileFolderPath":"../x"}`:   "", `{`: "",
	} {
		if got := NewNotes(fstest.MapFS{".obsidian/app.json": {Data: []byte(setting)}}, "a/b/C.md"); string(got) != want {
			t.Errorf("%s: %q, want %q", setting, got, want)
		}
	}
}

func TestReadNameFormats(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings fstest.MapFS
		want     string
		hasDaily bool
	}{
		{"none", settings(), "[]", false},
		{"an empty file", settings(".obsidian/daily-notes.json", "{}"), "[]", false},
		{"a format", settings(".obsidian/daily-notes.json", `{"format":"DD.MM.YYYY"}`), "[{ DD.MM.YYYY}]", true},
		{"a folder", settings(".obsidian/daily-notes.json", `{"folder":"J"}`), "[{J YYYY-MM-DD}]", true},
		{"broken", settings(".obsidian/daily-notes.json", `{`), "[]", true},
		{
			"all periods", settings(".obsidian/community-plugins.json", `["periodic-notes"]`,
				".obsidian/plugins/periodic-notes/data.json",
				`{"daily":{"enabled":true,"folder":"D"},"weekly":{"enabled":true,"format":"[KW]ww"},
			"monthly":{"enabled":true},"quarterly":{"enabled":true},"yearly":{"enabled":true,"folder":"Y"}}`),
			"[{D YYYY-MM-DD} { [KW]ww} { YYYY-MM} { YYYY-[Q]Q} {Y YYYY}]", true,
		},
		{
			"weeks of the calendar", settings(".obsidian/community-plugins.json", `["calendar"]`,
				".obsidian/plugins/calendar/data.json", `{"showWeeklyNote":true,"weeklyNoteFolder":"W"}`),
			"[{W gggg-[W]ww}]", false,
		},
		{"a plugin that is off", settings(
			".obsidian/plugins/calendar/data.json", `{"showWeeklyNote":true}`,
			".obsidian/plugins/periodic-notes/data.json", `{"monthly":{"enabled":true}}`), "[]", false},
	} {
		if got := fmt.Sprint(ReadNameFormats(c.settings)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if d, _ := ReadDaily(c.settings); d.Configured != c.hasDaily {
			t.Errorf("%s: has settings of daily notes: %v", c.name, d.Configured)
		}
	}
}

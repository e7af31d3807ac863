package obsidian

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
)

// Daily holds the settings for the names and the contents of daily notes.
type Daily struct {
	Configured bool // the vault has such settings, even if they cannot be read; else these are Obsidian's defaults

	Folder   string // "" is the root of the vault
	Format   string // format of the name, as in Moment; it may contain folders
	Template string // note with the initial text, "" for none
	Date     string // format of {{date}}
	Time     string // format of {{time}}
}

// ReadDaily reads the settings of daily notes from a vault: those of the plugin Periodic Notes if it manages them, else
// Obsidian's own. The error names the file that cannot be read; the settings are Obsidian's defaults then.
func ReadDaily(vaultFS fs.FS) (Daily, error) {
	dir := vault.ConfigDir(vaultFS)
	d := Daily{Date: defaultDay, Time: "HH:mm"}
	var templates struct{ DateFormat, TimeFormat string }
	err := read(vaultFS, path.Join(dir, "templates.json"), &templates)
	d.Date = cmp.Or(templates.DateFormat, d.Date)
	d.Time = cmp.Or(templates.TimeFormat, d.Time)
	set, wrong := readDays(vaultFS, dir, readPeriodic(vaultFS, dir))
	d.Configured = wrong != nil || set != periodFile{}
	d.Folder = set.Folder
	d.Format = cmp.Or(strings.TrimSpace(set.Format), defaultDay)
	d.Template = cmp.Or(set.TemplatePath, set.Template)
	return d, errors.Join(err, wrong)
}

// readDays returns the settings of daily notes: those of Periodic Notes if it manages them, else Obsidian's own.
func readDays(vaultFS fs.FS, dir string, periodic calendarSet) (set periodFile, err error) {
	set = periodic.Day
	if !set.Enabled {
		set = periodFile{}
		err = read(vaultFS, path.Join(dir, "daily-notes.json"), &set)
	}
	return set, err
}

// periodFile holds the settings of the notes of a period, such as a day, in a file of Obsidian or of the plugin
// Periodic Notes, whose versions differ in the name of the template.
type periodFile struct {
	Enabled                                bool
	Folder, Format, Template, TemplatePath string
}

// calendarSet holds the settings of Periodic Notes for all periods.
type calendarSet struct {
	ID                              string
	Day, Week, Month, Quarter, Year periodFile
}

// readPeriodic reads the settings of Periodic Notes. Only what is Enabled is managed by it: nothing if the plugin is
// off or its settings cannot be read.
func readPeriodic(vaultFS fs.FS, dir string) calendarSet {
	var file struct {
		Daily, Weekly, Monthly, Quarterly, Yearly periodFile
		ActiveCalendarSet                         string
		CalendarSets                              []calendarSet
	}
	err := read(vaultFS, path.Join(dir, "plugins/periodic-notes/data.json"), &file)
	if err != nil || !hasPlugin(vaultFS, dir, "periodic-notes") {
		return calendarSet{}
	}
	for _, calendar := range file.CalendarSets {
		if calendar.ID == file.ActiveCalendarSet {
			return calendar
		}
	}
	return calendarSet{
		Day: file.Daily, Week: file.Weekly, Month: file.Monthly, Quarter: file.Quarterly, Year: file.Yearly,
	}
}

// hasPlugin reports whether a plugin is on.
func hasPlugin(vaultFS fs.FS, dir, plugin string) bool {
	var plugins []string
	err := read(vaultFS, path.Join(dir, "community-plugins.json"), &plugins)
	return err == nil && slices.Contains(plugins, plugin)
}

// The formats of names that are used where the settings have none.
const (
	defaultDay     = "YYYY-MM-DD"
	defaultWeek    = "gggg-[W]ww"
	defaultMonth   = "YYYY-MM"
	defaultQuarter = "YYYY-[Q]Q"
	defaultYear    = "YYYY"
)

// ReadNameFormats returns how the notes of days, weeks, months, quarters and years are named in a vault: by the
// settings of Obsidian and of the plugins Periodic Notes and Calendar. What cannot be read is left out.
func ReadNameFormats(vaultFS fs.FS) (formats []dates.NameFormat) {
	dir := vault.ConfigDir(vaultFS)
	set := readPeriodic(vaultFS, dir)
	day, err := readDays(vaultFS, dir, set)
	if err == nil && day != (periodFile{}) {
		formats = append(formats, day.nameFormat(defaultDay))
	}
	week := set.Week
	if !week.Enabled {
		week = readWeeks(vaultFS, dir)
	}
	for _, period := range []struct {
		set    periodFile
		format string
	}{
		{week, defaultWeek}, {set.Month, defaultMonth}, {set.Quarter, defaultQuarter}, {set.Year, defaultYear},
	} {
		if period.set.Enabled {
			formats = append(formats, period.set.nameFormat(period.format))
		}
	}
	return formats
}

// readWeeks reads the settings of weekly notes of the plugin Calendar.
func readWeeks(vaultFS fs.FS, dir string) periodFile {
	var set struct {
		ShowWeeklyNote                     bool
		WeeklyNoteFolder, WeeklyNoteFormat string
	}
	err := read(vaultFS, path.Join(dir, "plugins/calendar/data.json"), &set)
	if err != nil || !set.ShowWeeklyNote || !hasPlugin(vaultFS, dir, "calendar") {
		return periodFile{}
	}
	return periodFile{Enabled: true, Folder: set.WeeklyNoteFolder, Format: set.WeeklyNoteFormat}
}

// nameFormat returns the format of the names, or the one that is used without a setting.
func (p periodFile) nameFormat(usual string) dates.NameFormat {
	return dates.NameFormat{Folder: p.Folder, Format: cmp.Or(strings.TrimSpace(p.Format), usual)}
}

// NewNotes returns the folder in which Obsidian creates a new note while the note active is open.
func NewNotes(vaultFS fs.FS, active vault.Path) vault.Path {
	var app struct{ NewFileLocation, NewFileFolderPath string }
	if err := read(vaultFS, path.Join(vault.ConfigDir(vaultFS), "app.json"), &app); err != nil {
		return ""
	}
	switch app.NewFileLocation {
	case "current":
		return active.Dir()
	case "folder":
		p, _ := vault.ParsePath(app.NewFileFolderPath) // "" if it is outside of the vault
		return p
	}
	return ""
}

// Attachments returns the folder in which Obsidian puts files that are pasted into the note active.
func Attachments(vaultFS fs.FS, active vault.Path) vault.Path {
	var app struct{ AttachmentFolderPath string }
	if err := read(vaultFS, path.Join(vault.ConfigDir(vaultFS), "app.json"), &app); err != nil {
		return ""
	}
	folder := strings.Trim(app.AttachmentFolderPath, "/")
	if beside, ok := strings.CutPrefix(app.AttachmentFolderPath, "."); ok {
		folder = path.Join(string(active.Dir()), strings.Trim(beside, "/"))
	}
	p, _ := vault.ParsePath(folder) // "" if it is outside of the vault
	return p
}

// maxSettingsSize limits the size of a settings file in bytes.
const maxSettingsSize = 1 << 20

// read reads a settings file, if it exists, into the value into.
func read(vaultFS fs.FS, name string, into any) error {
	data, _, err := vault.ReadBounded(vaultFS, name, maxSettingsSize)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("read the settings %s: %w", name, err)
	}
	return nil
}

// Path returns the path of the daily note of a day.
func (d *Daily) Path(t time.Time) (vault.Path, error) {
	if err := dates.CheckFormat(d.Format); err != nil {
		return "", fmt.Errorf("the settings of daily notes: %w", err)
	}
	name := path.Join(strings.Trim(d.Folder, "/"), dates.Format(d.Format, t))
	p, err := vault.ParsePath(name)
	if err != nil || p == "" {
		return "", fmt.Errorf("the settings of daily notes name no note of this vault: %q", name)
	}
	return p.AsNote(), nil
}

// placeholder matches a date or a time in a template: {{date}}, {{time:HH}}.
var placeholder = regexp.MustCompile(`(?i)\{\{\s*(date|time|title)\s*(?::([^{}\n]+?))?\s*\}\}`)

// Fill returns the text of the note p, created at the time t, from a template. Placeholders of other programs
// stay.
func (d *Daily) Fill(template string, p vault.Path, t time.Time) string {
	return placeholder.ReplaceAllStringFunc(template, func(found string) string {
		m := placeholder.FindStringSubmatch(found)
		switch what, format := strings.ToLower(m[1]), m[2]; {
		case what == "time":
			return dates.Format(cmp.Or(format, d.Time), t)
		case what == "date":
			return dates.Format(cmp.Or(format, d.Date), t)
		case format == "":
			return p.Base()
		}
		return found
	})
}

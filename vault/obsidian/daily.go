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
	Folder   string // "" is the root of the vault
	Format   string // format of the name, as in Moment; it may contain folders
	Template string // note with the initial text, "" for none
	Date     string // format of {{date}}
	Time     string // format of {{time}}
	Source   string // file with the settings, "" if there is none
}

// ReadDaily reads the settings of daily notes from a vault: those of the plugin Periodic Notes if it manages
// them, else Obsidian's own. The error names the file that cannot be read; the settings are Obsidian's defaults
// then.
func ReadDaily(vaultFS fs.FS) (Daily, error) {
	dir := vault.ConfigDir(vaultFS)
	d := Daily{Format: "YYYY-MM-DD", Date: "YYYY-MM-DD", Time: "HH:mm"}
	var templates struct{ DateFormat, TimeFormat string }
	_, err := read(vaultFS, path.Join(dir, "templates.json"), &templates)
	d.Date, d.Time = cmp.Or(templates.DateFormat, d.Date), cmp.Or(templates.TimeFormat, d.Time)

	own := path.Join(dir, "daily-notes.json")
	var set struct{ Folder, Format, Template string }
	there, ownErr := read(vaultFS, own, &set)
	if plugin, ok := readPeriodic(vaultFS, dir); ok {
		set.Folder, set.Format, set.Template = plugin.Folder, plugin.Format,
			cmp.Or(plugin.TemplatePath, plugin.Template)
		own, there, ownErr = path.Join(dir, periodicFile), true, nil
	}
	if there {
		d.Folder, d.Format, d.Template, d.Source = set.Folder, cmp.Or(strings.TrimSpace(set.Format), d.Format),
			set.Template, own
	}
	return d, errors.Join(err, ownErr)
}

// periodicFile is the file with the settings of Periodic Notes.
const periodicFile = "plugins/periodic-notes/data.json"

// periodic holds the settings of Periodic Notes for one kind of notes. Its versions differ in the name of the
// template.
type periodic struct {
	Enabled                                bool
	Folder, Format, Template, TemplatePath string
}

// readPeriodic reads the settings of Periodic Notes; ok is false unless it manages the daily notes.
func readPeriodic(vaultFS fs.FS, dir string) (periodic, bool) {
	var plugins []string
	if _, err := read(vaultFS, path.Join(dir, "community-plugins.json"), &plugins); err != nil ||
		!slices.Contains(plugins, "periodic-notes") {
		return periodic{}, false
	}
	var set struct {
		Daily             periodic
		ActiveCalendarSet string
		CalendarSets      []struct {
			ID  string
			Day periodic
		}
	}
	if _, err := read(vaultFS, path.Join(dir, periodicFile), &set); err != nil {
		return periodic{}, false
	}
	for _, calendar := range set.CalendarSets {
		if calendar.ID == set.ActiveCalendarSet {
			return calendar.Day, calendar.Day.Enabled
		}
	}
	return set.Daily, set.Daily.Enabled
}

// NewNotes returns the folder in which Obsidian creates a new note while the note active is open.
func NewNotes(vaultFS fs.FS, active vault.Path) vault.Path {
	var app struct{ NewFileLocation, NewFileFolderPath string }
	if _, err := read(vaultFS, path.Join(vault.ConfigDir(vaultFS), "app.json"), &app); err != nil {
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
	if _, err := read(vaultFS, path.Join(vault.ConfigDir(vaultFS), "app.json"), &app); err != nil {
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

// read reads a settings file into the value into, and reports whether the file exists.
func read(vaultFS fs.FS, name string, into any) (there bool, err error) {
	info, err := fs.Stat(vaultFS, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && info.Size() > maxSettingsSize {
		err = errors.New("it is too large for settings")
	}
	var data []byte
	if err == nil {
		data, err = fs.ReadFile(vaultFS, name)
	}
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return true, fmt.Errorf("read the settings %s: %w", name, err)
	}
	return true, nil
}

// Path returns the path of the daily note of a day.
func (d *Daily) Path(t time.Time) (vault.Path, error) {
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

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
}

// ReadDaily reads the settings of daily notes from a vault: those of the plugin Periodic Notes if it manages them, else
// Obsidian's own. The error names the file that cannot be read; the settings are Obsidian's defaults then.
func ReadDaily(vaultFS fs.FS) (Daily, error) {
	dir := vault.ConfigDir(vaultFS)
	d := Daily{Format: "YYYY-MM-DD", Date: "YYYY-MM-DD", Time: "HH:mm"}
	var templates struct{ DateFormat, TimeFormat string }
	err := read(vaultFS, path.Join(dir, "templates.json"), &templates)
	d.Date, d.Time = cmp.Or(templates.DateFormat, d.Date), cmp.Or(templates.TimeFormat, d.Time)
	set := readPeriodic(vaultFS, dir)
	if !set.Enabled {
		set = dailyFile{}
		err = errors.Join(err, read(vaultFS, path.Join(dir, "daily-notes.json"), &set))
	}
	d.Folder, d.Format = set.Folder, cmp.Or(strings.TrimSpace(set.Format), d.Format)
	d.Template = cmp.Or(set.TemplatePath, set.Template)
	return d, err
}

// dailyFile holds the settings of daily notes in a file of Obsidian or of the plugin Periodic Notes, whose versions
// differ in the name of the template.
type dailyFile struct {
	Enabled                                bool
	Folder, Format, Template, TemplatePath string
}

// readPeriodic reads the settings of Periodic Notes; they are not Enabled unless it manages the daily notes.
func readPeriodic(vaultFS fs.FS, dir string) dailyFile {
	var plugins []string
	var set struct {
		Daily             dailyFile
		ActiveCalendarSet string
		CalendarSets      []struct {
			ID  string
			Day dailyFile
		}
	}
	err := errors.Join(read(vaultFS, path.Join(dir, "community-plugins.json"), &plugins),
		read(vaultFS, path.Join(dir, "plugins/periodic-notes/data.json"), &set))
	for _, calendar := range set.CalendarSets {
		if calendar.ID == set.ActiveCalendarSet {
			set.Daily = calendar.Day
		}
	}
	if err != nil || !slices.Contains(plugins, "periodic-notes") {
		return dailyFile{}
	}
	return set.Daily
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

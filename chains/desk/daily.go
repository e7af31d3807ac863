package desk

import (
	"fmt"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/obsidian"
)

// A folder holds the daily notes of a vault if so many notes, and so large a part of all that have a day as their name,
// are in it.
const (
	leastDailyNotes = 3
	dailyShare      = 0.8
)

// dailySettings returns the settings of daily notes. Where the vault has none and its daily notes are in one folder,
// that folder and the format of their names count, and said is a remark about it.
func (d *Desk) dailySettings() (settings obsidian.Daily, said string, err error) {
	settings, err = obsidian.ReadDaily(d.opts.Vault.FS())
	if err != nil || settings.Configured {
		return settings, "", err
	}
	folder, format := findDailyNotes(d.opts.Vault.Notes())
	if format == "" || folder == "" && format == settings.Format {
		return settings, "", nil
	}
	settings.Folder = string(folder)
	settings.Format = format
	said = "the vault has no settings for daily notes; this follows the names of those that it has"
	if folder != "" {
		said = fmt.Sprintf("the vault has no settings for daily notes; those that it has are in %s", folder)
	}
	return settings, said, nil
}

// findDailyNotes returns the folder in which the daily notes are, and the format of their names; "" for both if they
// are few, or in several folders.
func findDailyNotes(notes []*vault.Note) (folder vault.Path, format string) {
	names := map[vault.Path][]string{} // of days, by folder
	all := 0
	for _, n := range notes {
		if n.Private || n.Chat || dates.CommonFormat(n.Path.Base()) == "" {
			continue
		}
		all++
		names[n.Path.Dir()] = append(names[n.Path.Dir()], n.Path.Base())
	}
	for dir, days := range names {
		if len(days) < leastDailyNotes || float64(len(days)) < dailyShare*float64(all) {
			continue
		}
		return dir, dates.CommonFormat(days...)
	}
	return "", ""
}

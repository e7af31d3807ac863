// Package obsidian reads the settings of Obsidian for the places of files: the folder of new notes ([NewNotes]), the
// name and the initial text of today's daily note ([ReadDaily], [Daily]), the names of the notes of days, weeks and
// months ([ReadNameFormats]), and the folder of attachments ([Attachments]). Package dates formats and reads dates.
//
// Settings that are missing or cannot be read have Obsidian's defaults.
//
// All functions depend on their arguments only, a file system and a time, and may be called from several
// goroutines.
package obsidian

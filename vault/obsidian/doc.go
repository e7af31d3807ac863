// Package obsidian reads the settings of Obsidian that say where notes go: the folder
// of new notes ([NewNotes]), and the name and the beginning of today's daily note
// ([ReadDaily], [Daily]). Dates are written as package dates does it.
//
// Settings that are not there, or cannot be read, are those that Obsidian begins with.
//
// Everything is a function of the file system and the moment that it is given, and may
// be called from several goroutines.
package obsidian

package vault

import "strings"

// isScratch reports whether p is a temporary file of an editor or of a sync program. A save that writes such a
// file and renames it over the note is still noticed, by the event on the note's own name. Conflict copies are
// notes.
func isScratch(p Path) bool {
	name := p.Name()
	switch {
	case name == "4913", // vim creates this file to find out whether it may write here
		strings.HasSuffix(name, "~"),
		strings.HasPrefix(name, "~syncthing~"),
		strings.HasPrefix(name, "~$"):
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch strings.ToLower(name[dot:]) {
	case ".swp", ".swo", ".swx", ".tmp", ".icloud", ".crdownload", ".part":
		return true
	}
	return false
}

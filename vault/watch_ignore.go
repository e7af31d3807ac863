package vault

import "strings"

// scratch reports whether a file comes and goes without meaning anything, as
// those of editors and of programs that synchronise do. A save that writes
// such a file and renames it over the note still shows, by the event on the
// note's own name. Conflict copies are notes.
func scratch(p Path) bool {
	name := p.Name()
	switch {
	case name == "4913", // vim asks with this file whether it may write here
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

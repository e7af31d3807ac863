package vault

import (
	"errors"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// ErrOutside is returned for a path that is absolute or leaves the vault.
var ErrOutside = errors.New("path leaves the vault")

// Path names a file or folder inside a vault: slash-separated on every
// system, cleaned, relative to the vault's root, never absolute, never
// starting with "..". The zero value names the root.
type Path string

// ParsePath cleans a path that a person or a file may have written: "/a//b", "./a", a trailing slash.
// Backslashes are part of a name on every system. It returns ErrOutside for a path that leaves the vault.
func ParsePath(s string) (Path, error) {
	switch s = path.Clean(strings.TrimLeft(s, "/")); {
	case s == ".":
		return "", nil
	case s == ".." || strings.HasPrefix(s, "../") || strings.ContainsRune(s, 0):
		return "", ErrOutside
	}
	return Path(s), nil
}

// Name returns the last element with its extension: "Lesson 4.md".
func (p Path) Name() string {
	if p == "" {
		return ""
	}
	return path.Base(string(p))
}

// Base returns the last element without ".md": "Lesson 4". Other extensions stay, as Obsidian shows them.
func (p Path) Base() string {
	n := p.Name()
	if strings.EqualFold(path.Ext(n), ".md") {
		return n[:len(n)-len(".md")]
	}
	return n
}

// Dir returns the folder of p; "" for a path in the root.
func (p Path) Dir() Path {
	d := path.Dir(string(p))
	if d == "." {
		return ""
	}
	return Path(d)
}

// Join returns the path of name in the folder p.
func (p Path) Join(name string) Path {
	if p == "" {
		return Path(name)
	}
	return p + "/" + Path(name)
}

// Native returns p as this system writes it.
func (p Path) Native() string { return filepath.FromSlash(string(p)) }

// IsNote reports whether p names a markdown note by its extension.
func (p Path) IsNote() bool { return strings.EqualFold(path.Ext(string(p)), ".md") }

// AsNote returns the path with the ending of notes, which a person may leave out. The root stays.
func (p Path) AsNote() Path {
	if p != "" && !p.IsNote() {
		p += ".md"
	}
	return p
}

// In reports whether p is in the folder dir, at any depth; every path is in "".
func (p Path) In(dir Path) bool {
	return dir == "" || strings.HasPrefix(string(p), string(dir)+"/")
}

// lookalikes are scripts whose letters can be mistaken for those of another one of them.
var lookalikes = []string{"Latin", "Cyrillic", "Greek", "Armenian", "Cherokee"}

// MixedScripts returns a warning with the scripts of p's letters if they are from several lookalike scripts,
// else "".
func (p Path) MixedScripts() string {
	var found []string
	for _, script := range lookalikes {
		if strings.ContainsFunc(strings.TrimSuffix(string(p), ".md"), func(r rune) bool {
			return unicode.Is(unicode.Scripts[script], r)
		}) {
			found = append(found, script)
		}
	}
	if len(found) < 2 {
		return ""
	}
	return "two scripts: " + strings.Join(found, ", ")
}

// PathStrings converts paths to strings. The result is never nil.
func PathStrings(paths []Path) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = string(p)
	}
	return names
}

package vault

import (
	"path"
	"strings"
	"unicode/utf8"
)

// State says how a link or a reference was answered.
type State string

// The answers.
const (
	OK        State = "ok"
	Moved     State = "moved" // the named folder does not hold it, but exactly one note has its name
	Missing   State = "missing"
	Ambiguous State = "ambiguous"
)

// Found is what a link or a reference leads to.
type Found struct {
	State   State
	Path    Path   // "" unless State is OK or Moved
	Subpath string // what stood after the '#': a heading, ^block or L10-L20; it is not looked up
	// Candidates are the equally good answers if State is Ambiguous, sorted by
	// path, and the notes that may have been meant if it is Missing, best first.
	Candidates []Path
}

// Resolve finds the file that a link in the note from leads to, by the rules
// that Obsidian follows:
//
//   - target is split at the first '#'; an empty path is the note itself;
//   - "./" and "../" start at the folder of from, "/" at the vault's root;
//   - otherwise the last element of the path is looked up in the whole vault
//     without regard to case, first as it stands if it holds a dot, then with
//     .md; folders in target must match the end of the file's path;
//   - of several files, the one whose whole path is target wins, then the one
//     beside from, then the one with the shortest path, then the first by name;
//   - aliases and titles never resolve a link. They are offered as Candidates.
//
// The answer is OK or Missing, never Ambiguous. Excluded files are found too.
// It takes a few map lookups, whatever the size of the vault.
func (v *Vault) Resolve(target string, from Path) Found {
	s := v.snap.Load()
	base, sub, cut := strings.Cut(target, "#")
	if p, ok := s.link(strings.TrimSpace(base), from); ok {
		return Found{State: OK, Path: p, Subpath: sub}
	}
	if cut { // a '#' in the name: only percent-encoded links can say that
		if p, ok := s.link(strings.TrimSpace(target), from); ok {
			return Found{State: OK, Path: p}
		}
	}
	titles := s.titles()
	key := fold(strings.TrimSpace(base))
	return Found{State: Missing, Subpath: sub, Candidates: union(titles.aliases.of(key), titles.titles.of(key))}
}

// link is Resolve without the subpath.
func (s *snapshot) link(base string, from Path) (Path, bool) {
	if base == "" {
		return from, from != ""
	}
	exact := false
	switch {
	case base[0] == '/':
		base, exact = path.Clean(base)[1:], true
	case strings.HasPrefix(base, "./"), strings.HasPrefix(base, "../"):
		base, exact = path.Join(string(from.Dir()), base), true
	}
	if base == "" || base == ".." || strings.HasPrefix(base, "../") {
		return "", false
	}
	key := fold(base)
	if strings.Contains(path.Base(key), ".") {
		if p, ok := s.choose(base, key, from.Dir(), exact); ok {
			return p, true
		}
	}
	return s.choose(base+".md", key+".md", from.Dir(), exact)
}

// choose picks the best of the files whose path ends with key. base is key as
// it was written, dir the folder of the note that holds the link.
func (s *snapshot) choose(base, key string, dir Path, exact bool) (Path, bool) {
	var best *namedFile
	s.names().match(key, func(f *namedFile) bool {
		if exact && f.fold != key {
			return true
		}
		if best == nil || closer(f, best, base, key, dir) {
			best = f
		}
		return true
	})
	if best == nil {
		return "", false
	}
	return best.path, true
}

// closer reports whether a link that is written base goes to a rather than to b.
func closer(a, b *namedFile, base, key string, dir Path) bool {
	if x, y := a.fold == key, b.fold == key; x != y {
		return x
	}
	if a.fold != key {
		if x, y := a.path.Dir() == dir, b.path.Dir() == dir; x != y {
			return x
		}
		if x, y := utf8.RuneCountInString(string(a.path)), utf8.RuneCountInString(string(b.path)); x != y {
			return x < y
		}
	}
	if x, y := endsWithPath(string(a.path), base), endsWithPath(string(b.path), base); x != y {
		return x
	}
	return a.path < b.path
}

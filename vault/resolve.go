package vault

import (
	"path"
	"strings"
	"unicode/utf8"
)

// State is the result of looking up a link or a reference.
type State string

// The results of a lookup.
const (
	OK        State = "ok"
	Moved     State = "moved" // not in the named folder, but exactly one note elsewhere has its name
	Missing   State = "missing"
	Ambiguous State = "ambiguous"
)

// FoundNote is the target of a link or a reference.
type FoundNote struct {
	State   State
	Path    Path   // "" unless State is OK or Moved
	Subpath string // text after the '#': a heading, ^block or L10-L20; it is not looked up
	// Candidates are the equally good targets if State is Ambiguous, sorted by path, and similar notes if it is
	// Missing, best first.
	Candidates []Path
}

// Resolve finds the target of a link in the note from, by the rules of Obsidian:
//
//   - target is split at the first '#'; an empty path is the note itself;
//   - "./" and "../" start at the folder of from, "/" at the vault's root;
//   - otherwise the last element of the path is looked up in the whole vault,
//     ignoring case, first as it is if it contains a dot, then with .md;
//     folders in target must match the end of the file's path;
//   - of several files, the one whose whole path is target wins, then the one
//     beside from, then the one with the shortest path, then the first by name;
//   - aliases and titles never resolve a link. They are suggested as Candidates.
//
// The state is OK or Missing, never Ambiguous. Excluded files are found too. It takes a few map lookups,
// whatever the size of the vault.
func (v *Vault) Resolve(target string, from Path) FoundNote {
	s := v.snap.Load()
	l := linker{table: s.names()}
	to, sub := l.follow(target, from)
	switch to {
	case sameNote:
		return FoundNote{State: OK, Path: from, Subpath: sub}
	case noTarget:
		base, _, _ := strings.Cut(target, "#")
		titles, key := s.titles(), fold(strings.TrimSpace(base))
		return FoundNote{State: Missing, Subpath: sub, Candidates: union(titles.aliases[key], titles.titles[key])}
	}
	return FoundNote{State: OK, Path: l.table.files[to].path, Subpath: sub}
}

// Orphans returns the notes to which no other note links, sorted by path. Links in saved chats do not count;
// chats and private notes are not listed.
func Orphans(v *Vault) []*Note {
	s := v.snap.Load()
	l := linker{table: s.names()}
	linked := make([]bool, len(l.table.files))
	for i, n := range s.notes {
		if n.Chat {
			continue
		}
		for link := range n.Links() {
			if to, _ := l.follow(link.Target, n.Path); to >= 0 && int(to) != i {
				linked[to] = true
			}
		}
	}
	var list []*Note
	for i, n := range s.notes {
		if n.Ordinary() && !linked[i] {
			list = append(list, n)
		}
	}
	return list
}

// linker resolves links, one after the other.
type linker struct {
	table *nameTable
	key   []byte // buffer for the folded path that is looked up
}

// Targets of links that are not numbers of files.
const (
	noTarget = -1 - iota
	sameNote // the note that contains the link
)

// follow returns the number of the file to which a link in the note from leads, and the subpath.
func (l *linker) follow(target string, from Path) (to int32, sub string) {
	base, sub, cut := strings.Cut(target, "#")
	if to = l.resolvePath(strings.TrimSpace(base), from); to != noTarget {
		return to, sub
	}
	if cut { // the '#' may be part of the name, in percent-encoded links
		if to = l.resolvePath(strings.TrimSpace(target), from); to != noTarget {
			return to, ""
		}
	}
	return noTarget, sub
}

// resolvePath implements follow without the subpath.
func (l *linker) resolvePath(base string, from Path) int32 {
	if base == "" {
		if from == "" {
			return noTarget
		}
		return sameNote
	}
	exact := false
	switch {
	case base[0] == '/':
		base, exact = path.Clean(base)[1:], true
	case strings.HasPrefix(base, "./"), strings.HasPrefix(base, "../"):
		base, exact = path.Join(string(from.Dir()), base), true
	}
	if base == "" || base == ".." || strings.HasPrefix(base, "../") {
		return noTarget
	}
	l.key = appendFold(l.key[:0], base)
	if strings.Contains(base[strings.LastIndexByte(base, '/')+1:], ".") {
		if to := l.choose(base, "", from, exact); to != noTarget {
			return to
		}
	}
	l.key = append(l.key, ".md"...)
	return l.choose(base, ".md", from, exact)
}

// choose returns the best of the files whose path ends with the key. base and ext are the key as it was
// written, from is the note with the link.
func (l *linker) choose(base, ext string, from Path, exact bool) int32 {
	var best int32 = noTarget
	files := l.table.files
	for _, i := range l.table.withName(l.key) {
		if !endsWithPath(files[i].fold, l.key) || exact && len(files[i].fold) != len(l.key) {
			continue
		}
		if best == noTarget || isBetterTarget(&files[i], &files[best], base+ext, string(l.key), from.Dir()) {
			best = i
		}
	}
	return best
}

// isBetterTarget reports whether a is a better target than b for a link written as base.
func isBetterTarget(a, b *namedFile, base, key string, dir Path) bool {
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

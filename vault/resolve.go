package vault

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// State is the result of looking up a link or a reference.
type State string

// The results of a lookup.
const (
	OK        State = "ok"
	Moved     State = "moved" // not where an old chat names it, but exactly one file elsewhere has its name
	Missing   State = "missing"
	Ambiguous State = "ambiguous"
)

// FoundNote is the target of a link or a reference.
type FoundNote struct {
	State   State
	Path    Path   // "" unless State is OK or Moved
	Subpath string // text after the '#': a heading, ^block or L10-L20; it is not looked up
	// Candidates are the equally good targets if State is Ambiguous, sorted by path. If it is Missing, they are the
	// files of that name elsewhere, or else similar notes, best first.
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
	base, sub, cut := strings.Cut(target, "#")
	base = strings.TrimSpace(base)
	if base == "" && from != "" {
		return FoundNote{State: OK, Path: from, Subpath: sub}
	}
	if f := s.names().resolve(base, from); f != nil {
		return FoundNote{State: OK, Path: f.path, Subpath: sub}
	}
	if cut { // the '#' may be part of the name, in percent-encoded links
		if f := s.names().resolve(strings.TrimSpace(target), from); f != nil {
			return FoundNote{State: OK, Path: f.path}
		}
	}
	titles, key := s.titles(), fold(base)
	return FoundNote{State: Missing, Subpath: sub, Candidates: union(titles.aliases[key], titles.titles[key])}
}

// Orphans returns the notes to which no other note links, sorted by path. Links in saved chats do not count;
// chats and private notes are not listed.
func Orphans(v *Vault) []*Note {
	notes, linked := v.Notes(), map[Path]bool{}
	for _, n := range notes {
		if n.Chat {
			continue
		}
		for link := range n.Links() {
			if to := v.Resolve(link.Target, n.Path).Path; to != n.Path {
				linked[to] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(notes), func(n *Note) bool { return !n.Ordinary() || linked[n.Path] })
}

// resolve returns the file to which a link in the note from leads, nil if there is none. base is the target of the
// link without its subpath.
func (t *nameTable) resolve(base string, from Path) *namedFile {
	exact := false
	switch {
	case strings.HasPrefix(base, "/"):
		base, exact = path.Clean(base)[1:], true
	case strings.HasPrefix(base, "./"), strings.HasPrefix(base, "../"):
		base, exact = path.Join(string(from.Dir()), base), true
	}
	if base == "" || base == ".." || strings.HasPrefix(base, "../") {
		return nil
	}
	if strings.Contains(Path(base).Name(), ".") {
		if f := t.choose(base, from.Dir(), exact); f != nil {
			return f
		}
	}
	return t.choose(base+".md", from.Dir(), exact)
}

// choose returns the best of the files whose path ends with name, or is name if exact is set, for a link in a note
// of the folder dir; nil if there is none.
func (t *nameTable) choose(name string, dir Path, exact bool) (best *namedFile) {
	key := fold(name)
	for _, i := range t.withName(key) {
		f := &t.files[i]
		if endsWithPath(f.fold, key) && (!exact || f.fold == key) &&
			(best == nil || isBetterTarget(f, best, name, key, dir)) {
			best = f
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

package vault

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ibid/vault/md"
)

// maxCandidates limits the similar names that Find suggests.
const maxCandidates = 5

// Find returns the note or file that a person means by ref: a path with or without .md, the end of a path, a
// note's name, its frontmatter title or one of its aliases, ignoring case. It removes double brackets and a
// display text; the first '#' behind a name that matches starts the Subpath, unless the name itself contains
// one.
//
// The first kind of name that matches decides, in the order above. If several files match, Find takes the one
// whose whole path is exactly ref, else the only one with the case that was typed, whatever the encoding of
// accents; otherwise the state is Ambiguous, with all of them as candidates. If the folder in a path does not
// contain the note and only one note elsewhere has that name, Find returns that with the state Moved. Excluded
// files are found only if no others match; reading them fails with ErrIgnored.
//
// Find reads nothing from disk. It goes through the vault only to suggest similar names.
func (v *Vault) Find(ref string) FoundNote {
	s := v.snap.Load()
	f, name := s.lookup(ref)
	if f.State == Missing && name != "" && len(f.Candidates) == 0 {
		f.Candidates = s.similarNames().bestMatches(name)
	}
	return f
}

// Lookup works like Find without suggestions, for callers that try many names: it takes a few map lookups,
// whatever the size of the vault.
func (v *Vault) Lookup(ref string) FoundNote {
	f, _ := v.snap.Load().lookup(ref)
	return f
}

// Projects returns the folders that contain a note of their own name, or project.md, sorted.
func Projects(notes []*Note) (folders []Path) {
	for _, n := range notes {
		if dir := n.Path.Dir(); dir != "" && (n.Path.Name() == "project.md" || n.Path.Base() == dir.Name()) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// FolderNamed returns one of folders by its path, in the given case if possible, else ignoring case. "" and "."
// are the vault itself.
func FolderNamed(folders []Path, name string) (Path, bool) {
	want := strings.Trim(strings.TrimPrefix(name, "./"), "/")
	if want == "" || want == "." {
		return "", true
	}
	i := slices.Index(folders, Path(want))
	if i < 0 {
		i = slices.IndexFunc(folders, func(f Path) bool { return strings.EqualFold(string(f), want) })
	}
	if i < 0 {
		return "", false
	}
	return folders[i], true
}

// lookup implements Find without suggestions; name is the name for which to suggest similar ones.
func (s *snapshot) lookup(ref string) (f FoundNote, name string) {
	ref = md.Unlink(ref)
	if ref == "" {
		return FoundNote{State: Missing}, ""
	}
	whole := s.find(ref)
	if whole.State != Missing {
		return whole, ref
	}
	name = ref
	for i := range len(ref) {
		base := strings.TrimSpace(ref[:i])
		if ref[i] != '#' || base == "" {
			continue
		}
		f = s.find(base)
		f.Subpath = ref[i+1:]
		if f.State != Missing {
			return f, base
		}
		if name == ref {
			whole, name = f, base // the first '#' is the most likely separator
		}
	}
	return whole, name
}

// find implements Find for a name without subpath, without suggestions.
func (s *snapshot) find(ref string) FoundNote {
	ref = strings.TrimPrefix(strings.TrimLeft(ref, "/"), "./")
	if ref == "" || strings.HasPrefix(ref, "../") {
		return FoundNote{State: Missing}
	}
	names := []string{ref + ".md", ref}
	if strings.Contains(Path(ref).Name(), ".") {
		names = []string{ref, ref + ".md"}
	}
	for _, name := range names {
		if f := s.byPath(name, name == ref); f.State != Missing {
			return f
		}
	}
	t, key := s.titles(), fold(ref)
	for _, paths := range [][]Path{t.titles[key], t.aliases[key]} {
		if f := pickOne(paths, nil); f.State != Missing {
			return f
		}
	}
	if i := strings.LastIndexByte(ref, '/'); i >= 0 {
		f := s.find(ref[i+1:])
		if f.State == OK {
			f.State = Moved
		}
		return f
	}
	return FoundNote{State: Missing}
}

// byPath returns files whose path is name or ends with it; typed says that the person typed exactly this name.
func (s *snapshot) byPath(name string, typed bool) FoundNote {
	key, t := fold(name), s.names()
	var whole, all, hidden []Path
	for _, i := range t.withName(key) {
		switch f := &t.files[i]; {
		case !endsWithPath(f.fold, key):
		case f.hidden:
			hidden = append(hidden, f.path)
		case f.fold == key:
			whole = append(whole, f.path)
		default:
			all = append(all, f.path)
		}
	}
	asTyped := func(p Path) bool { return endsWithPath(norm.NFC.String(string(p)), norm.NFC.String(name)) }
	if typed && slices.Contains(whole, Path(name)) {
		return FoundNote{State: OK, Path: Path(name)}
	}
	for _, paths := range [][]Path{whole, all, hidden} {
		if f := pickOne(paths, asTyped); f.State != Missing {
			return f
		}
	}
	return FoundNote{State: Missing}
}

// pickOne returns the result for equally good paths. If there are several, those that prefer accepts count.
func pickOne(paths []Path, prefer func(Path) bool) FoundNote {
	if len(paths) > 1 && prefer != nil {
		var better []Path
		for _, p := range paths {
			if prefer(p) {
				better = append(better, p)
			}
		}
		if len(better) == 1 {
			paths = better
		}
	}
	switch len(paths) {
	case 0:
		return FoundNote{State: Missing}
	case 1:
		return FoundNote{State: OK, Path: paths[0]}
	}
	return FoundNote{State: Ambiguous, Candidates: union(paths)}
}

// union returns the sorted set of the paths in lists; nil if there is none.
func union(lists ...[]Path) []Path {
	all := slices.Concat(lists...)
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// FindOne returns the result of Find, with an error that lists similar or matching names unless there is exactly
// one.
func FindOne(v *Vault, ref string) (f FoundNote, err error) {
	f = v.Find(ref)
	names := strings.Join(PathStrings(f.Candidates), ", ")
	switch {
	case f.State == Ambiguous:
		err = fmt.Errorf("%s fits several notes: %s", ref, names)
	case f.State == Missing && names != "":
		err = fmt.Errorf("there is no note %s; near are %s", ref, names)
	case f.State == Missing:
		err = fmt.Errorf("there is no note %s", ref)
	}
	return f, err
}

// FindNote returns the note that a person means by ref, or an error if there is not exactly one or it is
// private.
func FindNote(v *Vault, ref string) (*Note, error) {
	found, err := FindOne(v, ref)
	n, ok := v.Note(found.Path)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("there is no note %s", ref)
	case n.Private:
		return nil, fmt.Errorf("%s is private", n.Path)
	}
	return n, nil
}

package vault

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ibid/vault/md"
)

// maxCandidates limits the similar names that Find suggests.
const maxCandidates = 5

// Purpose says what a name is looked up for, and so how far from the name a file may be. A name is a path if it has a
// folder, the ending of a note, or a slash in front; else it is bare.
type Purpose int

// The purposes of a lookup, from the most generous to the strictest.
const (
	// ToReadOldChat is for names that were right once. A path of nothing leads to the only file that has its name
	// by now, with the state Moved.
	ToReadOldChat Purpose = iota
	// ToRead is for names of what is read now, and for links. A path may be the end of the file's path, as in
	// Obsidian; a name whose whole path it is comes before others of that name.
	ToRead
	// ToChoose is for what a person chooses for a chat: pins, --note, a typed @Folder/Name, the active note. A path
	// is the path of its file and of no other. A bare name is that of any file, wherever it lies. Files that are no
	// notes have their ending in their bare name.
	ToChoose
	// ToWrite is ToChoose for what is changed: any name with an ending is a path, also that of a file that is no note.
	ToWrite
)

// isExact reports whether name, which is ref or ref with the ending of notes, stands only for the file at that path.
func (p Purpose) isExact(ref, name string) bool {
	switch {
	case strings.HasPrefix(ref, "/"):
		return true
	case p < ToChoose:
		return false
	case isPath(ref):
		return true
	}
	return p == ToWrite && name == ref && strings.Contains(name, ".")
}

// isPath reports whether a name is a path and not bare.
func isPath(ref string) bool { return strings.Contains(ref, "/") || HasNoteEnding(ref) }

// HasNoteEnding reports whether a name ends like a file with markdown. Other endings may be part of the title of a
// note, as in "v1.2 notes".
func HasNoteEnding(name string) bool {
	return slices.Contains([]string{".md", ".markdown"}, strings.ToLower(path.Ext(name)))
}

// bareName returns the last element of p without the ending of a note.
func bareName(p Path) string {
	name := p.Name()
	if HasNoteEnding(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// Find returns the note or file that ref means to somebody with this purpose: a path with or without .md, the end of
// a path, a note's name, its frontmatter title or one of its aliases, ignoring case and the encoding of accents. It
// removes double brackets and a display text; the first '#' behind a name that matches starts the Subpath, unless the
// name itself contains one.
//
// The first kind of name that matches decides, in the order above, as far as the purpose allows it. If several files
// match, Find takes the one whose whole path is exactly ref, else the only one with the case that was typed; otherwise
// the state is Ambiguous, with all of them as candidates. The candidates for a path of nothing are the files
// elsewhere that have its name. Excluded files are found only if no others match; reading them fails with ErrIgnored.
//
// If nothing matches, ToRead and ToChoose compare names once more without accents and with straight quotes, as people
// type them: "cafe muller" means "Café Müller". That holds only if exactly one note or file has such a name.
//
// Find reads nothing from disk. It goes through the vault only to suggest similar names.
func (v *Vault) Find(ref string, purpose Purpose) FoundNote {
	s := v.snap.Load()
	f, name := s.lookup(ref, purpose)
	if f.State == Missing && name != "" && len(f.Candidates) == 0 {
		f.Candidates = s.similarNames().bestMatches(name)
	}
	return f
}

// Lookup works like Find without similar names, for callers that try many names: it takes a few map lookups,
// whatever the size of the vault.
func (v *Vault) Lookup(ref string, purpose Purpose) FoundNote {
	f, _ := v.snap.Load().lookup(ref, purpose)
	return f
}

// SettingPath returns the path of the note that a setting names and that is written, such as the memory note. If there
// is no such note, and none of its name elsewhere that may be meant, it is the path of a new one.
func (v *Vault) SettingPath(name string) (Path, error) {
	f := v.Lookup(name, ToWrite)
	switch {
	case f.State == OK && f.Subpath != "":
		return "", fmt.Errorf("%s names a part of a note, and not a note", name)
	case f.State == OK:
		return f.Path, nil
	case f.State == Ambiguous, f.IsElsewhere(name):
		return "", f.Err(name)
	}
	p, err := ParsePath(md.Unlink(name))
	return p.AsNote(), err
}

// Spelled returns p in the spelling of the note or else the folder that exists there: file systems may ignore case and
// the encoding of accents, and so do the names of notes.
func (v *Vault) Spelled(p Path) Path {
	if dir, ok := FolderNamed(v.Folders(), string(p.Dir())); ok {
		p = dir.Join(p.Name())
	}
	f := v.snap.Load().byPath(string(p), lookupRule{exact: true})
	if f.State == Ambiguous {
		return f.Candidates[0]
	}
	return cmp.Or(f.Path, p)
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

// FolderNamed returns one of folders by its path, as it is spelled if possible, else ignoring case and the encoding of
// accents. "" and "." are the vault itself.
func FolderNamed(folders []Path, name string) (Path, bool) {
	want := strings.Trim(strings.TrimPrefix(name, "./"), "/")
	if want == "" || want == "." {
		return "", true
	}
	i := slices.Index(folders, Path(want))
	if i < 0 {
		i = slices.IndexFunc(folders, func(f Path) bool { return strings.EqualFold(string(f), want) })
	}
	if i < 0 && strings.ContainsFunc(want, func(r rune) bool { return r >= utf8.RuneSelf }) {
		key := fold(want)
		i = slices.IndexFunc(folders, func(f Path) bool { return fold(string(f)) == key })
	}
	if i < 0 {
		return "", false
	}
	return folders[i], true
}

// lookup implements Find without similar names; name is the name for which to suggest them.
func (s *snapshot) lookup(ref string, purpose Purpose) (f FoundNote, name string) {
	ref = strings.TrimSpace(filepath.ToSlash(md.Unlink(ref)))
	if ref == "" {
		return FoundNote{State: Missing}, ""
	}
	whole := s.findOrPlain(ref, purpose)
	if whole.State != Missing {
		return whole, ref
	}
	name = ref
	for i := range len(ref) {
		base := strings.TrimSpace(ref[:i])
		if ref[i] != '#' || base == "" {
			continue
		}
		f = s.findOrPlain(base, purpose)
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

// findOrPlain returns the result of find, or else the only file whose name is typed plainly.
func (s *snapshot) findOrPlain(ref string, purpose Purpose) FoundNote {
	f := s.find(ref, purpose)
	isGenerous := purpose == ToRead || purpose == ToChoose
	if f.State != Missing || !isGenerous {
		return f
	}
	if p := s.byPlainName(ref, purpose); p != "" {
		return FoundNote{State: OK, Path: p}
	}
	return f
}

// find implements Find for a name without subpath, without similar names.
func (s *snapshot) find(ref string, purpose Purpose) FoundNote {
	p, err := ParsePath(ref)
	if err != nil || p == "" || strings.HasSuffix(ref, "/") {
		return FoundNote{State: Missing}
	}
	names := []string{string(p) + ".md", string(p)}
	switch {
	case purpose >= ToChoose && HasNoteEnding(ref):
		names = names[1:]
	case strings.Contains(p.Name(), "."):
		slices.Reverse(names)
	}
	strictlyBare := purpose >= ToChoose && !isPath(ref)
	for _, name := range names {
		isTyped := name == string(p)
		f := s.byPath(name, lookupRule{
			typed: isTyped, exact: purpose.isExact(ref, name),
			flat: strictlyBare && !(isTyped && strings.Contains(name, ".")),
		})
		if f.State != Missing {
			return f.seenFrom(ref, purpose)
		}
	}
	isTitle := strictlyBare || purpose < ToChoose && !strings.HasPrefix(ref, "/")
	if isTitle {
		if f := s.byTitle(string(p)); f.State != Missing {
			return f
		}
	}
	if purpose != ToWrite && !isPath(ref) {
		return FoundNote{State: Missing}
	}
	elsewhere := s.find(bareName(p), ToChoose)
	switch {
	case purpose == ToReadOldChat && elsewhere.State == OK:
		elsewhere.State = Moved
		return elsewhere
	case purpose == ToReadOldChat:
		return elsewhere
	case elsewhere.State == OK:
		elsewhere.Candidates = []Path{elsewhere.Path}
	}
	return FoundNote{State: Missing, Candidates: elsewhere.Candidates}
}

// seenFrom returns f with the state Moved if an old chat names the file by a path that is not the file's any more.
func (f FoundNote) seenFrom(ref string, purpose Purpose) FoundNote {
	whole, _ := ParsePath(ref)
	key := fold(string(f.Path))
	if purpose == ToReadOldChat && f.State == OK && isPath(ref) &&
		key != fold(string(whole)) && key != fold(string(whole)+".md") {
		f.State = Moved
	}
	return f
}

// byTitle returns the notes with this title, or else with this alias.
func (s *snapshot) byTitle(name string) FoundNote {
	t := s.titles()
	key := fold(name)
	if f := pickOne(t.titles[key], nil); f.State != Missing {
		return f
	}
	return pickOne(t.aliases[key], nil)
}

// lookupRule says which files byPath finds for a name.
type lookupRule struct {
	typed bool // the person typed exactly this name
	exact bool // only the file with this whole path
	flat  bool // a file at the root has no precedence over one in a folder
}

// byPath returns files whose path is name or ends with it.
func (s *snapshot) byPath(name string, rule lookupRule) FoundNote {
	key := fold(name)
	t := s.names()
	var whole, all, hidden []Path
	for _, i := range t.withName(key) {
		f := &t.files[i]
		isWhole := f.fold == key
		switch {
		case !endsWithPath(f.fold, key), rule.exact && !isWhole:
		case f.hidden:
			hidden = append(hidden, f.path)
		case isWhole && !rule.flat:
			whole = append(whole, f.path)
		default:
			all = append(all, f.path)
		}
	}
	asTyped := func(p Path) bool { return endsWithPath(norm.NFC.String(string(p)), norm.NFC.String(name)) }
	if (rule.typed || rule.exact) && slices.Contains(whole, Path(name)) {
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

// NameError is the error for a name that is not that of one note.
type NameError struct {
	Name  string
	Found FoundNote // Missing or Ambiguous
}

func (e *NameError) Error() string {
	names := listPaths(e.Found.Candidates)
	switch {
	case e.Found.State == Ambiguous:
		return e.Name + " fits several notes: " + names
	case e.Found.IsElsewhere(e.Name):
		return e.Name + ": there is no such note; there is " + names
	case names != "":
		return fmt.Sprintf("there is no note %s; near are %s", e.Name, names)
	}
	return "there is no note " + e.Name
}

// IsMissing reports whether an error is a *NameError about a name of nothing.
func IsMissing(err error) bool {
	var e *NameError
	return errors.As(err, &e) && e.Found.State == Missing
}

// Err returns a *NameError that lists the candidates, unless the name is that of one note.
func (f FoundNote) Err(name string) error {
	if f.State == OK || f.State == Moved {
		return nil
	}
	return &NameError{Name: name, Found: f}
}

// IsElsewhere reports whether nothing is at the path that was named, and its candidates have the same name in other
// folders.
func (f FoundNote) IsElsewhere(name string) bool {
	if f.State != Missing || len(f.Candidates) == 0 {
		return false
	}
	name = md.Unlink(name)
	name = strings.TrimSuffix(name, "#"+f.Subpath)
	p, err := ParsePath(strings.TrimSpace(filepath.ToSlash(name)))
	return err == nil && fold(bareName(f.Candidates[0])) == fold(bareName(p))
}

// maxListed limits the candidates in a message.
const maxListed = 10

// listPaths returns the first paths, and how many there are more.
func listPaths(paths []Path) string {
	text := strings.Join(PathStrings(paths[:min(len(paths), maxListed)]), ", ")
	if more := len(paths) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// FindOne returns the result of Find, with a *NameError unless there is exactly one such file.
func FindOne(v *Vault, ref string, purpose Purpose) (FoundNote, error) {
	f := v.Find(ref, purpose)
	return f, f.Err(ref)
}

// FindNote returns the note that a person wants to read, or an error if there is not exactly one or it is private.
func FindNote(v *Vault, ref string) (*Note, error) {
	found, err := FindOne(v, ref, ToRead)
	if err != nil {
		return nil, err
	}
	n, ok := v.Note(found.Path)
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no note %s", ref)
	case n.Private:
		return nil, fmt.Errorf("%s is private", n.Path)
	}
	return n, nil
}

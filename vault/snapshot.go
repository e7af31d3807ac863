package vault

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// snapshot is the state of the vault at one instant. It never changes; readers keep the one that they loaded.
// Each table is computed once, when it is first used, and passed on to the next snapshot if the changes do not
// affect it.
type snapshot struct {
	version  uint64
	notes    []*Note // sorted by path
	files    []Path  // all other files, sorted
	hidden   []Path  // excluded files, sorted: only links lead to them
	folders  []Path  // sorted
	warnings []string

	names        func() *nameTable
	titles       func() *titleTable
	plainNames   func() pathTable
	similarNames func() similarTable
}

func newSnapshot() *snapshot {
	s := &snapshot{}
	s.resetTables(snapshotEdit{names: true, titles: true})
	return s
}

// resetTables replaces the tables that e affects.
func (s *snapshot) resetTables(e snapshotEdit) {
	if e.names {
		s.names = sync.OnceValue(func() *nameTable { return newNameTable(s) })
	}
	if e.names || e.titles {
		s.titles = sync.OnceValue(func() *titleTable { return newTitleTable(s.notes) })
		s.plainNames = sync.OnceValue(func() pathTable { return newPlainTable(s) })
		s.similarNames = sync.OnceValue(func() similarTable { return newSimilarTable(s.notes) })
	}
}

// snapshotEdit collects the differences between two snapshots.
type snapshotEdit struct {
	touched map[Path]bool // files that were added, removed or changed
	notes   []*Note
	files   []Path
	hidden  []Path
	dirs    map[Path]bool // nil if the folders stayed the same

	// The tables that are affected.
	names, titles bool
}

// update records the new state of a file; old is nil if it is new.
func (e *snapshotEdit) update(old, now *entry) {
	p := now.path
	e.touched[p] = true
	switch {
	case now.ignored:
		e.hidden = append(e.hidden, p)
	case now.note != nil:
		e.notes = append(e.notes, now.note)
	default:
		e.files = append(e.files, p)
	}
	if old == nil || old.ignored != now.ignored || (old.note == nil) != (now.note == nil) {
		e.names = true
		return
	}
	if a, b := old.note, now.note; a != nil {
		e.titles = e.titles || a.Title != b.Title || !slices.Equal(a.Aliases, b.Aliases)
	}
}

// publish makes the next snapshot from the last one, e and the state on disk.
func (v *Vault) publish(e snapshotEdit) {
	old := v.snap.Load()
	d := &v.disk
	if len(e.touched) == 0 && e.dirs == nil && slices.Equal(old.warnings, d.warnings) {
		return
	}
	s := new(*old)
	s.version++
	s.warnings = d.warnings
	if len(e.touched) > 0 {
		touched := slices.Sorted(maps.Keys(e.touched))
		s.notes = mergeSorted(old.notes, touched, e.notes, func(n *Note) Path { return n.Path })
		s.files = mergeSorted(old.files, touched, e.files, func(p Path) Path { return p })
		s.hidden = mergeSorted(old.hidden, touched, e.hidden, func(p Path) Path { return p })
	}
	if e.dirs != nil {
		f := v.filters.Load()
		s.folders = make([]Path, 0, len(e.dirs))
		for p := range e.dirs {
			if !f.ignores(p + "/") {
				s.folders = append(s.folders, p)
			}
		}
		slices.Sort(s.folders)
	}
	s.resetTables(e)
	v.snap.Store(s)
}

// mergeSorted returns the sorted list old in which add replaces the entries of touched, which is sorted too.
func mergeSorted[T any](old []T, touched []Path, add []T, path func(T) Path) []T {
	compare := func(o T, p Path) int { return cmp.Compare(path(o), p) }
	add = slices.Clone(add)
	slices.SortFunc(add, func(a, b T) int { return compare(a, path(b)) })
	out := make([]T, 0, len(old)+len(add))
	for _, p := range touched {
		at, known := slices.BinarySearchFunc(old, p, compare)
		out, old = append(out, old[:at]...), old[at:]
		if known {
			old = old[1:]
		}
		if len(add) > 0 && path(add[0]) == p {
			out, add = append(out, add[0]), add[1:]
		}
	}
	return append(out, old...)
}

// note returns the note with exactly this path.
func (s *snapshot) note(p Path) (*Note, bool) {
	i, ok := s.search(p)
	if !ok {
		return nil, false
	}
	return s.notes[i], true
}

// search returns the index of the first note whose path is not less than p; ok says that it is p.
func (s *snapshot) search(p Path) (i int, ok bool) {
	return slices.BinarySearchFunc(s.notes, p, func(n *Note, p Path) int { return cmp.Compare(n.Path, p) })
}

// Version returns a number that grows with every visible change of the vault.
func (v *Vault) Version() uint64 { return v.snap.Load().version }

// Notes returns the notes, sorted by path. The list is shared: do not change it. It does not contain excluded
// notes; it does contain private ones, marked, for local display.
func (v *Vault) Notes() []*Note { return v.snap.Load().notes }

// Note returns the metadata of the note at p.
func (v *Vault) Note(p Path) (*Note, bool) { return v.snap.Load().note(p) }

// Files returns the files that are no notes (images, canvases, PDFs), sorted. The list is shared: do not change
// it.
func (v *Vault) Files() []Path { return v.snap.Load().files }

// Folders returns the folders, sorted, without the root. The list is shared: do not change it.
func (v *Vault) Folders() []Path { return v.snap.Load().folders }

// Warnings returns warnings about the vault as a whole, one line each: folders that cannot be read, links
// that are not followed. Defects of single notes are in Note.Warning.
func (v *Vault) Warnings() []string { return v.snap.Load().warnings }

// InFolder returns the notes in dir and the folders below it, sorted by path. The list is shared: do not change
// it.
func (v *Vault) InFolder(dir Path) []*Note {
	s := v.snap.Load()
	if dir == "" {
		return s.notes
	}
	// '0' is the byte after '/', so the paths that start with dir/ are between the two.
	from, _ := s.search(dir + "/")
	to, _ := s.search(dir + "0")
	return s.notes[from:to:to]
}

package vault

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
)

// snapshot is the vault at one instant. It is never changed; readers hold on
// to the one they loaded. The tables are computed when first asked for, once,
// and carried over to the next snapshot if its changes do not touch them.
type snapshot struct {
	version  uint64
	notes    []*Note // sorted by path
	files    []Path  // everything else, sorted
	hidden   []Path  // excluded files, sorted: only links reach them
	folders  []Path  // sorted
	skipped  []Path
	warnings []string

	names  func() *nameTable
	titles func() *titleTable
	near   func() nearTable
	tags   func() pathTable
}

func newSnapshot() *snapshot {
	s := &snapshot{}
	s.renew(edit{names: true, titles: true, tags: true})
	return s
}

// renew gives s fresh tables for what e changed.
func (s *snapshot) renew(e edit) {
	if e.names {
		s.names = sync.OnceValue(func() *nameTable { return newNameTable(s) })
	}
	if e.names || e.titles {
		s.titles = sync.OnceValue(func() *titleTable { return newTitleTable(s.notes) })
		s.near = sync.OnceValue(func() nearTable { return newNearTable(s.notes) })
	}
	if e.names || e.tags {
		s.tags = sync.OnceValue(func() pathTable { return newTagTable(s.notes) })
	}
}

// edit collects the differences between two snapshots.
type edit struct {
	touched map[Path]bool // files that went, came or changed
	notes   []*Note
	files   []Path
	hidden  []Path
	dirs    map[Path]bool // nil: the folders stayed the same

	// Which tables the differences touch.
	names, titles, tags bool
}

func (e *edit) touch(p Path) {
	if e.touched == nil {
		e.touched = map[Path]bool{}
	}
	e.touched[p] = true
}

// drop records that p is gone.
func (e *edit) drop(p Path) {
	e.touch(p)
	e.names = true
}

// put records that a file, which was old (nil if it is new), is now.
func (e *edit) put(old, now *entry) {
	p := now.path
	e.touch(p)
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
		e.tags = e.tags || !slices.Equal(a.Tags, b.Tags)
	}
}

// publish makes the next snapshot of e and of the state on disk.
func (v *Vault) publish(e edit) {
	old := v.snap.Load()
	d := &v.disk
	if e.touched == nil && e.dirs == nil && slices.Equal(old.skipped, d.skipped) && slices.Equal(old.warnings, d.warnings) {
		return
	}
	s := &snapshot{}
	*s = *old
	s.version++
	s.skipped, s.warnings = d.skipped, d.warnings
	if e.touched != nil {
		touched := slices.Sorted(maps.Keys(e.touched))
		s.notes = merge(old.notes, touched, e.notes, func(n *Note) Path { return n.Path })
		s.files = merge(old.files, touched, e.files, func(p Path) Path { return p })
		s.hidden = merge(old.hidden, touched, e.hidden, func(p Path) Path { return p })
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
	s.renew(e)
	v.snap.Store(s)
}

// merge is the sorted list old with the additions in place of what was touched, which is
// sorted, too.
func merge[T any](old []T, touched []Path, add []T, path func(T) Path) []T {
	compare := func(o T, p Path) int { return strings.Compare(string(path(o)), string(p)) }
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

// note finds a note by its exact path.
func (s *snapshot) note(p Path) (*Note, bool) {
	i, ok := slices.BinarySearchFunc(s.notes, p, func(n *Note, p Path) int { return cmp.Compare(n.Path, p) })
	if !ok {
		return nil, false
	}
	return s.notes[i], true
}

// Version grows by at least 1 with every change that a reader can see, and
// stays the same otherwise.
func (v *Vault) Version() uint64 { return v.snap.Load().version }

// Notes lists the notes, sorted by path. The list is shared: do not change it.
// Excluded notes are not in it; private ones are, marked, for local display.
func (v *Vault) Notes() []*Note { return v.snap.Load().notes }

// Note is what is known about the note at p.
func (v *Vault) Note(p Path) (*Note, bool) { return v.snap.Load().note(p) }

// Files lists the files that are no notes (pictures, canvases, PDFs), sorted.
// The list is shared: do not change it.
func (v *Vault) Files() []Path { return v.snap.Load().files }

// Folders lists the folders, sorted, without the root. The list is shared: do
// not change it.
func (v *Vault) Folders() []Path { return v.snap.Load().folders }

// SkippedLinks lists the symbolic links to files and folders outside the vault
// that were not followed, because Options.FollowLinks is not set.
func (v *Vault) SkippedLinks() []Path { return v.snap.Load().skipped }

// Warnings says what a person should know about the vault as a whole, one line
// each: folders that cannot be read, filters that cannot be understood.
// What is wrong with one note is in Note.Warning.
func (v *Vault) Warnings() []string { return v.snap.Load().warnings }

// InFolder lists the notes in dir and the folders below it, sorted by path.
// The list is shared: do not change it.
func (v *Vault) InFolder(dir Path) []*Note {
	notes := v.snap.Load().notes
	if dir == "" {
		return notes
	}
	// '0' is the byte after '/': between the two lies what starts with dir/.
	from := sort.Search(len(notes), func(i int) bool { return string(notes[i].Path) >= string(dir)+"/" })
	to := sort.Search(len(notes), func(i int) bool { return string(notes[i].Path) >= string(dir)+"0" })
	return notes[from:to:to]
}

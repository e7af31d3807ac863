package vault

import "strings"

// nameTable finds files by the folded last element of their path. It includes excluded files.
type nameTable struct {
	files  []namedFile // notes first, in their order, then other files
	byName map[string][]int32
}

type namedFile struct {
	path   Path
	fold   string // the whole path, folded
	hidden bool
}

func newNameTable(s *snapshot) *nameTable {
	n := len(s.notes) + len(s.files) + len(s.hidden)
	t := &nameTable{files: make([]namedFile, 0, n), byName: make(map[string][]int32, n)}
	add := func(p Path, hidden bool) {
		f := fold(string(p))
		name := f[strings.LastIndexByte(f, '/')+1:]
		t.byName[name] = append(t.byName[name], int32(len(t.files)))
		t.files = append(t.files, namedFile{p, f, hidden})
	}
	for _, n := range s.notes {
		add(n.Path, false)
	}
	for _, p := range s.files {
		add(p, false)
	}
	for _, p := range s.hidden {
		add(p, true)
	}
	return t
}

// withName returns the numbers of the files with the same last element as key, a folded path.
func (t *nameTable) withName(key string) []int32 {
	return t.byName[key[strings.LastIndexByte(key, '/')+1:]]
}

// endsWithPath reports whether path ends with the elements of tail.
func endsWithPath(path, tail string) bool {
	rest, ok := strings.CutSuffix(path, tail)
	return ok && (rest == "" || strings.HasSuffix(rest, "/"))
}

// titleTable finds notes by folded titles and aliases.
type titleTable struct {
	titles  pathTable // frontmatter titles that differ from the file's name
	aliases pathTable
}

func newTitleTable(notes []*Note) *titleTable {
	t := &titleTable{pathTable{}, pathTable{}}
	for _, n := range notes {
		if n.Title != n.Path.Base() {
			t.titles.add(fold(strings.TrimSpace(n.Title)), n.Path)
		}
		for _, a := range n.Aliases {
			t.aliases.add(fold(strings.TrimSpace(a)), n.Path)
		}
	}
	return t
}

// pathTable maps names to paths.
type pathTable map[string][]Path

// add adds a path to those of a name. It skips p if it was the last one added.
func (t pathTable) add(name string, p Path) {
	if list := t[name]; len(list) == 0 || list[len(list)-1] != p {
		t[name] = append(list, p)
	}
}

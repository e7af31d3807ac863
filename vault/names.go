package vault

import "strings"

// nameTable finds files by the folded last element of their path. It holds all
// files, excluded ones too.
type nameTable struct {
	first map[string]int32 // name to the first of its files
	files []namedFile
}

type namedFile struct {
	path   Path
	fold   string // the whole path, folded
	next   int32  // the next file of the same name, -1 for none
	hidden bool
}

func newNameTable(s *snapshot) *nameTable {
	n := len(s.notes) + len(s.files) + len(s.hidden)
	t := &nameTable{first: make(map[string]int32, n), files: make([]namedFile, 0, n)}
	// Backwards, because each file is put in front of those of its name.
	for i := len(s.hidden) - 1; i >= 0; i-- {
		t.add(s.hidden[i], true)
	}
	for i := len(s.files) - 1; i >= 0; i-- {
		t.add(s.files[i], false)
	}
	for i := len(s.notes) - 1; i >= 0; i-- {
		t.add(s.notes[i].Path, false)
	}
	return t
}

func (t *nameTable) add(p Path, hidden bool) {
	f := fold(string(p))
	name := f[strings.LastIndexByte(f, '/')+1:]
	next, ok := t.first[name]
	if !ok {
		next = -1
	}
	t.first[name] = int32(len(t.files))
	t.files = append(t.files, namedFile{path: p, fold: f, next: next, hidden: hidden})
}

// match calls yield for the files whose path, folded, is key or ends with
// "/"+key, until yield returns false.
func (t *nameTable) match(key string, yield func(*namedFile) bool) {
	i, ok := t.first[key[strings.LastIndexByte(key, '/')+1:]]
	for ok && i >= 0 {
		f := &t.files[i]
		if endsWithPath(f.fold, key) && !yield(f) {
			return
		}
		i = f.next
	}
}

// endsWithPath reports whether the last elements of path are those of tail.
func endsWithPath(path, tail string) bool {
	if !strings.HasSuffix(path, tail) {
		return false
	}
	at := len(path) - len(tail)
	return at == 0 || path[at-1] == '/'
}

// titleTable finds notes by what else they are called.
type titleTable struct {
	titles  map[string][]Path // frontmatter titles that are not the file's name, folded
	aliases map[string][]Path
}

func newTitleTable(notes []*Note) *titleTable {
	t := &titleTable{titles: map[string][]Path{}, aliases: map[string][]Path{}}
	for _, n := range notes {
		if n.Title != n.Path.Base() {
			k := fold(strings.TrimSpace(n.Title))
			t.titles[k] = append(t.titles[k], n.Path)
		}
		for _, a := range n.Aliases {
			k := fold(strings.TrimSpace(a))
			if list := t.aliases[k]; len(list) == 0 || list[len(list)-1] != n.Path {
				t.aliases[k] = append(list, n.Path)
			}
		}
	}
	return t
}

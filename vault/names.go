package vault

import (
	"bytes"
	"slices"
	"strings"
)

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

// match calls yield for the numbers of the files whose path, folded, is key or ends
// with "/"+key, until yield returns false.
func (t *nameTable) match(key []byte, yield func(i int32) bool) {
	i, ok := t.first[string(key[bytes.LastIndexByte(key, '/')+1:])]
	for ok && i >= 0 {
		if endsWithPath(t.files[i].fold, key) && !yield(i) {
			return
		}
		i = t.files[i].next
	}
}

// endsWithPath reports whether the last elements of path are those of tail.
func endsWithPath[S string | []byte](path string, tail S) bool {
	at := len(path) - len(tail)
	return at >= 0 && path[at:] == string(tail) && (at == 0 || path[at-1] == '/')
}

// titleTable finds notes by what else they are called.
type titleTable struct {
	titles  pathTable // frontmatter titles that are not the file's name
	aliases pathTable
}

func newTitleTable(notes []*Note) *titleTable {
	t := &titleTable{titles: newPathTable(len(notes)), aliases: newPathTable(len(notes))}
	for _, n := range slices.Backward(notes) {
		if n.Title != n.Path.Base() {
			t.titles.add(n.Title, n.Path)
		}
		for _, a := range n.Aliases {
			t.aliases.add(a, n.Path)
		}
	}
	return t
}

// pathTable is the paths of each of many names.
type pathTable struct {
	first map[string]int32 // name, folded, to the first of its paths
	paths []pathChain
}

type pathChain struct {
	path Path
	next int32 // -1 for none
}

func newPathTable(size int) pathTable {
	return pathTable{first: make(map[string]int32, size), paths: make([]pathChain, 0, size)}
}

// add puts a path in front of those of its name.
func (t *pathTable) add(name string, p Path) {
	key := fold(strings.TrimSpace(name))
	next, ok := t.first[key]
	switch {
	case !ok:
		next = -1
	case t.paths[next].path == p:
		return
	}
	t.first[key] = int32(len(t.paths))
	t.paths = append(t.paths, pathChain{p, next})
}

// of lists the paths of a folded name.
func (t *pathTable) of(key string) []Path {
	var paths []Path
	for i, ok := t.first[key]; ok && i >= 0; i = t.paths[i].next {
		paths = append(paths, t.paths[i].path)
	}
	return paths
}

package history

import (
	"slices"
	"strings"

	"ibid/vault"
)

// lookup finds what stands in a vault at this moment. Its tables are built when
// they are first needed and kept, so it serves one chat, or one list of them.
type lookup struct {
	vault    *vault.Vault
	revision func(vault.Path) string // see Resolve

	names     map[string][]vault.Path // lower case, with and without .md
	aliases   map[string][]vault.Path // lower case
	revisions map[string][]vault.Path
}

// exists reports whether a note, file or folder stands at the path.
func (l *lookup) exists(p vault.Path) bool {
	if _, ok := l.vault.Note(p); ok {
		return true
	}
	if _, ok := slices.BinarySearch(l.vault.Files(), p); ok {
		return true
	}
	_, ok := slices.BinarySearch(l.vault.Folders(), p)
	return ok
}

// withRevision lists the notes whose content has this revision, 16 hex digits.
func (l *lookup) withRevision(rev string) []vault.Path {
	if l.revisions == nil {
		l.revisions = map[string][]vault.Path{}
		for _, n := range l.vault.Notes() {
			r := l.revision(n.Path)
			l.revisions[r] = append(l.revisions[r], n.Path)
		}
	}
	return l.revisions[rev]
}

// named lists the notes and files with this name: "Plan", "Plan.md", "map.png".
// The one that is spelled so comes before others that differ in case.
func (l *lookup) named(name string) []vault.Path {
	l.index()
	found := l.names[strings.ToLower(name)]
	exact := slices.DeleteFunc(slices.Clone(found), func(p vault.Path) bool { return p.Name() != name && p.Base() != name })
	if len(exact) == 1 {
		return exact
	}
	return found
}

// aliased lists the notes that carry this alias.
func (l *lookup) aliased(name string) []vault.Path {
	l.index()
	return l.aliases[strings.ToLower(name)]
}

func (l *lookup) index() {
	if l.names != nil {
		return
	}
	l.names, l.aliases = map[string][]vault.Path{}, map[string][]vault.Path{}
	add := func(table map[string][]vault.Path, key string, p vault.Path) {
		key = strings.ToLower(key)
		if of := table[key]; len(of) == 0 || of[len(of)-1] != p {
			table[key] = append(of, p)
		}
	}
	for _, n := range l.vault.Notes() {
		add(l.names, n.Path.Name(), n.Path)
		add(l.names, n.Path.Base(), n.Path)
		for _, a := range n.Aliases {
			add(l.aliases, a, n.Path)
		}
	}
	for _, p := range l.vault.Files() {
		add(l.names, p.Name(), p)
	}
}

package history

import (
	"errors"
	"io/fs"
	"slices"

	"ibid/vault"
)

// lookup finds what stands in a vault at this moment. It serves one chat, or one
// list of them.
type lookup struct {
	vault     *vault.Vault
	revision  func(vault.Path) string // see Resolve
	revisions map[string][]vault.Path // built when first needed
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

// listed reports whether a path that a chat names leads to something, as far as
// that can be told without reading the vault. Old chats name notes without folder
// and ending.
func (l *lookup) listed(path string) bool {
	p, err := vault.ParsePath(path)
	switch {
	case err != nil || p == "":
		return false
	case l.vault.Scanned():
		return l.exists(p) || l.exists(p+".md") || p.Dir() == "" && len(l.named(p.Name())) == 1
	case p.Dir() == "" && !p.IsNote():
		return true
	}
	_, err = l.vault.Stat(p)
	if errors.Is(err, fs.ErrNotExist) && !p.IsNote() {
		_, err = l.vault.Stat(p + ".md")
	}
	return !errors.Is(err, fs.ErrNotExist)
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

// named lists the notes and files of this name, title or alias, with or without
// ".md"; a path also finds what its folder no longer holds. The one that is
// spelled so comes before others that differ in case.
func (l *lookup) named(name string) []vault.Path {
	f := l.vault.Lookup(name)
	switch {
	case f.Subpath != "": // of another note: the name itself leads nowhere
		return nil
	case f.Path == "":
		return f.Candidates
	case !l.exists(f.Path): // excluded
		return nil
	}
	return []vault.Path{f.Path}
}

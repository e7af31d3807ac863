package index

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ibid/vault"
)

// Kind says what an Entry names.
type Kind uint8

// The kinds of entry, in the order in which equal matches are listed.
const (
	Note Kind = iota
	Attachment
	Tag
	Folder
)

// String is the kind in a word, the one that package prompt has for references to it.
func (k Kind) String() string { return [...]string{"note", "attachment", "tag", "folder"}[k] }

// Entry is one thing that the picker offers.
type Entry struct {
	Kind  Kind
	ID    string      // path of a note or attachment, "#tag", "folder/"
	Title string      // what to show: title, file name, "#tag", "folder/" (NFC)
	Path  vault.Path  // note, attachment or folder; "" for a tag
	Note  *vault.Note // of a note, else nil
	Count int         // tags and folders: how many notes they hold, nested ones included
}

// Names is what the picker searches: notes by title, alias and path, tags,
// folders and attachments. It is a value that never changes, made away from the
// loop that draws the screen and handed to it whole. Private notes are left out.
type Names struct{ entries []namedEntry } // by ID

// namedEntry is an entry and the strings by which it is found.
type namedEntry struct {
	Entry
	keys   []key // of names
	weight int   // orders entries of one kind that match equally well, higher first
	last   int   // 1 for saved chats, which stand below all else
}

// key is a name, folded.
type key struct {
	folded string
	mask   uint64 // letters in it, see mask
}

// NewNames prepares the names of notes and of other files (attachments), in
// any order. Tags come from the notes, folders from all paths.
func NewNames(notes []*vault.Note, files []vault.Path) *Names {
	return (&Names{}).Rebuild(notes, files)
}

// Rebuild is NewNames for a vault of which n shows an earlier state: what was
// prepared for a note stays when the note is the same pointer. It leaves n as
// it is, costs about a third of NewNames, and needs no list of what changed.
func (n *Names) Rebuild(notes []*vault.Note, files []vault.Path) *Names {
	folders := map[vault.Path]int{}
	countFolders := func(p vault.Path, add int) {
		for d := p.Dir(); d != ""; d = d.Dir() {
			folders[d] += add
		}
	}
	b := &Names{make([]namedEntry, 0, len(notes)+len(files))}
	for _, note := range notes {
		if note.Private {
			continue
		}
		e, count := namedEntry{}, 1
		if note.Chat {
			count = 0
		}
		countFolders(note.Path, count)
		if i, ok := n.find(string(note.Path)); ok && n.entries[i].Note == note {
			e = n.entries[i]
		} else {
			e = newNamedEntry(Entry{Kind: Note, ID: string(note.Path), Title: note.Title, Path: note.Path, Note: note}, int(note.ModTime.Unix()))
			e.last = 1 - count
		}
		b.entries = append(b.entries, e)
	}
	add := func(e Entry) { b.entries = append(b.entries, newNamedEntry(e, e.Count)) }
	for _, p := range files {
		if !p.IsNote() {
			countFolders(p, 0)
			add(Entry{Kind: Attachment, ID: string(p), Title: p.Name(), Path: p})
		}
	}
	var tags []string
	for _, t := range vault.CountTags(notes, func(n *vault.Note) []string {
		tags = appendNested(tags[:0], n.Tags)
		return tags
	}) {
		add(Entry{Kind: Tag, ID: "#" + t.Tag, Title: "#" + t.Tag, Count: t.Notes})
	}
	for p, count := range folders {
		add(Entry{Kind: Folder, ID: string(p) + "/", Title: string(p) + "/", Path: p, Count: count})
	}
	slices.SortFunc(b.entries, func(a, b namedEntry) int { return cmp.Compare(a.ID, b.ID) })
	return b
}

// appendNested appends the tags of a note and those above them, each once.
func appendNested(tags, of []string) []string {
	for _, tag := range of {
		for t := norm.NFC.String(strings.Trim(tag, "/")); t != ""; t = t[:max(strings.LastIndexByte(t, '/'), 0)] {
			if !slices.ContainsFunc(tags, func(known string) bool { return strings.EqualFold(known, t) }) {
				tags = append(tags, t)
			}
		}
	}
	return tags
}

// Len is the number of entries.
func (n *Names) Len() int { return len(n.entries) }

// Entry finds an entry by its ID.
func (n *Names) Entry(id string) (e Entry, ok bool) {
	i, ok := n.find(id)
	if ok {
		e = n.entries[i].Entry
	}
	return e, ok
}

func (n *Names) find(id string) (at int, ok bool) {
	return slices.BinarySearchFunc(n.entries, id, func(e namedEntry, id string) int { return cmp.Compare(e.ID, id) })
}

func newNamedEntry(e Entry, weight int) namedEntry {
	e.Title = norm.NFC.String(e.Title)
	names := e.names()
	keys := make([]key, len(names))
	for i, name := range names {
		folded := foldName(name.text)
		keys[i] = key{folded, mask(folded)}
	}
	return namedEntry{Entry: e, keys: keys, weight: weight}
}

// name is a string by which an entry is found, as it is shown.
type name struct {
	field Field
	text  string // NFC
}

// names are those of an entry; the last one of all but a tag is its path.
func (e *Entry) names() (list []name) {
	switch e.Kind {
	case Note:
		list = append(list, name{InTitle, e.Title})
		for _, a := range e.Note.Aliases {
			list = append(list, name{InAlias, a})
		}
		if base := e.Path.Base(); base != e.Title {
			list = append(list, name{InName, base})
		}
		list = append(list, name{InPath, strings.TrimSuffix(e.ID, e.Path.Name()) + e.Path.Base()})
	case Attachment:
		list = append(list, name{InTitle, e.Title}, name{InPath, e.ID})
	case Tag:
		list = append(list, name{InTitle, e.Title[1:]}, name{InName, e.Title[max(strings.LastIndexByte(e.Title, '/'), 0)+1:]})
	case Folder:
		list = append(list, name{InName, e.Path.Name()}, name{InPath, e.Title})
	}
	for i := range list {
		list[i].text = norm.NFC.String(list[i].text)
	}
	return list
}

// mask has a bit for each letter and digit in folded text, and one of a few
// shared bits for every other rune. Text whose mask lacks a bit of a query's
// mask cannot match it; asking that first spares most of the work.
func mask(folded string) (m uint64) {
	for _, r := range folded {
		switch {
		case 'a' <= r && r <= 'z':
			m |= 1 << (r - 'a')
		case '0' <= r && r <= '9':
			m |= 1 << (26 + r - '0')
		case r > ' ':
			m |= 1 << (36 + r%28)
		}
	}
	return m
}

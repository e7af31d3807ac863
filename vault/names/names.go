package names

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ibid/vault"
	"ibid/vault/index/fold"
)

// Kind distinguishes the entries.
type Kind uint8

// The kinds of entry, in the order of equal matches.
const (
	Note Kind = iota
	Attachment
	Tag
	Folder
)

// String returns the kind in a word, the same that package prompt has for references to it.
func (k Kind) String() string { return [...]string{"note", "attachment", "tag", "folder"}[k] }

// Entry is a note, attachment, tag or folder with its names.
type Entry struct {
	Kind  Kind
	ID    string      // path of a note or attachment, "#tag", "folder/"
	Title string      // for display: title, file name, "#tag", "folder/" (NFC)
	Path  vault.Path  // "" for a tag
	Note  *vault.Note // nil unless it is a note
	Count int         // number of notes in a tag or folder, with those in nested ones
}

// List holds the names of a vault. It never changes, so that it can be made in the background and
// handed to the screen whole.
type List struct{ entries []namedEntry } // by ID

// namedEntry is an entry with its names.
type namedEntry struct {
	Entry
	names  []name
	weight int // orders entries of one kind that match equally well, higher first
	last   int // 1 for saved chats, which are listed below all else
}

// Field is the field of an entry in which a name matched.
type Field uint8

// The fields of an entry.
const (
	InTitle Field = iota
	InAlias
	InName // file name, last part of a tag or folder
	InPath
)

// name is one name of an entry.
type name struct {
	field  Field
	text   string // NFC
	folded string
	mask   uint64 // see fold.Mask
}

// New returns the names of notes and of other files (attachments), in any order. Tags come from the
// notes, folders from all paths.
func New(notes []*vault.Note, files []vault.Path) *List { return (&List{}).Rebuild(notes, files) }

// Rebuild returns what New does, in about a third of the time if l is an earlier state of the same
// vault: the names of a note are kept if the pointer is the same. It leaves l as it is.
func (l *List) Rebuild(notes []*vault.Note, files []vault.Path) *List {
	folders := map[vault.Path]int{}
	countFolders := func(p vault.Path, add int) {
		for d := p.Dir(); d != ""; d = d.Dir() {
			folders[d] += add
		}
	}
	b := &List{make([]namedEntry, 0, len(notes)+len(files))}
	for _, note := range notes {
		if note.Private {
			continue
		}
		e, count := namedEntry{}, 1
		if note.Chat {
			count = 0
		}
		countFolders(note.Path, count)
		if i, ok := l.find(string(note.Path)); ok && l.entries[i].Note == note {
			e = l.entries[i]
		} else {
			e = newNamedEntry(Entry{Kind: Note, ID: string(note.Path), Title: note.Title, Path: note.Path, Note: note})
			e.weight, e.last = int(note.ModTime.Unix()), 1-count
		}
		b.entries = append(b.entries, e)
	}
	add := func(e Entry) { b.entries = append(b.entries, newNamedEntry(e)) }
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

// Len returns the number of entries.
func (l *List) Len() int { return len(l.entries) }

// Entry returns the entry with an ID.
func (l *List) Entry(id string) (e Entry, ok bool) {
	i, ok := l.find(id)
	if ok {
		e = l.entries[i].Entry
	}
	return e, ok
}

func (l *List) find(id string) (at int, ok bool) {
	return slices.BinarySearchFunc(l.entries, id, func(e namedEntry, id string) int { return cmp.Compare(e.ID, id) })
}

// newNamedEntry adds the names to an entry. The last one is its path, except of a tag.
func newNamedEntry(e Entry) namedEntry {
	e.Title = norm.NFC.String(e.Title)
	n := namedEntry{Entry: e, weight: e.Count}
	add := func(field Field, text string) {
		text = norm.NFC.String(text)
		folded := fold.Name(text)
		n.names = append(n.names, name{field, text, folded, fold.Mask(folded)})
	}
	switch e.Kind {
	case Note:
		add(InTitle, e.Title)
		for _, a := range e.Note.Aliases {
			add(InAlias, a)
		}
		base := e.Path.Base()
		if base != e.Title {
			add(InName, base)
		}
		add(InPath, e.ID[:len(e.ID)-len(e.Path.Name())+len(base)]) // no copy: there are many
	case Attachment:
		add(InTitle, e.Title)
		add(InPath, e.ID)
	case Tag:
		add(InTitle, e.Title[1:])
		add(InName, e.Title[max(strings.LastIndexByte(e.Title, '/'), 0)+1:])
	case Folder:
		add(InName, e.Path.Name())
		add(InPath, e.Title)
	}
	return n
}

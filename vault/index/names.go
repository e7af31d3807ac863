package index

import (
	"math"
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

// chat reports whether e is a saved chat, which is offered to whom asks for it.
func (e *Entry) chat() bool { return e.Note != nil && e.Note.Chat }

// Names is what the picker searches: notes by title, alias and path, tags,
// folders and attachments. It is a value that never changes, made away from the
// loop that draws the screen and handed to it whole. Private notes are left out.
type Names struct {
	entries []namedEntry
	byID    map[string]int32
}

// namedEntry is an entry and the strings by which it is found; the last one of a note,
// attachment or folder is its path.
type namedEntry struct {
	Entry
	keys []key
	rank uint64 // without what a Context adds
}

// key is one string by which an entry is found.
type key struct {
	folded string
	mask   uint64 // letters in folded, see mask
	text   string // NFC, as shown
	field  Field
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
	folders, size := map[vault.Path]int{}, len(notes)+len(files)
	countFolders := func(p vault.Path, add int) {
		for d := p.Dir(); d != ""; d = d.Dir() {
			folders[d] += add
		}
	}
	b := &Names{entries: make([]namedEntry, 0, size), byID: make(map[string]int32, size)}
	for _, note := range notes {
		if note.Private {
			continue
		}
		count := 1
		if note.Chat {
			count = 0
		}
		countFolders(note.Path, count)
		if i, ok := n.byID[string(note.Path)]; ok && n.entries[i].Note == note {
			b.put(n.entries[i])
		} else {
			b.add(Entry{Kind: Note, ID: string(note.Path), Title: note.Title, Path: note.Path, Note: note}, int(note.ModTime.Unix()))
		}
	}
	for _, p := range files {
		if !p.IsNote() {
			countFolders(p, 0)
			b.add(Entry{Kind: Attachment, ID: string(p), Title: p.Name(), Path: p}, 0)
		}
	}
	var tags []string
	for _, t := range vault.CountTags(notes, func(n *vault.Note) []string {
		tags = appendNested(tags[:0], n.Tags)
		return tags
	}) {
		b.add(Entry{Kind: Tag, ID: "#" + t.Tag, Title: "#" + t.Tag, Count: t.Notes}, t.Notes)
	}
	for p, count := range folders {
		b.add(Entry{Kind: Folder, ID: string(p) + "/", Title: string(p) + "/", Path: p, Count: count}, count)
	}
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
	i, ok := n.byID[id]
	if ok {
		e = n.entries[i].Entry
	}
	return e, ok
}

// add prepares the keys of e. weight orders entries of one kind that match
// equally well, higher first.
func (n *Names) add(e Entry, weight int) {
	keys := make([]key, 0, 3)
	name := func(field Field, s string) {
		text := norm.NFC.String(s)
		folded := foldName(text)
		if field == InPath || folded != "" && !slices.ContainsFunc(keys, func(k key) bool { return k.folded == folded }) {
			keys = append(keys, key{folded, mask(folded), text, field})
		}
	}
	e.Title = norm.NFC.String(e.Title)
	switch e.Kind {
	case Note:
		name(InTitle, e.Title)
		for _, a := range e.Note.Aliases {
			name(InAlias, a)
		}
		name(InName, e.Path.Base())
		name(InPath, strings.TrimSuffix(string(e.Path), e.Path.Name())+e.Path.Base())
	case Attachment:
		name(InTitle, e.Title)
		name(InPath, e.ID)
	case Tag:
		name(InTitle, e.Title[1:])
		name(InName, e.Title[1+strings.LastIndexByte(e.Title[1:], '/')+1:])
	case Folder:
		name(InName, e.Path.Name())
		name(InPath, e.Title)
	}
	kind := Folder - e.Kind
	if e.chat() {
		kind = 0
	}
	n.put(namedEntry{e, keys, uint64(kind)<<kindShift | uint64(min(max(weight, 0), math.MaxUint32))})
}

func (n *Names) put(e namedEntry) {
	n.byID[e.ID] = int32(len(n.entries))
	n.entries = append(n.entries, e)
}

// mask has a bit for each letter and digit in folded text, and one of a few
// shared bits for every other rune. Text whose mask lacks a bit of a query's
// mask cannot match it; asking that first spares most of the work.
func mask(folded string) uint64 {
	var m uint64
	for _, r := range folded {
		m |= maskBit(r)
	}
	return m
}

func maskBit(r rune) uint64 {
	switch {
	case 'a' <= r && r <= 'z':
		return 1 << (r - 'a')
	case '0' <= r && r <= '9':
		return 1 << (26 + r - '0')
	case r == ' ':
		return 0
	}
	return 1 << (36 + r%28)
}

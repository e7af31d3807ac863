package index

import (
	"cmp"
	"maps"
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
	entries []Entry
	spans   []span   // by entry: its keys
	base    []uint64 // by entry: rank without what a Context adds
	keys    []key
	byID    map[string]int32
}

// span is a range of keys; the last key of a note, attachment or folder is its path.
type span struct{ from, to int32 }

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
	tags, folders := map[string]*Entry{}, map[vault.Path]int{}
	size := len(notes) + len(files)
	b := &Names{
		entries: make([]Entry, 0, size),
		spans:   make([]span, 0, size),
		base:    make([]uint64, 0, size),
		keys:    make([]key, 0, 3*size),
		byID:    make(map[string]int32, size),
	}
	for _, note := range notes {
		switch {
		case note.Private:
			continue
		case note.Chat:
			countFolders(folders, note.Path, 0)
		default:
			countTags(tags, note.Tags)
			countFolders(folders, note.Path, 1)
		}
		b.addNote(n, note)
	}
	for _, p := range files {
		if !p.IsNote() {
			countFolders(folders, p, 0)
			b.add(Entry{Kind: Attachment, ID: string(p), Title: norm.NFC.String(p.Name()), Path: p}, 0)
		}
	}
	for _, t := range slices.SortedFunc(maps.Values(tags), func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) }) {
		b.add(*t, t.Count)
	}
	for p, count := range folders {
		b.add(Entry{Kind: Folder, ID: string(p) + "/", Title: norm.NFC.String(string(p)) + "/", Path: p, Count: count}, count)
	}
	return b
}

// Len is the number of entries.
func (n *Names) Len() int { return len(n.entries) }

// Entry finds an entry by its ID.
func (n *Names) Entry(id string) (Entry, bool) {
	i, ok := n.byID[id]
	if !ok {
		return Entry{}, false
	}
	return n.entries[i], true
}

func (n *Names) addNote(prev *Names, note *vault.Note) {
	recent := int(note.ModTime.Unix())
	if i, ok := prev.byID[string(note.Path)]; ok && prev.entries[i].Note == note {
		s := prev.spans[i]
		n.append(prev.entries[i], prev.keys[s.from:s.to], recent)
		return
	}
	n.add(Entry{Kind: Note, ID: string(note.Path), Title: norm.NFC.String(note.Title), Path: note.Path, Note: note}, recent)
}

// add prepares the keys of e. weight orders entries of one kind that match
// equally well, higher first.
func (n *Names) add(e Entry, weight int) {
	var keys []key
	name := func(field Field, s string) {
		text := norm.NFC.String(s)
		folded := foldName(text)
		if field != InPath && (folded == "" || slices.ContainsFunc(keys, func(k key) bool { return k.folded == folded })) {
			return
		}
		keys = append(keys, key{folded: folded, mask: mask(folded), text: text, field: field})
	}
	switch e.Kind {
	case Note:
		name(InTitle, e.Title)
		for _, a := range e.Note.Aliases {
			name(InAlias, a)
		}
		name(InName, e.Path.Base())
		name(InPath, string(e.Path[:len(e.Path)-len(e.Path.Name())+len(e.Path.Base())]))
	case Attachment:
		name(InTitle, e.Title)
		name(InPath, string(e.Path))
	case Tag:
		name(InTitle, e.Title[1:])
		if i := strings.LastIndexByte(e.Title, '/'); i >= 0 {
			name(InName, e.Title[i+1:])
		}
	case Folder:
		name(InName, e.Path.Name())
		name(InPath, e.Title)
	}
	if len(keys) == 0 { // a tag of accents alone
		keys = []key{{text: e.Title}}
	}
	n.append(e, keys, weight)
}

func (n *Names) append(e Entry, keys []key, weight int) {
	n.byID[e.ID] = int32(len(n.entries))
	n.entries = append(n.entries, e)
	from := int32(len(n.keys))
	n.keys = append(n.keys, keys...)
	n.spans = append(n.spans, span{from, int32(len(n.keys))})
	kind := Folder - e.Kind
	if e.chat() {
		kind = 0
	}
	n.base = append(n.base, uint64(kind)<<kindShift|uint64(min(max(weight, 0), math.MaxUint32)))
}

// countTags counts a note once for each of its tags and for the tags above them.
func countTags(tags map[string]*Entry, of []string) {
	var seen []string
	for _, tag := range of {
		for t := norm.NFC.String(strings.Trim(tag, "/")); t != ""; {
			id := strings.ToLower(t)
			if slices.Contains(seen, id) {
				break
			}
			seen = append(seen, id)
			if e, ok := tags[id]; ok {
				e.Count++
			} else {
				tags[id] = &Entry{Kind: Tag, ID: "#" + t, Title: "#" + t, Count: 1}
			}
			t = t[:max(strings.LastIndexByte(t, '/'), 0)]
		}
	}
}

func countFolders(folders map[vault.Path]int, p vault.Path, add int) {
	for d := p.Dir(); d != ""; d = d.Dir() {
		folders[d] += add
	}
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

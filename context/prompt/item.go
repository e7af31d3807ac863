package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Kind is the kind of thing that a Ref names.
type Kind string

// The kinds. Folder, Tag and Workspace are kinds of references only: they are expanded to notes, so no Item has
// them.
const (
	Note      Kind = "note"      // ID: vault-relative path
	Selection Kind = "selection" // ID: path#L3-L9, path#Heading or path#^block; see GivenRef
	URL       Kind = "url"       // ID: the full URL
	Query     Kind = "query"     // ID: path#dataview: + 8 hex digits
	Picture   Kind = "image"     // ID: vault-relative path
	Folder    Kind = "folder"    // ID: path with a trailing slash
	Tag       Kind = "tag"       // ID: #tag
	// ID: @active or @pins: what the editor has open when the turn is sent; @vault, @web: a search; @memory,
	// @composer: what a turn is to do
	Workspace Kind = "workspace"
)

// KindInfo describes a kind of reference.
type KindInfo struct {
	Kind    Kind
	Label   string // in the context line of a saved message, "" if it is not listed there
	Tag     string // tag of the block around its content, "" for references only
	Expands bool   // it stands for notes
	InFile  bool   // its ID begins with the path of a file
}

// Kinds lists all kinds of references, in the order of a context line.
var Kinds = [...]KindInfo{
	{Kind: Note, Label: "Notes", Tag: "note_context", InFile: true},
	{Kind: URL, Label: "URLs", Tag: "url_content"},
	{Kind: Tag, Label: "Tags", Expands: true},
	{Kind: Folder, Label: "Folders", Expands: true},
	{Kind: Selection, Label: "Selections", Tag: "selected_text", InFile: true},
	{Kind: Picture, Label: "Images", InFile: true},
	{Kind: Query, Tag: "dataview_block", InFile: true},
	{Kind: Workspace},
}

// Info returns the entry of the kind in Kinds, that of Note for an unknown kind.
func (k Kind) Info() KindInfo {
	for _, info := range Kinds {
		if info.Kind == k {
			return info
		}
	}
	return Kinds[0]
}

// Ref identifies something that can be attached. Two refs are the same thing exactly if they are equal.
type Ref struct {
	Kind Kind
	ID   string
}

// String returns the reference as the id list has it.
func (r Ref) String() string { return r.ID }

// NoteRef returns the reference of the note at path.
func NoteRef[Path ~string](path Path) Ref { return Ref{Kind: Note, ID: string(path)} }

// Text returns the kind and the ID as one string, for ParseRef.
func (r Ref) Text() string { return string(r.Kind) + ":" + r.ID }

// ParseRef parses the result of Text.
func ParseRef(text string) Ref {
	kind, id, _ := strings.Cut(text, ":")
	return Ref{Kind: Kind(kind), ID: id}
}

// JoinIDs lists references for a person.
func JoinIDs(refs []Ref) string {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return strings.Join(ids, ", ")
}

// noteName returns the name of a note without its folder and ending.
func noteName(file string) string {
	name := path.Base(file)
	if strings.EqualFold(path.Ext(name), ".md") {
		return name[:len(name)-len(".md")]
	}
	return name
}

// Label returns the name for lists.
func (r Ref) Label() string {
	note, sub, cut := strings.Cut(r.ID, "#")
	switch {
	case r.IsGiven():
		return strings.TrimPrefix(r.ID, givenFile)
	case r.Kind == Note, r.Kind == Picture:
		return noteName(r.ID)
	case r.Kind == Selection && cut:
		return noteName(note) + "#" + sub
	case r.Kind == Query && cut:
		return "query of " + noteName(note)
	}
	return r.ID
}

// Link returns the target for a wikilink, "" if none leads there.
func (r Ref) Link() string {
	switch r.Kind {
	case Note, Selection, Query:
		return r.ID
	}
	return ""
}

// Lines returns the selection of lines from..to (1-based, inclusive) of the note at path.
func Lines(path string, from, to int) Ref {
	return Ref{Kind: Selection, ID: fmt.Sprintf("%s#L%d-L%d", path, from, to)}
}

// GivenRef returns the reference of a text that came with a turn and is in no file of the vault: from a file
// elsewhere, or for "" from standard input.
func GivenRef(file string) Ref {
	if file == "" {
		return Ref{Kind: Selection, ID: "stdin"}
	}
	return Ref{Kind: Selection, ID: givenFile + strings.ReplaceAll(file, "#", "_")}
}

// IsGiven reports whether r is a GivenRef. Selections of notes have a part after "#".
func (r Ref) IsGiven() bool {
	return r == GivenRef("") ||
		r.Kind == Selection && strings.HasPrefix(r.ID, givenFile) && !strings.Contains(r.ID, "#")
}

const givenFile = "file:"

// part reports whether r is a heading or a block of a note, and not a range of lines: those can be found in the
// text of the note.
func (r Ref) part(note string) bool {
	sub, ok := strings.CutPrefix(r.ID, note+"#")
	return ok && r.Kind == Selection && (!strings.HasPrefix(sub, "L") || strings.Trim(sub[1:], "-L0123456789") != "")
}

// QueryRef returns the reference of the query block with this text in the note at path.
func QueryRef(path, query string) Ref {
	sum := sha256.Sum256([]byte(strings.TrimSpace(query)))
	return Ref{Kind: Query, ID: path + queryMark + hex.EncodeToString(sum[:4])}
}

// queryMark separates the path from the rest in the ID of a query.
const queryMark = "#dataview:"

// QueryNote returns the path of the note in the ID of a query. If ok is false, it is another ID, and path is all of
// it.
func QueryNote(id string) (path string, ok bool) {
	path, _, ok = strings.Cut(id, queryMark)
	return path, ok
}

// Span is a part of a text, in byte offsets, that was not typed: it is not searched for references. With a Ref it
// was picked from a list and stands for that reference, whatever its words name now; without one it was pasted.
type Span struct {
	From, To int
	Ref      Ref
}

// Revision identifies content by the SHA-256 of its canonical bytes.
type Revision [sha256.Size]byte

// String returns the revision in full, 64 hex digits.
func (r Revision) String() string { return hex.EncodeToString(r[:]) }

// Short returns the first 16 hex digits, as chat files record them.
func (r Revision) Short() string { return hex.EncodeToString(r[:8]) }

// Item is the content of something attachable at one time. Create it with NewItem, which brings the content into
// canonical form. An Item is a value and is never changed.
type Item struct {
	Ref
	Title     string
	Aliases   []string // for a passage that a tool found: other names of its note
	Path      string   // vault-relative path of its note; the URL for a URL
	Content   string   // canonical: LF, valid UTF-8, no NUL, no blank lines at the ends
	Revision  Revision
	StartLine int            // selections: first line, from 1, else 0
	EndLine   int            // selections: last line, from 1, else 0
	Query     string         // query blocks: the query as written
	QueryType string         // query blocks: "dataview"
	Outline   string         // headings, one a line: the rest of the item when it becomes a stub
	Embedded  []EmbeddedText // texts of other notes that it embeds; see Embed
	HasImages bool           // the note embeds images: in the strict layout the library leaves it out
	Images    []Image        // embedded images, sent only for the active note, or the image of a picture
	Source    *Source        // for a passage that a tool found: its source; else nil
}

// EmbeddedText is the text of a note, or of a part of one, that another note embeds.
type EmbeddedText struct {
	Path    string // of the note, with "#" and the part
	Content string // canonical
}

// Embed returns the item with the texts that it embeds. They are sent after its own text, and a change of one of
// them changes its revision.
func (it Item) Embed(parts []EmbeddedText) Item {
	if len(parts) == 0 {
		return it
	}
	d := sha256.New()
	_, _ = d.Write([]byte(it.Content))
	it.Embedded = slices.Clone(parts)
	for i := range it.Embedded {
		p := &it.Embedded[i]
		p.Content = CanonicalText(p.Content)
		for _, s := range []string{p.Path, p.Content} {
			_, _ = fmt.Fprintf(d, "\x00%d\x00%s", len(s), s)
		}
	}
	d.Sum(it.Revision[:0])
	return it
}

// IsPicture reports whether a file of this name is an image that models take.
func IsPicture(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, strings.ToLower(path.Ext(name)))
}

// NewPicture returns the item of an image file.
func NewPicture(path string, im Image) Item {
	it := NewItem(Ref{Picture, path}, im.Name, path, "")
	it.Images, it.Revision = []Image{im}, sha256.Sum256(im.Data)
	return it
}

// Image is an image that can be part of a message.
type Image struct {
	Name string // as written in the note
	MIME string // image/png …
	Data []byte // nil for a remote image
	URL  string // for remote images only
}

// UncheckedRef is the state of a reference that is not sent because it is not known what the vault excludes.
const UncheckedRef = "unchecked"

// MissingRef is a reference that gave no item, with the reason in words for a person.
type MissingRef struct {
	Ref Ref
	// "missing", "ambiguous", "private", "unreadable", "binary", "broken", "ignored", "offline", "image", "data",
	// UncheckedRef …
	State      string
	Reason     string   // one line
	Candidates []string // paths, for "ambiguous" and similar names
}

// Unread reports whether the reference is of a file that exists, but cannot be read or must not be sent. A file that
// only a limit of size stops is none of these, since the person may lift the limit.
func (m *MissingRef) Unread() bool {
	return m.Ref.Kind.Info().InFile && slices.Contains(UnreadStates, m.State)
}

// UnreadStates are the values of MissingRef.State that [MissingRef.Unread] reports.
var UnreadStates = []string{"private", "ignored", "binary", "broken", "unreadable", "not_downloaded", "outside"}

// CanonicalText returns text in the form that is hashed and sent: CRLF and CR become LF, NUL is removed, invalid
// UTF-8 becomes U+FFFD, and blank lines at both ends are cut. Inner white space is unchanged.
func CanonicalText(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return trimBlankLines(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD"))
}

// trimBlankLines removes lines of white space from both ends, and the newline after the last line. The first line
// keeps its indentation.
func trimBlankLines(s string) string {
	text := strings.TrimSpace(s)
	if text == "" {
		return ""
	}
	before, after, _ := strings.Cut(s, text)
	spaces, _, _ := strings.Cut(after, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:] + text + spaces
}

// NewItem returns an item of ref with this title, path and content, which it brings into canonical form and hashes.
func NewItem(ref Ref, title, path, content string) Item {
	content = CanonicalText(content)
	return Item{Ref: ref, Title: title, Path: path, Content: content, Revision: sha256.Sum256([]byte(content))}
}

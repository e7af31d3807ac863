package vault

import "time"

// Note is the metadata of a note, without its text. A Note is a value; its slices never change after it was
// made, so goroutines may share notes.
type Note struct {
	Path     Path
	Title    string    // frontmatter title; of a saved chat its topic; else the file name without .md
	Aliases  []string  // frontmatter aliases, in file order
	Tags     []string  // without '#', first casing wins, frontmatter before inline
	Headings []Heading // in file order, code fences excluded
	Private  bool      // never leaves this machine: see private.go
	Chat     bool      // a saved chat: see Vault.SetChats
	Images   bool      // embeds at least one image
	Unread   Unread    // how much is known if the text is not
	Large    bool      // larger than Options.MaxNote: only the data of the file is known
	Size     int64     // bytes on disk
	ModTime  time.Time
	BodyLine int    // line on which the text after the frontmatter starts, from 1
	Warning  string // description of tolerated defects (bad YAML, invalid UTF-8), "" if none

	PrivateBecause string // why it is private, in words, if its mark was read generously; else ""

	chat chatMarks
	rest string // links, blocks and properties, packed
}

// Ordinary reports whether n is a note like others: neither private nor a saved chat.
func (n *Note) Ordinary() bool { return !n.Private && !n.Chat }

// Heading is one ATX or setext heading.
type Heading struct {
	Level int // 1..6
	Text  string
	Line  int // line in the file, from 1
}

// Block is a paragraph, list item or structure with an id (^id).
type Block struct {
	ID         string // without '^'
	Start, End int    // lines of the block's text, from 1, inclusive
}

// Property is one frontmatter property. Value is the decoded YAML value:
// string, bool, int, float64, time.Time, []any, map[string]any or nil.
type Property struct {
	Key   string
	Value any
}

// LinkKind is the syntax of a link.
type LinkKind int

// The ways to write a link.
const (
	Wikilink LinkKind = iota
	Embed             // ![[…]] or ![…](…)
	Markdown          // […](…)
	Frontmatter
)

// Link is one link as written in a note.
type Link struct {
	Kind    LinkKind
	Target  string // path as written, percent-decoded for markdown links; "" is the note itself; URL of a remote image
	Subpath string // after the first '#', without it: heading or ^block
	Display string // text after the pipe, or between the brackets of a markdown link
	Line    int    // line in the file, from 1
	Prop    string // Frontmatter only: the property with the link: "up", "related.1"
}

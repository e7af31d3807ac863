package vault

import "time"

// Note is what ibid knows about a note without holding its text: one pass over
// the file gives all of it. A Note is a value; slices in it are never changed
// after it was made, so notes may be shared between goroutines.
type Note struct {
	Path     Path
	Title    string    // frontmatter title, of a saved chat its topic, else the file name without .md
	Aliases  []string  // frontmatter aliases, in file order
	Tags     []string  // without '#', first casing wins, frontmatter before inline
	Headings []Heading // in file order, code fences excluded
	Private  bool      // frontmatter private: true, or broken and maybe so: never leaves this machine
	Chat     bool      // a saved chat: see Vault.SetChats
	Images   bool      // embeds at least one image
	Large    bool      // above Options.MaxNote: nothing is known but the file
	Size     int64     // bytes on disk
	ModTime  time.Time
	BodyLine int    // 1-based line on which the text after the frontmatter starts
	Warning  string // what was wrong with the note and tolerated (bad YAML, invalid UTF-8), "" if nothing

	chat chatMarks
	rest string // links, blocks and properties, packed
}

// Heading is one ATX or setext heading.
type Heading struct {
	Level int // 1..6
	Text  string
	Line  int // 1-based, in the file
}

// Block is a paragraph, list item or structure that carries an id (^id).
type Block struct {
	ID         string // without '^'
	Start, End int    // 1-based lines of the block's text, inclusive
}

// Property is one frontmatter property. Value is the decoded YAML value:
// string, bool, int, float64, time.Time, []any, map[string]any or nil.
type Property struct {
	Key   string
	Value any
}

// LinkKind says how a link was written.
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
	Target  string // path part as written, percent-decoded for markdown links; "" means the note itself; the URL of a remote image
	Subpath string // after the first '#', without it: heading or ^block
	Display string // text after the pipe, or between the brackets of a markdown link
	Line    int    // 1-based, in the file
	Prop    string // Frontmatter only: the property that holds it: "up", "related.1"
}

package vault

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
)

// draft is a note while it is read. Its strings are parts of the text; pack copies
// them, so that no note keeps its file in memory.
type draft struct {
	Note
	links  []Link
	blocks []Block
	props  []field
	buf    []byte
}

// reset makes d a draft of the note at p. What it allocated is used again.
func (d *draft) reset(p Path) {
	clear(d.links) // they are parts of the text before
	*d = draft{Note: Note{Path: p, Title: p.Base(), BodyLine: 1, Headings: d.Headings[:0]}, links: d.links[:0], blocks: d.blocks[:0], buf: d.buf}
}

// pack writes everything that the text of the note says in one string: first what
// a Note has as fields, then its properties with their length, so that they can be
// passed over, its links and its blocks, which few ask for and which take most of
// the room.
func (d *draft) pack() string {
	b := packer(d.buf[:0])
	b.head(&d.Note)
	at := len(b)
	b.number(len(d.props))
	for i := range d.props {
		b.text(d.props[i].key)
		b.node(&d.props[i].value)
	}
	b = insertLength(b, at)
	b.number(len(d.links))
	for _, l := range d.links {
		b.link(l)
	}
	b.number(len(d.blocks))
	for _, k := range d.blocks {
		b.text(k.ID)
		b.number(k.Start)
		b.number(k.End - k.Start)
	}
	d.buf = b
	return string(b)
}

// head writes the fields of a note.
func (b *packer) head(n *Note) {
	flags := int(n.chat) * packedChat
	if n.Private {
		flags |= packedPrivate
	}
	if n.Images {
		flags |= packedImages
	}
	b.number(flags)
	b.number(n.BodyLine)
	if n.Title == n.Path.Base() {
		b.text("")
	} else {
		b.text(n.Title)
	}
	b.text(n.Warning)
	for _, list := range [][]string{n.Aliases, n.Tags} {
		b.number(len(list))
		for _, s := range list {
			b.text(s)
		}
	}
	b.number(len(n.Headings))
	for _, h := range n.Headings {
		b.number(h.Level)
		b.number(h.Line)
		b.text(h.Text)
	}
}

// Flags at the beginning of a packed note.
const (
	packedPrivate = 1 << iota
	packedImages
	packedChat // above it is the other mark of a chat
)

// packer appends to a packed note.
type packer []byte

func (b *packer) number(n int)  { *b = binary.AppendUvarint(*b, uint64(n)) }
func (b *packer) text(s string) { b.number(len(s)); *b = append(*b, s...) }

// Flags of a packed link, above its kind.
const (
	packedKinds = 1<<3 - 1
	packedSub   = 1 << 3
	packedShown = 1 << 4
	packedProp  = 1 << 5
)

func (b *packer) link(l Link) {
	flags := int(l.Kind)
	more := []struct {
		flag int
		text string
	}{{packedSub, l.Subpath}, {packedShown, l.Display}, {packedProp, l.Prop}}
	for _, m := range more {
		if m.text != "" {
			flags |= m.flag
		}
	}
	b.number(flags)
	b.number(l.Line)
	b.text(l.Target)
	for _, m := range more {
		if m.text != "" {
			b.text(m.text)
		}
	}
}

// packedQuoted is the flag of a packed node, above its shape.
const packedQuoted = 1 << 2

func (b *packer) node(n *node) {
	flags := int(n.shape)
	if n.quoted {
		flags |= packedQuoted
	}
	b.number(flags)
	if n.shape == scalarShape {
		b.text(n.text)
		return
	}
	b.number(len(n.items))
	for i := range n.items {
		if n.shape == mapShape {
			b.text(n.keys[i])
		}
		b.node(&n.items[i])
	}
}

// unpacker reads a packed note. What is damaged reads as nothing.
type unpacker struct{ rest string }

func (u *unpacker) number() int {
	var n uint64
	for i := 0; i < len(u.rest) && i < binary.MaxVarintLen64; i++ {
		c := u.rest[i]
		n |= uint64(c&0x7F) << (7 * i)
		if c < 0x80 {
			u.rest = u.rest[i+1:]
			return int(n)
		}
	}
	u.rest = ""
	return 0
}

// count is how many things follow, each of which takes a byte at least.
func (u *unpacker) count() int {
	n := u.number()
	if n < 0 || n > len(u.rest) {
		u.rest = ""
		return 0
	}
	return n
}

func (u *unpacker) text() string {
	n := u.count()
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}

func (u *unpacker) link() Link {
	flags := u.number()
	l := Link{Kind: LinkKind(flags & packedKinds), Line: u.number(), Target: u.text()}
	for _, m := range []struct {
		flag int
		text *string
	}{{packedSub, &l.Subpath}, {packedShown, &l.Display}, {packedProp, &l.Prop}} {
		if flags&m.flag != 0 {
			*m.text = u.text()
		}
	}
	return l
}

func (u *unpacker) node() node {
	flags := u.number()
	n := node{shape: shape(flags &^ packedQuoted), quoted: flags&packedQuoted != 0}
	if n.shape == scalarShape {
		n.text = u.text()
		return n
	}
	for range u.count() {
		if n.shape == mapShape {
			n.keys = append(n.keys, u.text())
		}
		n.items = append(n.items, u.node())
	}
	return n
}

// skip passes over a node.
func (u *unpacker) skip() {
	flags := u.number()
	if shape(flags&^packedQuoted) == scalarShape {
		u.text()
		return
	}
	for range u.count() {
		if shape(flags&^packedQuoted) == mapShape {
			u.text()
		}
		u.skip()
	}
}

// chunks are where notes and their lists are allocated, those of many notes together
// if many is set.
type chunks struct {
	many  bool
	notes []Note
	texts []string
	heads []Heading
}

// chunkOf is how many things are allocated together.
const chunkOf = 256

// takeFromChunk takes n things off a chunk, and makes a new one when it is used up.
func takeFromChunk[T any](many bool, chunk *[]T, n int) []T {
	switch {
	case n == 0:
		return nil
	case !many || n > chunkOf/8:
		return make([]T, n)
	case len(*chunk) < n:
		*chunk = make([]T, chunkOf)
	}
	out := (*chunk)[:n:n]
	*chunk = (*chunk)[n:]
	return out
}

// unpack makes the note at p of what pack wrote. Its strings are parts of packed.
func (c *chunks) unpack(p Path, packed string) *Note {
	u := unpacker{packed}
	n := &takeFromChunk(c.many, &c.notes, 1)[0]
	*n = Note{Path: p}
	flags := u.number()
	n.Private, n.Images, n.chat = flags&packedPrivate != 0, flags&packedImages != 0, chatMarks(flags/packedChat)
	n.Chat = n.chat&chatProps != 0
	n.BodyLine, n.Title, n.Warning = u.number(), u.text(), u.text()
	if n.Title == "" {
		n.Title = p.Base()
	}
	for _, list := range []*[]string{&n.Aliases, &n.Tags} {
		*list = takeFromChunk(c.many, &c.texts, u.count())
		for i := range *list {
			(*list)[i] = u.text()
		}
	}
	n.Headings = takeFromChunk(c.many, &c.heads, u.count())
	for i := range n.Headings {
		n.Headings[i] = Heading{Level: u.number(), Line: u.number(), Text: u.text()}
	}
	n.rest = u.rest
	return n
}

// Links are the wikilinks, embeds and markdown links of the note, in the order of
// the file, those of the properties first.
func (n *Note) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		u := unpacker{n.rest}
		u.text() // properties
		for range u.count() {
			if !yield(u.link()) {
				return
			}
		}
	}
}

// Blocks are the parts of the note that carry an id, in the order of the file.
func (n *Note) Blocks() []Block {
	u := unpacker{n.rest}
	u.text() // properties
	for range u.count() {
		u.link()
	}
	var blocks []Block
	for range u.count() {
		b := Block{ID: u.text(), Start: u.number()}
		b.End = b.Start + u.number()
		blocks = append(blocks, b)
	}
	return blocks
}

// Props are the properties of the note, in the order of the file: with names, those
// with one of them, in any case.
func (n *Note) Props(names ...string) []Property {
	u := unpacker{n.rest}
	u = unpacker{u.text()}
	var props []Property
	for range u.count() {
		key := u.text()
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, key) }) {
			u.skip()
			continue
		}
		value := u.node()
		props = append(props, Property{Key: key, Value: value.value()})
	}
	return props
}

// Equal reports whether n and o say the same of the same file.
func (n *Note) Equal(o *Note) bool {
	if n == nil || o == nil {
		return n == o
	}
	return n.Path == o.Path && n.Size == o.Size && n.ModTime.Equal(o.ModTime) && bytes.Equal(n.packed(), o.packed())
}

func (n *Note) packed() []byte {
	var b packer
	b.head(n)
	return append(b, n.rest...)
}

// ParseNote makes the Note of a text, which has LF line ends and is valid UTF-8, as
// if it stood in the file p. Size and ModTime are those of the text and zero.
func ParseNote(p Path, text string) *Note {
	n := parseNote(p, text, nil)
	n.Size = int64(len(text))
	return n
}

package vault

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"ibid/vault/codec"
)

// draft is a note while it is parsed. Its strings are parts of the text; pack copies them, so that no note
// keeps its file in memory.
type draft struct {
	Note
	links  []Link
	blocks []Block
	props  []field

	packed, packedProps codec.Coder
}

// reset prepares d for the note at p. It reuses the allocated memory.
func (d *draft) reset(p Path) {
	clear(d.links) // they are parts of the last text
	*d = draft{
		Note:  Note{Path: p, Title: p.Base(), BodyLine: 1, Headings: d.Headings[:0]},
		links: d.links[:0], blocks: d.blocks[:0],
		packed: codec.Coder{Out: d.packed.Out[:0]}, packedProps: codec.Coder{Out: d.packedProps.Out[:0]},
	}
}

// pack encodes all metadata of the note as one string: first the fields of Note, then its properties as one
// text, so that a reader can skip them, then its links and its blocks. Links and blocks are rarely needed and
// take most of the space, so they stay packed.
func (d *draft) pack() string {
	c, props := &d.packed, &d.packedProps
	codeNote(c, &d.Note)
	codec.List(props, &d.props, func(f *field) { codeField(props, f) })
	c.Count(len(props.Out))
	c.Out = append(c.Out, props.Out...)
	codec.List(c, &d.links, func(l *Link) { codeLink(c, l) })
	codec.List(c, &d.blocks, func(b *Block) { codeBlock(c, b) })
	return string(c.Out)
}

// codeNote reads or writes the fields of a note.
func codeNote(c *codec.Coder, n *Note) {
	c.Bool(&n.Private, &n.Images)
	codec.Number(c, &n.chat)
	codec.Number(c, &n.BodyLine)
	title := n.Title
	if title == n.Path.Base() {
		title = ""
	}
	codec.Text(c, &title, &n.Warning, &n.PrivateBecause)
	n.Title = cmp.Or(title, n.Path.Base())
	c.Texts(&n.Aliases, &n.Tags)
	codec.List(c, &n.Headings, func(h *Heading) {
		codec.Number(c, &h.Level, &h.Line)
		codec.Text(c, &h.Text)
	})
}

func codeLink(c *codec.Coder, l *Link) {
	codec.Number(c, &l.Kind)
	codec.Number(c, &l.Line)
	codec.Text(c, &l.Target, &l.Subpath, &l.Display, &l.Prop)
}

func codeBlock(c *codec.Coder, b *Block) {
	codec.Text(c, &b.ID)
	codec.Number(c, &b.Start, &b.End)
}

func codeField(c *codec.Coder, f *field) {
	codec.Text(c, &f.key)
	codeValue(c, &f.value)
}

func codeValue(c *codec.Coder, n *node) {
	codec.Number(c, &n.shape)
	c.Bool(&n.quoted)
	codec.Text(c, &n.text)
	if n.shape == mapShape {
		c.Texts(&n.keys)
	}
	if n.shape != scalarShape {
		codec.List(c, &n.items, func(item *node) { codeValue(c, item) })
	}
}

// unpack returns the note at p that pack encoded. Its strings are parts of packed.
func unpack(p Path, packed string) *Note {
	n, c := &Note{Path: p}, codec.Reader(packed)
	codeNote(c, n)
	n.Chat = n.chat&chatProps != 0
	n.rest = c.Rest()
	return n
}

// Links yields the wikilinks, embeds and markdown links of the note: first those in properties, then those in
// the text, in the order of the file.
func (n *Note) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_, c := n.packedProps()
		for range c.Count(0) {
			var l Link
			if codeLink(c, &l); !yield(l) {
				return
			}
		}
	}
}

// packedProps returns the packed properties of the note, and a reader for the data behind them.
func (n *Note) packedProps() (props string, rest *codec.Coder) {
	rest = codec.Reader(n.rest)
	codec.Text(rest, &props)
	return props, rest
}

// Blocks returns the blocks with an id, in the order of the file.
func (n *Note) Blocks() (blocks []Block) {
	var links []Link
	_, c := n.packedProps()
	codec.List(c, &links, func(l *Link) { codeLink(c, l) })
	codec.List(c, &blocks, func(b *Block) { codeBlock(c, b) })
	return blocks
}

// Props returns the properties of the note in the order of the file; if names are given, only properties with
// one of them, ignoring case.
func (n *Note) Props(names ...string) (props []Property) {
	packed, _ := n.packedProps()
	c := codec.Reader(packed)
	for range c.Count(0) {
		var f field
		codeField(c, &f)
		if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
			return strings.EqualFold(name, f.key)
		}) {
			props = append(props, Property{Key: f.key, Value: f.value.value()})
		}
	}
	return props
}

// Equal reports whether n and o have the same path, size, time and metadata.
func (n *Note) Equal(o *Note) bool {
	if n == nil || o == nil {
		return n == o
	}
	return n.Path == o.Path && n.Size == o.Size && n.ModTime.Equal(o.ModTime) && n.packed() == o.packed()
}

func (n *Note) packed() string {
	var c codec.Coder
	codeNote(&c, n)
	return string(c.Out) + n.rest
}

// ParseNote parses text as the content of the file p. Size is the length of text, ModTime is zero.
func ParseNote(p Path, text string) *Note {
	plain, _ := Normalize([]byte(text))
	n := parseNote(p, plain)
	n.Size = int64(len(text))
	return n
}

package history

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ibid/history/properties"
	"ibid/vault/md"
)

// chatTag is the tag by which Copilot finds its chats.
const chatTag = "copilot-conversation"

// appendProperties appends the frontmatter. A file that was read keeps its frontmatter but for changed
// properties; own says whether to write the keys that only ibid reads. left are the properties, as YAML, that
// the frontmatter has no place for; the hidden block takes them.
func appendProperties(b []byte, c *Chat, own bool) (out, left []byte) {
	s := c.file.src
	if s == nil || s.closing == "" {
		if s != nil {
			b = append(b, s.opening...)
		}
		start := len(b)
		b = append(appendFront(b, c, own), '\n')
		if s == nil {
			return b[:len(b)-1], nil
		}
		return s.convertLineEnds(b, start), nil
	}
	e := edit{List: s.front.List}
	e.All = slices.Clone(e.All)
	e.writeShared(c)
	if own {
		e.writeOwn(c)
	}
	if b = append(b, s.opening...); e.Writable(&s.front.List) {
		b = s.appendInside(b, &e.List)
	} else {
		b, left = append(b, s.inside...), e.written
	}
	return append(b, s.closing...), left
}

// appendFront appends a new frontmatter. The first lines are exactly Copilot's, empty lines included; ibid's
// follow.
func appendFront(b []byte, c *Chat, own bool) []byte {
	b = append(b, "---\n"...)
	if c.Epoch != 0 {
		b = properties.AppendNumber(b, "epoch", c.Epoch)
	}
	b = append(properties.AppendQuoted(append(b, "modelKey: "...), cmp.Or(c.ModelKey, c.Model)), '\n')
	if title := cleanTitle(c.Title); title != "" {
		b = properties.AppendQuoted(append(b, "topic: "...), title)
	}
	b = append(b, '\n')
	if c.Accessed != 0 {
		b = strconv.AppendInt(append(b, "lastAccessedAt: "...), c.Accessed, 10)
	}
	b = append(b, '\n')
	tags := c.Tags
	if !hasTag(tags, chatTag) {
		tags = append([]string{chatTag}, tags...)
	}
	b = properties.AppendList(b, "tags", tags, properties.AppendScalar)
	if own {
		b = appendOwn(b, c)
		b = properties.AppendList(b, "notes", usedLinks(c), appendLink)
	}
	return append(b, "---\n"...)
}

// appendLink appends a note as a wikilink: Obsidian shows it in its graph and updates it when the note moves,
// Copilot skips the property, and no reader takes it for text of a message.
func appendLink(b []byte, target string) []byte { return properties.AppendQuoted(b, "[["+target+"]]") }

// ownText is a text property that only ibid reads, with the function that appends its value.
type ownText struct {
	key  string
	text *string
	add  func([]byte, string) []byte
}

func (c *Chat) ownTexts() []ownText {
	return []ownText{
		{"model", &c.Model, properties.AppendQuoted},
		{"layout", &c.Layout, properties.AppendScalar},
		{"chain", &c.Chain, properties.AppendScalar},
		{"project", &c.Project, properties.AppendQuoted},
	}
}

// appendOwn appends the property "ibid", which holds the values that only ibid reads.
func appendOwn(b []byte, c *Chat) []byte {
	b = properties.AppendNumber(b, "ibid:\n  v", version)
	for _, p := range c.ownTexts() {
		if *p.text != "" {
			b = append(p.add(append(b, "  "+p.key+": "...), *p.text), '\n')
		}
	}
	if c.Pinned {
		b = append(b, "  pinned: true\n"...)
	}
	n := foreignHeaders(c.Messages)
	if s := c.file.src; s == nil {
		if n == 0 {
			return b
		}
	} else {
		if e := s.front.Find("epoch"); e != nil && e.Number() == 0 {
			b = properties.AppendNumber(b, "  epoch", c.Epoch)
		}
		if b = append(b, s.front.unknownLines...); n == 0 && s.front.created() {
			return b
		}
	}
	return properties.AppendNumber(b, "  foreign", int64(n))
}

// edit changes the properties of a file that was read.
type edit struct {
	properties.List
	written []byte // the changed properties as YAML, without links
}

// write replaces a property in its place or appends it; a nil line removes its text.
func (e *edit) write(key string, line []byte) {
	if key != "notes" {
		e.written = append(e.written, line...)
	}
	e.Set(key, string(line), key == "ibid") // older versions wrote more than one "ibid"
}

// writeShared writes the changed properties among those that Copilot reads too.
func (e *edit) writeShared(c *Chat) {
	s := c.file.src
	was := &s.seen
	epoch := s.front.Find("epoch")
	if c.Epoch != was.Epoch && (epoch == nil || epoch.Number() != 0) {
		e.write("epoch", properties.AppendNumber(nil, "epoch", c.Epoch))
	}
	key := cmp.Or(c.ModelKey, c.Model)
	if s.front.created() && key != was.ModelKey && s.front.Find("modelKey") != nil {
		e.write("modelKey", append(properties.AppendQuoted([]byte("modelKey: "), key), '\n'))
	}
	if title := cleanTitle(c.Title); title != was.Title || s.front.legacy && title != s.front.topic {
		e.write("topic", append(properties.AppendQuoted([]byte("topic: "), title), '\n'))
	}
	if c.Accessed != was.Accessed {
		e.write("lastAccessedAt", properties.AppendNumber(nil, "lastAccessedAt", c.Accessed))
	}
	if !slices.Equal(c.Tags, was.Tags) {
		e.write("tags", properties.AppendList(nil, "tags", c.Tags, properties.AppendScalar))
	}
}

// writeOwn writes the changed properties among those that only ibid reads, and removes those that old files
// have at the top level.
func (e *edit) writeOwn(c *Chat) {
	s := c.file.src
	if s.front.legacy {
		for _, key := range []string{"model", "layout", "title"} {
			if s.front.Find(key) != nil {
				e.write(key, nil)
			}
		}
	}
	e.write("ibid", appendOwn(nil, c))
	links := unique(append(usedLinks(c), s.front.addedLinks...))
	if mine := s.front.links != nil; (mine || s.front.Find("notes") == nil) && !slices.Equal(links, s.front.links) {
		e.write("notes", properties.AppendList(nil, "notes", links, appendLink))
	}
}

// usedLinks returns the link targets of the notes in context lines, in the order of first appearance. Paths
// that no link can name are left out.
func usedLinks(c *Chat) []string {
	var links []string
	for _, p := range c.paths() {
		if target := linkTarget(p); target != "" {
			links = append(links, target)
		}
	}
	return unique(links)
}

// linkTarget returns the target of a wikilink to the note at path, "" if no link can name it.
func linkTarget(path string) string {
	if strings.ContainsAny(path, "#^|[]\n\r") {
		return ""
	}
	if n := len(path) - len(".md"); n > 0 && strings.EqualFold(path[n:], ".md") {
		path = path[:n]
	}
	return strings.TrimSpace(path)
}

// paths returns every path in context lines, in the order of first appearance.
func (c *Chat) paths() (all []string) {
	for i := range c.Messages {
		all = append(all, c.Messages[i].Context.paths()...)
	}
	return unique(all)
}

// paths returns every path in the context: notes, pins, the active note, the notes of selections, images.
func (c *Context) paths() []string {
	var paths []string
	if c.Active != "" {
		paths = append(paths, c.Active)
	}
	paths = append(paths, c.Pins...)
	paths = append(paths, c.Notes...)
	for _, s := range c.Selections {
		if path, sub := splitSelection(s); sub != "" {
			paths = append(paths, path)
		}
	}
	return append(paths, c.Images...)
}

// splitSelection splits path#subpath. A '#' can be part of a file name, so it splits at the one after ".md",
// else at the last. Without a '#', sub is "": the selection is of no file, as standard input is.
func splitSelection(id string) (path, sub string) {
	if i := strings.Index(id, ".md#"); i >= 0 {
		i += len(".md")
		return id[:i], id[i:]
	}
	if i := strings.LastIndexByte(id, '#'); i >= 0 {
		return id[:i], id[i:]
	}
	return id, ""
}

// cleanTitle returns s on one line without control characters.
func cleanTitle(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return md.OneLine(s)
}

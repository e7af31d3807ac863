package history

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// chatTag is the tag by which Copilot finds its chats.
const chatTag = "copilot-conversation"

// appendProperties writes the frontmatter: of a file that was read, as it was but
// for what changed; own keys only if own is set. What that frontmatter has no place
// for is left for the hidden block.
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
		return s.lines(b, start), nil
	}
	e := edit{facts: s.front}
	e.props = slices.Clone(e.props)
	e.writeShared(c)
	if own {
		e.writeOwn(c)
	}
	if b = append(b, s.opening...); e.sound(s) {
		b = s.appendInside(b, e.props)
	} else {
		b, left = append(b, s.inside...), e.set
	}
	return append(b, s.closing...), left
}

// appendFront writes a new frontmatter. The first lines are Copilot's to the
// byte, empty lines included; ours follow.
func appendFront(b []byte, c *Chat, own bool) []byte {
	b = append(b, "---\n"...)
	if c.Epoch != 0 {
		b = appendNumber(b, "epoch", c.Epoch)
	}
	b = append(appendQuoted(append(b, "modelKey: "...), cmp.Or(c.ModelKey, c.Model)), '\n')
	if title := cleanTitle(c.Title); title != "" {
		b = appendQuoted(append(b, "topic: "...), title)
	}
	b = append(b, '\n')
	if c.Accessed != 0 {
		b = strconv.AppendInt(append(b, "lastAccessedAt: "...), c.Accessed, 10)
	}
	b = append(b, '\n')
	tags := c.Tags
	if !slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, chatTag) }) {
		tags = append([]string{chatTag}, tags...)
	}
	b = appendList(b, "tags", tags, appendScalar)
	if own {
		b = appendOwn(b, c)
		b = appendList(b, "notes", usedLinks(c), appendLink)
	}
	return append(b, "---\n"...)
}

func appendNumber(b []byte, key string, n int64) []byte {
	return append(strconv.AppendInt(append(b, key+": "...), n, 10), '\n')
}

// appendList writes a property that is a list, or nothing if the list is empty.
func appendList(b []byte, key string, list []string, add func([]byte, string) []byte) []byte {
	for i, s := range list {
		if i == 0 {
			b = append(b, key+":\n"...)
		}
		b = append(add(append(b, "  - "...), s), '\n')
	}
	return b
}

// appendLink writes a note as a wikilink: Obsidian draws it in its graph and
// follows it when the note moves, Copilot skips the property, and none of it is
// text of a message.
func appendLink(b []byte, target string) []byte { return appendQuoted(b, "[["+target+"]]") }

// appendOwn writes the property that holds what only ibid reads.
func appendOwn(b []byte, c *Chat) []byte {
	b = appendNumber(b, "ibid:\n  v", version)
	for _, p := range []struct {
		key, value string
		add        func([]byte, string) []byte
	}{
		{"model", c.Model, appendQuoted}, {"layout", c.Layout, appendScalar}, {"chain", c.Chain, appendScalar}, {"project", c.Project, appendQuoted},
	} {
		if p.value != "" {
			b = append(p.add(append(b, "  "+p.key+": "...), p.value), '\n')
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
		if e := s.property("epoch"); e != nil && millis(e.value) == 0 {
			b = appendNumber(b, "  epoch", c.Epoch)
		}
		if b = append(b, s.front.others...); n == 0 && s.front.created() {
			return b
		}
	}
	return appendNumber(b, "  foreign", int64(n))
}

// edit changes the properties of a file that was read.
type edit struct {
	facts
	set []byte // what was written, but for links
}

// write writes a property anew in its place, or at the end; nothing removes it.
func (e *edit) write(key string, line []byte) {
	if key != "notes" {
		e.set = append(e.set, line...)
	}
	text := indentLines(string(line), e.indent)
	i := slices.IndexFunc(e.props, func(p property) bool { return p.key == key })
	if i < 0 {
		e.props = append(e.props, property{key: key, raw: text})
		return
	}
	p := &e.props[i]
	if p.raw = e.around(p, text); text == "" {
		p.key = ""
	}
	if key == "ibid" { // older versions wrote more than one
		rest := slices.DeleteFunc(e.props[i+1:], func(p property) bool { return p.key == key })
		e.props = e.props[:i+1+len(rest)]
	}
}

// sound reports whether the properties can be written: read again, they are as many
// by the same names.
func (e *edit) sound(s *source) bool {
	text := joinProperties(e.props)
	if e.fixed || text == joinProperties(s.front.props) {
		return !e.fixed
	}
	var now facts
	err := now.divide(text + e.tail)
	return (err != nil) == e.damaged && slices.Equal(names(now.props), names(e.props))
}

func names(props []property) (names []string) {
	for _, p := range props {
		if p.key != "" {
			names = append(names, p.key)
		}
	}
	return names
}

// writeShared writes what changed of the properties that Copilot reads too.
func (e *edit) writeShared(c *Chat) {
	s := c.file.src
	was := &s.seen
	epoch := s.property("epoch")
	if c.Epoch != was.Epoch && (epoch == nil || millis(epoch.value) != 0) {
		e.write("epoch", appendNumber(nil, "epoch", c.Epoch))
	}
	key := cmp.Or(c.ModelKey, c.Model)
	if s.front.created() && key != was.ModelKey && s.property("modelKey") != nil {
		e.write("modelKey", append(appendQuoted([]byte("modelKey: "), key), '\n'))
	}
	if title := cleanTitle(c.Title); title != was.Title || s.front.legacy && title != s.front.topic {
		e.write("topic", append(appendQuoted([]byte("topic: "), title), '\n'))
	}
	if c.Accessed != was.Accessed {
		e.write("lastAccessedAt", appendNumber(nil, "lastAccessedAt", c.Accessed))
	}
	if !slices.Equal(c.Tags, was.Tags) {
		e.write("tags", appendList(nil, "tags", c.Tags, appendScalar))
	}
}

// writeOwn writes what changed of the properties that only ibid has. Old files have
// some of them at the top.
func (e *edit) writeOwn(c *Chat) {
	s := c.file.src
	if s.front.legacy {
		for _, key := range []string{"model", "layout", "title"} {
			if s.property(key) != nil {
				e.write(key, nil)
			}
		}
	}
	e.write("ibid", appendOwn(nil, c))
	links := unique(append(usedLinks(c), s.front.kept...))
	if mine := s.front.links != nil; (mine || s.property("notes") == nil) && !slices.Equal(links, s.front.links) {
		e.write("notes", appendList(nil, "notes", links, appendLink))
	}
}

// usedLinks is the link targets of the notes that context lines name, in the
// order of first appearance. A path that no link can name is left out.
func usedLinks(c *Chat) []string {
	var links []string
	for i := range c.Messages {
		for _, p := range c.Messages[i].Context.paths() {
			if target := linkTarget(p); target != "" {
				links = append(links, target)
			}
		}
	}
	return unique(links)
}

// linkTarget is how a wikilink names the note at path, "" if none can.
func linkTarget(path string) string {
	if strings.ContainsAny(path, "#^|[]\n\r") {
		return ""
	}
	if n := len(path) - len(".md"); n > 0 && strings.EqualFold(path[n:], ".md") {
		path = path[:n]
	}
	return strings.TrimSpace(path)
}

// paths is every path that the context names: notes, pins, the active note, the
// notes of selections, images.
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

// splitSelection parts path#subpath. A '#' can stand in a file name, so the one
// after ".md" counts, else the last. Without one it is of no file, as standard input is.
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

// cleanTitle is s on one line without control characters.
func cleanTitle(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

// appendQuoted writes a double-quoted YAML scalar on one line.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '\\' || r == '"':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			b = fmt.Appendf(b, `\x%02x`, r)
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == 0xfffe || r == 0xffff:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// appendScalar writes a plain scalar where one is safe, else a quoted one.
func appendScalar(b []byte, s string) []byte {
	var v any
	if !plainScalar.MatchString(s) || yaml.Unmarshal([]byte(s), &v) != nil || v != s {
		return appendQuoted(b, s)
	}
	return append(b, s...)
}

var plainScalar = regexp.MustCompile(`^[\p{Nd}_/]*(?:\p{L}[\p{L}\p{Nd}_/-]*)?$`)

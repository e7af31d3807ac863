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

	"ibid/vault/md"
)

// chatTag is the tag by which Copilot finds its chats.
const chatTag = "copilot-conversation"

// front is a chat as far as the frontmatter describes it, and the two properties
// that hold its title.
type front struct {
	chat         Chat
	topic, title string
}

// appendFront writes the frontmatter. The first lines are Copilot's to the byte,
// empty lines included; ours follow, then those of the person.
func appendFront(b []byte, c *Chat, version int) []byte {
	b = append(b, "---\n"...)
	if c.Epoch != 0 {
		b = strconv.AppendInt(append(b, "epoch: "...), c.Epoch, 10)
		b = append(b, '\n')
	}
	b = append(appendQuoted(append(b, "modelKey: "...), cmp.Or(c.ModelKey, c.Model)), '\n')
	title := cleanTitle(c.Title)
	if title != "" {
		b = appendQuoted(append(b, "topic: "...), title)
	}
	b = append(b, '\n')
	if c.Accessed != 0 {
		b = strconv.AppendInt(append(b, "lastAccessedAt: "...), c.Accessed, 10)
	}
	b = append(b, "\ntags:\n"...)
	if !slices.ContainsFunc(c.Tags, func(t string) bool { return strings.EqualFold(t, chatTag) }) {
		b = append(b, "  - "+chatTag+"\n"...)
	}
	for _, t := range c.Tags {
		b = append(b, "  - "...)
		b = append(appendScalar(b, t), '\n')
	}
	if version > 0 {
		b = append(b, "ibid: "...)
		if c.Project != "" {
			b = append(b, "\n  v: "...)
		}
		b = append(strconv.AppendInt(b, int64(version), 10), '\n')
		if c.Project != "" {
			b = append(appendQuoted(append(b, "  project: "...), c.Project), '\n')
		}
		if c.Model != "" {
			b = append(appendQuoted(append(b, "model: "...), c.Model), '\n')
		}
		if c.Layout != "" {
			b = append(appendScalar(append(b, "layout: "...), c.Layout), '\n')
		}
		if title != "" {
			b = append(appendQuoted(append(b, "title: "...), title), '\n')
		}
		b = appendLinks(b, c)
	}
	if c.Extra != "" {
		b = append(b, strings.TrimRight(c.Extra, "\n")...)
		b = append(b, '\n')
	}
	return append(b, "---\n"...)
}

// appendLinks writes the notes that the chat used as wikilinks in a property:
// Obsidian draws them in its graph and follows them when a note moves, Copilot
// skips the property, and none of it is text of a message.
func appendLinks(b []byte, c *Chat) []byte {
	links := usedLinks(c)
	if len(links) == 0 || notesKey.MatchString(c.Extra) {
		return b
	}
	b = append(b, "notes:\n"...)
	for _, l := range links {
		b = append(b, "  - "...)
		b = append(appendQuoted(b, "[["+l+"]]"), '\n')
	}
	return b
}

// notesKey is a person's own property of that name.
var notesKey = regexp.MustCompile(`(?m)^["']?notes["']?[ \t]*:`)

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
		path, _ := splitSelection(s)
		paths = append(paths, path)
	}
	return append(paths, c.Images...)
}

// splitSelection parts path#subpath. A '#' can stand in a file name, so the one
// after ".md" counts, else the last.
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

// cutFront parts a file into the inside of its frontmatter and the rest. ok is
// false when the file has none.
func cutFront(text string) (inside, body string, ok bool) {
	inside, at, ok := md.Frontmatter(text)
	return inside, text[at:], ok
}

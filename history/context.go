package history

import (
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
)

// Context holds the entries of a message's context line, spelled as the person or the vault spells them.
type Context struct {
	Notes []string `json:"-"` // paths of attached notes
	URLs  []string `json:"urls"`
	// pages that were open in a browser; ibid keeps them but does not use them
	WebTabs    []string `json:"web_tabs"`
	Tags       []string `json:"tags"`             // with or without '#'
	Folders    []string `json:"folders"`          //
	Selections []string `json:"selections"`       // path#L3-L9, path#Heading, path#^block
	Pins       []string `json:"pins"`             // paths of the pinned notes that were sent with the message
	Images     []string `json:"images"`           // paths of attached images
	Active     string   `json:"active,omitempty"` // path of the active note, if it was sent with the message
	Other      []string `json:"-"`                // entries of kinds that ibid does not know, as written
}

// lists returns the lists of c in the order of kinds.
func (c *Context) lists() [8]*[]string {
	return [...]*[]string{&c.Notes, &c.URLs, &c.WebTabs, &c.Tags, &c.Folders, &c.Selections, &c.Pins, &c.Images}
}

// Empty reports whether c has no entry.
func (c *Context) Empty() bool { return c.equal(&Context{}) }

// Refs returns the references that the line names, without duplicates: the active note, the pins, then the rest
// by kind.
func (c *Context) Refs() []prompt.Ref {
	var refs []prompt.Ref
	add := func(kind prompt.Kind, id string) {
		if id != "" {
			refs = append(refs, prompt.Ref{Kind: kind, ID: id})
		}
	}
	add(prompt.Note, c.Active)
	for _, p := range c.Pins {
		add(prompt.Note, p)
	}
	for i, list := range c.lists() {
		k := kinds[i]
		for _, id := range *list {
			switch k.kind {
			case "":
				continue
			case prompt.Tag:
				if id = strings.TrimPrefix(id, "#"); id != "" {
					id = "#" + id
				}
			case prompt.Folder:
				if id = strings.TrimRight(id, "/"); id != "" {
					id += "/"
				}
			}
			add(k.kind, id)
		}
	}
	return unique(refs)
}

// ContextOf sorts refs into a Context. active is the path of the active note and pins are those of the pinned
// ones; a note among refs that is one of them is listed there and not under Notes. Query blocks have no kind in
// the line: they are in Meta.Refs.
func ContextOf(refs []prompt.Ref, active string, pins []string) Context {
	var c Context
	pinned := set(pins)
	for _, r := range unique(refs) {
		switch {
		case r.Kind == prompt.Note && r.ID == active && active != "":
			c.Active = r.ID
		case r.Kind == prompt.Note && pinned[r.ID]:
			c.Pins = append(c.Pins, r.ID)
		default:
			if i := slices.IndexFunc(kinds[:], func(k kind) bool { return k.kind == r.Kind }); i >= 0 {
				list := c.lists()[i]
				*list = append(*list, r.ID)
			}
		}
	}
	return c
}

func set[T comparable](list []T) map[T]bool {
	in := make(map[T]bool, len(list))
	for _, v := range list {
		in[v] = true
	}
	return in
}

// unique returns the distinct values of list, in the order of their first occurrence.
func unique[T comparable](list []T) []T {
	var out []T
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// Refs returns what was attached to the message, in the person's order. The context line decides, since a
// person can edit it; the hidden block adds the order and the query blocks.
func (m *Message) Refs() []prompt.Ref {
	named := m.Context.Refs()
	if len(m.Meta.Refs) == 0 {
		return named
	}
	known := set(named)
	refs := slices.DeleteFunc(slices.Clone(m.Meta.Refs), func(r prompt.Ref) bool {
		return r.Kind != prompt.Query && !known[r]
	})
	return unique(append(refs, named...))
}

// items returns the items that the message brought to the model: those in the hidden block, else its
// references.
func (m *Message) items() []Item {
	if len(m.Meta.Items) > 0 {
		return m.Meta.Items
	}
	refs := m.Refs()
	items := make([]Item, len(refs))
	for i, r := range refs {
		items[i] = Item{Ref: r}
	}
	return items
}

// The context line is
//
//	[Context: Notes: a.md, b.md | URLs: https://u | Tags: #t]
//
// with the kinds in the order of the table below. Copilot's reader knows the first five kinds, ignores the
// rest, and knows no escapes: it splits at " | " and ", " and stops at the first "]". So exactly these
// separators are percent-encoded, a line end as well, and a percent sign only where it would read as one of
// their codes.

const contextOpen = "[Context: "

// kind is a kind of entry in a context line.
type kind struct {
	kind  prompt.Kind // "" if entries of the kind cannot be attached
	label string
}

// kinds are the kinds of entries in the order in which they are written: those of prompt.Kinds, and some that
// only a context line has.
var kinds = [...]kind{
	attachable(prompt.Note), attachable(prompt.URL),
	{prompt.URL, "Web Tabs: "},
	attachable(prompt.Tag),
	attachable(prompt.Folder), attachable(prompt.Selection),
	{"", "Pins: "},
	attachable(prompt.Picture),
}

func attachable(k prompt.Kind) kind { return kind{k, k.Info().Label + ": "} }

const activeLabel = "Active: "

// appendContext appends the context line with a newline before it, or nothing if c is empty.
func appendContext(b []byte, c *Context) []byte {
	start := len(b)
	open := func(label string) {
		if len(b) == start {
			b = append(b, "\n"+contextOpen...)
		} else {
			b = append(b, " | "...)
		}
		b = append(b, label...)
	}
	for i, list := range c.lists() {
		k, first := kinds[i], true
		for _, s := range *list {
			switch {
			case s == "":
				continue
			case first:
				open(k.label)
			default:
				b = append(b, ", "...)
			}
			first = false
			b = append(b, escapeItem(s, k.kind == prompt.URL)...)
		}
	}
	if c.Active != "" {
		open(activeLabel)
		b = append(b, escapeItem(c.Active, false)...)
	}
	for _, s := range c.Other {
		open("")
		b = append(b, strings.NewReplacer("\n", " ", "\r", " ").Replace(s)...)
	}
	if len(b) > start {
		b = append(b, ']')
	}
	return b
}

// Line returns the context line, "" if it is empty. It leaves out what tools looked up, which is not an
// attachment.
func (c Context) Line() string {
	c.Other = slices.DeleteFunc(slices.Clone(c.Other), func(s string) bool { return strings.HasPrefix(s, "Tools: ") })
	return strings.TrimPrefix(string(appendContext(nil, &c)), "\n")
}

// LineWithout returns a context line without the entries that name one of refs.
func LineWithout(line string, refs []prompt.Ref) string {
	return Message{Context: parseContext(line, true)}.Without(refs).Context.Line()
}

// parseContext parses a line that begins with "[Context: ". escaped says that ibid wrote the line, with its
// escapes.
func parseContext(line string, escaped bool) Context {
	var c Context
	inside := strings.TrimPrefix(line, contextOpen)
	if i := strings.LastIndexByte(inside, ']'); i >= 0 {
		inside = inside[:i]
	}
	if inside == "" {
		return c
	}
	for part := range strings.SplitSeq(inside, " | ") {
		c.addKind(part, escaped)
	}
	return c
}

func (c *Context) addKind(part string, escaped bool) {
	if !escaped {
		part = strings.TrimLeft(part, " ")
	}
	if s, ok := strings.CutPrefix(part, "WebTabs: "); ok {
		c.WebTabs = append(c.WebTabs, splitItems(s, escaped, true)...)
		return
	}
	if s, ok := strings.CutPrefix(part, activeLabel); ok {
		if s = unescapeItem(s, escaped); s != "" {
			c.Active = s
		}
		return
	}
	for i, list := range c.lists() {
		k := kinds[i]
		if s, ok := strings.CutPrefix(part, k.label); ok {
			*list = append(*list, splitItems(s, escaped, k.kind == prompt.URL)...)
			return
		}
	}
	if strings.TrimSpace(part) != "" {
		c.Other = append(c.Other, part)
	}
}

func splitItems(s string, escaped, url bool) []string {
	items := strings.Split(s, ", ")
	kept := items[:0]
	for _, item := range items {
		if !escaped {
			item = strings.TrimSpace(item)
		} else if !url {
			item = unescapeItem(item, true)
		}
		if item != "" {
			kept = append(kept, item)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// unescaper decodes the escapes of an item: '%' and the code of the byte.
var unescaper = strings.NewReplacer("%2C", ",", "%7C", "|", "%5D", "]", "%0A", "\n", "%0D", "\r", "%25", "%")

// escapeItem encodes the characters of s that would end the item early. In a URL a percent sign is an escape
// already and stays: only the separators are encoded.
func escapeItem(s string, url bool) string {
	var b strings.Builder
	for i := range len(s) {
		rest, separates := s[i+1:], false
		switch s[i] {
		case ']', '\n', '\r':
			separates = true
		case ',':
			separates = strings.HasPrefix(rest, " ")
		case '|':
			separates = (i == 0 || s[i-1] == ' ') && (rest == "" || rest[0] == ' ')
		case '%':
			code := s[i:min(i+3, len(s))]
			separates = !url && unescaper.Replace(code) != code
		}
		if separates {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func unescapeItem(s string, escaped bool) string {
	if !escaped {
		return strings.TrimSpace(s)
	}
	return unescaper.Replace(s)
}

// Without returns a copy of m in which neither the context line nor the hidden data names one of refs, in the
// variants too. The text does not change.
func (m Message) Without(refs []prompt.Ref) Message {
	gone := map[string]bool{}
	for _, r := range refs {
		gone[r.ID] = true
	}
	keep := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return gone[s] })
	}
	c := m.Context
	for _, list := range c.lists() {
		*list = keep(*list)
	}
	if gone[c.Active] {
		c.Active = ""
	}
	m.Context = c
	m.Meta.Refs = slices.DeleteFunc(slices.Clone(m.Meta.Refs), func(r prompt.Ref) bool { return gone[r.ID] })
	m.Meta.Items = slices.DeleteFunc(slices.Clone(m.Meta.Items), func(it Item) bool { return gone[it.Ref.ID] })
	m.Variants = mapQuestions(m.Variants, func(q Message) Message { return q.Without(refs) })
	return m
}

package history

import (
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
)

// Context is what the context line of a message names. Entries are spelled as
// the person or the vault spells them.
type Context struct {
	Notes      []string `json:"-"` // paths of attached notes
	URLs       []string `json:"urls"`
	WebTabs    []string `json:"web_tabs"`         // pages that were open in a browser; ibid only keeps them
	Tags       []string `json:"tags"`             // with or without '#'
	Folders    []string `json:"folders"`          //
	Selections []string `json:"selections"`       // path#L3-L9, path#Heading, path#^block
	Pins       []string `json:"pins"`             // paths of the pinned notes that went with the message
	Images     []string `json:"images"`           // paths of attached images
	Active     string   `json:"active,omitempty"` // path of the active note, if it went with the message
	Other      []string `json:"-"`                // kinds that ibid does not know, as written
}

// lists are the lists of the kinds below, in their order.
func (c *Context) lists() [8]*[]string {
	return [...]*[]string{&c.Notes, &c.URLs, &c.WebTabs, &c.Tags, &c.Folders, &c.Selections, &c.Pins, &c.Images}
}

// Empty reports whether nothing is named.
func (c *Context) Empty() bool { return c.equal(&Context{}) }

// Refs is what the line stands for: the active note, the pins, then the rest by
// kind, each once.
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

// ContextOf sorts refs into a Context. active is the path of the active note and
// pins those of the pinned ones; a note among refs that is one of them is named
// there and not twice. Query blocks have no kind in the line: they live in
// Meta.Refs.
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

// unique is list with each value where it stands first.
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

// Refs is what was attached to the message, in the person's order. The context
// line is the truth, since a person can edit it; the hidden block adds the order
// and the query blocks.
func (m *Message) Refs() []prompt.Ref {
	named := m.Context.Refs()
	if len(m.Meta.Refs) == 0 {
		return named
	}
	known := set(named)
	refs := slices.DeleteFunc(slices.Clone(m.Meta.Refs), func(r prompt.Ref) bool { return r.Kind != prompt.Query && !known[r] })
	return unique(append(refs, named...))
}

// items is what the message brought to the model: what the hidden block lists,
// else the references themselves.
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
// with the kinds in the order of the table below. Copilot's reader knows the
// first five kinds, ignores the rest, and knows no escapes: it splits at " | "
// and ", " and stops at the first "]". So exactly those are percent-encoded, a
// line end as well, and a percent sign only where it would read as one of them.

const contextOpen = "[Context: "

// kind is a kind of thing that a context line names.
type kind struct {
	kind  prompt.Kind // "" if it is nothing to attach
	label string
}

// kinds are those of prompt.Kinds, and what only a context line has, in the order
// in which they are written.
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

// appendContext writes the line with the newline before it, or nothing if c is
// empty.
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

// Line is the context line, "" if nothing is named. What tools looked up is left
// out: it is no attachment.
func (c Context) Line() string {
	c.Other = slices.DeleteFunc(slices.Clone(c.Other), func(s string) bool { return strings.HasPrefix(s, "Tools: ") })
	return strings.TrimPrefix(string(appendContext(nil, &c)), "\n")
}

// LineWithout is a context line that names none of refs.
func LineWithout(line string, refs []prompt.Ref) string {
	return Message{Context: parseContext(line, true)}.Without(refs).Context.Line()
}

// parseContext reads the inside of a line from "[Context: " on. escaped says
// that ibid wrote it.
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

// unescaper takes the escapes of an item away: '%' and the code of the byte.
var unescaper = strings.NewReplacer("%2C", ",", "%7C", "|", "%5D", "]", "%0A", "\n", "%0D", "\r", "%25", "%")

// escapeItem encodes what would end the item early. In a URL a percent sign is
// already an escape and stays one: there only the separators are touched.
func escapeItem(s string, url bool) string {
	if !strings.ContainsAny(s, ",|]\n\r%") {
		return s
	}
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
	if !strings.Contains(s, "%") {
		return s // for most, and Replace would copy it
	}
	return unescaper.Replace(s)
}

// Without is the message with nothing that names one of refs: neither in its
// context line nor in what the hidden block knows, of its variants too. The text
// stays as it is.
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
	m.Variants = eachQuestion(m.Variants, func(q Message) Message { return q.Without(refs) })
	return m
}

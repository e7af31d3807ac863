package history

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// chatTag is the tag by which Copilot finds its chats.
const chatTag = "copilot-conversation"

// front is the frontmatter of a chat, our properties decoded and the others as
// they stand.
type front struct {
	epoch, accessed int64
	modelKey, model string
	topic, layout   string
	tags, links     []string
	version         int
	extra           string
}

// appendFront writes the frontmatter. The first lines are Copilot's to the byte,
// empty lines included; ours follow, then those of the person.
func appendFront(b []byte, c *Chat, version int) []byte {
	b = append(b, "---\n"...)
	if c.Epoch != 0 {
		b = strconv.AppendInt(append(b, "epoch: "...), c.Epoch, 10)
		b = append(b, '\n')
	}
	key := c.ModelKey
	if key == "" {
		key = c.Model
	}
	b = append(appendQuoted(append(b, "modelKey: "...), key), '\n')
	title := cleanTitle(c.Title)
	if title != "" {
		b = appendQuoted(append(b, "topic: "...), title)
	}
	b = append(b, '\n')
	if c.Accessed != 0 {
		b = strconv.AppendInt(append(b, "lastAccessedAt: "...), c.Accessed, 10)
	}
	b = append(b, "\ntags:\n"...)
	if !containsFold(c.Tags, chatTag) {
		b = append(b, "  - "+chatTag+"\n"...)
	}
	for _, t := range c.Tags {
		b = append(b, "  - "...)
		b = append(appendScalar(b, t), '\n')
	}
	if version > 0 {
		b = strconv.AppendInt(append(b, "ibid: "...), int64(version), 10)
		b = append(b, '\n')
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
	if len(links) == 0 || hasKey(c.Extra, "notes") {
		return b
	}
	b = append(b, "notes:\n"...)
	for _, l := range links {
		b = append(b, "  - "...)
		b = append(appendQuoted(b, "[["+l+"]]"), '\n')
	}
	return b
}

// usedLinks is the link targets of the notes that context lines name, in the
// order of first appearance. A path that no link can name is left out.
func usedLinks(c *Chat) []string {
	var links []string
	seen := map[string]bool{}
	for i := range c.Messages {
		for _, p := range c.Messages[i].Context.paths() {
			target := linkTarget(p)
			if target == "" || seen[target] {
				continue
			}
			seen[target] = true
			links = append(links, target)
		}
	}
	return links
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
	letter := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r) || r == '_' || r == '/':
		case r == '-' && letter:
		default:
			return appendQuoted(b, s)
		}
	}
	var v any
	if err := yaml.Unmarshal([]byte(s), &v); err != nil || v != s {
		return appendQuoted(b, s)
	}
	return append(b, s...)
}

func containsFold(list []string, s string) bool {
	for _, e := range list {
		if strings.EqualFold(e, s) {
			return true
		}
	}
	return false
}

// cutFront parts a file into the inside of its frontmatter and the rest. ok is
// false when the file has none.
func cutFront(text string) (inside, body string, ok bool) {
	rest, found := strings.CutPrefix(text, "---\n")
	if !found {
		return "", text, false
	}
	for at := 0; ; {
		line, _, more := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			body = rest[at+len(line):]
			return rest[:at], strings.TrimPrefix(body, "\n"), true
		}
		if !more {
			return "", text, false
		}
		at += len(line) + 1
	}
}

// property is one top-level property with the lines that it stands on.
type property struct {
	key   string
	value *yaml.Node
	raw   string
}

// ourKeys are the properties that appendFront writes by itself.
var ourKeys = map[string]bool{
	"epoch": true, "lastAccessedAt": true, "modelKey": true, "model": true, "topic": true,
	"title": true, "layout": true, "ibid": true, "tags": true, "notes": true,
}

// parseFront reads the inside of a frontmatter. Bad YAML gives an error together
// with what could be read property by property.
func parseFront(inside string) (front, error) {
	props, err := properties(inside)
	var f front
	var title string
	var extra strings.Builder
	for _, p := range props {
		switch p.key {
		case "epoch":
			f.epoch = millis(p.value)
		case "lastAccessedAt":
			f.accessed = millis(p.value)
		case "modelKey":
			f.modelKey = scalar(p.value)
		case "model":
			f.model = scalar(p.value)
		case "topic":
			f.topic = cleanTitle(scalar(p.value))
		case "title":
			title = cleanTitle(scalar(p.value))
		case "layout":
			f.layout = scalar(p.value)
		case "ibid":
			f.version = int(millis(p.value))
		case "tags":
			f.tags = tagList(p.value)
		case "notes":
			links, ours := linkList(p.value)
			if !ours {
				extra.WriteString(p.raw)
				continue
			}
			f.links = links
		default:
			extra.WriteString(p.raw)
		}
	}
	// Copilot writes the topic, and only it: where the two differ it is the later.
	if f.topic == "" {
		f.topic = title
	}
	f.extra = extra.String()
	if err == nil && !standsAlone(f.extra) {
		f.extra = resolved(props)
	}
	return f, err
}

// standsAlone reports whether extra is YAML without the properties around it: an
// alias may point to one of ours.
func standsAlone(extra string) bool {
	var doc yaml.Node
	return !strings.Contains(extra, "*") || yaml.Unmarshal([]byte(extra), &doc) == nil
}

// resolved is the foreign properties with their aliases written out.
func resolved(props []property) string {
	var b strings.Builder
	for _, p := range props {
		var v any
		if ourKeys[p.key] || p.value.Decode(&v) != nil {
			continue
		}
		raw, err := yaml.Marshal(map[string]any{p.key: v})
		if err == nil {
			b.Write(raw)
		}
	}
	return b.String()
}

// properties parts a frontmatter into its top-level properties, comments above a
// property included.
func properties(inside string) ([]property, error) {
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(inside), &doc)
	if err != nil {
		return looseProperties(inside), fmt.Errorf("read the properties: %w", err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		if strings.TrimSpace(inside) != "" && (len(doc.Content) == 0 || doc.Content[0].Kind != yaml.ScalarNode || doc.Content[0].Tag != "!!null") {
			return looseProperties(inside), fmt.Errorf("read the properties: they are not a list of names and values")
		}
		return nil, nil
	}
	m := doc.Content[0]
	if m.Style&yaml.FlowStyle != 0 {
		return flowProperties(m), nil
	}
	lines := strings.SplitAfter(inside, "\n")
	starts := make([]int, 0, len(m.Content)/2+1)
	for i := 0; i < len(m.Content); i += 2 {
		at := min(m.Content[i].Line-1, len(lines))
		for at > 0 && strings.HasPrefix(lines[at-1], "#") {
			at--
		}
		if n := len(starts); n > 0 {
			at = max(at, starts[n-1])
		}
		starts = append(starts, at)
	}
	starts = append(starts, len(lines))
	props := make([]property, len(m.Content)/2)
	for i := range props {
		raw := strings.TrimRight(strings.Join(lines[starts[i]:starts[i+1]], ""), "\n") + "\n"
		props[i] = property{key: m.Content[2*i].Value, value: m.Content[2*i+1], raw: raw}
	}
	return props, nil
}

// flowProperties reads {a: 1, b: 2}, which has no lines of its own to keep.
func flowProperties(m *yaml.Node) []property {
	props := make([]property, 0, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		raw, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: m.Content[i : i+2]})
		if err != nil {
			continue // an alias without its anchor: there is no text to keep
		}
		props = append(props, property{key: m.Content[i].Value, value: m.Content[i+1], raw: string(raw)})
	}
	return props
}

// looseProperties reads YAML that is none, property by property: lines that
// begin with a name and a colon start one, and each is read on its own.
func looseProperties(inside string) []property {
	var props []property
	for line := range strings.SplitAfterSeq(inside, "\n") {
		key, rest, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \t#-") {
			if n := len(props); n > 0 {
				props[n-1].raw += line
			} else if strings.TrimSpace(line) != "" {
				props = append(props, property{raw: line})
			}
			continue
		}
		value := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.Trim(strings.TrimSpace(rest), `"`)}
		props = append(props, property{key: key, value: value, raw: line})
	}
	for i := range props {
		p := &props[i]
		p.raw = strings.TrimRight(p.raw, "\n") + "\n"
		var doc yaml.Node
		if yaml.Unmarshal([]byte(p.raw), &doc) == nil && len(doc.Content) == 1 && len(doc.Content[0].Content) == 2 {
			p.value = doc.Content[0].Content[1]
		}
	}
	return props
}

// scalar is a node's text, "" for null and for what is no scalar.
func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// millis is a number, or a string that holds one; 0 for anything else.
func millis(n *yaml.Node) int64 {
	s := strings.TrimSpace(scalar(n))
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return 0
}

// tagList is a list of tags, or a string of them.
func tagList(n *yaml.Node) []string {
	var tags []string
	add := func(s string) {
		if s = strings.TrimPrefix(strings.TrimSpace(s), "#"); s != "" {
			tags = append(tags, s)
		}
	}
	switch n.Kind {
	case yaml.SequenceNode:
		for _, e := range n.Content {
			add(scalar(e))
		}
	case yaml.ScalarNode:
		for s := range strings.FieldsFuncSeq(scalar(n), func(r rune) bool { return r == ',' || r == ' ' }) {
			add(s)
		}
	}
	return tags
}

// linkList is a list of nothing but wikilinks, which is what we write.
func linkList(n *yaml.Node) (targets []string, ours bool) {
	if n.Kind != yaml.SequenceNode {
		return nil, false
	}
	for _, e := range n.Content {
		s, ok := strings.CutPrefix(scalar(e), "[[")
		if !ok || !strings.HasSuffix(s, "]]") {
			return nil, false
		}
		target, _, _ := strings.Cut(strings.TrimSuffix(s, "]]"), "|")
		targets = append(targets, target)
	}
	return targets, true
}

// hasKey reports whether the YAML extra sets key at its top level.
func hasKey(extra, key string) bool {
	if !strings.Contains(extra, key) {
		return false
	}
	props, _ := properties(extra) // what is no YAML still names its keys
	for _, p := range props {
		if p.key == key {
			return true
		}
	}
	return false
}

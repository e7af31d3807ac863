package history

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// property is one top-level property with the lines that it stands on, comments
// above it included.
type property struct {
	key   string
	value *yaml.Node
	raw   string
	lead  int // bytes of raw above the property itself
}

// around is what stands on the property's lines besides it, with line in its
// place: what stands above it, and comments and blank lines below.
func (f *facts) around(p *property, line string) string {
	raw := p.raw
	at := p.lead
	end := len(raw)
	for end > at {
		start := strings.LastIndexByte(raw[:end-1], '\n') + 1
		if last := raw[start:end]; start < at || strings.TrimSpace(last) != "" && !f.remark(last) {
			break
		}
		end = start
	}
	if p.value != nil && p.value.Anchor != "" && line != "" { // other properties may refer to it
		line = strings.Replace(line, ":", ": &"+p.value.Anchor, 1)
	}
	return raw[:at] + line + raw[end:]
}

// remark reports whether a line is a comment that stands between properties.
func (f *facts) remark(line string) bool {
	text := strings.TrimLeft(line, " ")
	return strings.HasPrefix(text, "#") && len(line)-len(text) <= len(f.indent)
}

// facts is what a frontmatter says besides what it says of the chat.
type facts struct {
	props   []property
	indent  string // in front of each of them
	tail    string // below them: "..." and what follows it
	damaged bool
	fixed   bool // it is not written: {a: 1, b: 2}, or what is named "ibid" is none of ours

	topic   string
	legacy  bool     // its own properties stand at the top
	mapping bool     // they stand under "ibid"
	mode    string   // how an agent of Copilot runs turns, "" if it does not say
	others  string   // of those under "ibid", lines that this version does not know
	foreign int      // lines that read as headers in what another program wrote
	links   []string // of the property of used notes, nil if there is none of ours
	kept    []string // of these, what a person added
}

// created reports whether ibid created the file.
func (f *facts) created() bool { return f.legacy || f.mapping && f.foreign < 0 }

// front is what the frontmatter says of the chat, and besides.
type front struct {
	facts
	chat  Chat
	title string
}

// parseFront reads the inside of a frontmatter, and the properties that the hidden
// block has for it. Bad YAML gives an error together with what could be read property
// by property.
func parseFront(inside, hidden string) (front, error) {
	var f front
	err := f.divide(inside)
	f.damaged = err != nil
	var more facts
	_ = more.divide(hidden) // of damaged ones what can be read
	below := false
	all := append(slices.Clip(f.props), more.props...)
	for _, p := range all {
		if p.key == "ibid" {
			f.readOwn(p.value)
		}
	}
	for _, p := range all {
		f.take(p, below)
		below = below || p.key == "ibid"
	}
	if !f.legacy && !f.mapping {
		f.foreign = math.MaxInt
	}
	f.chat.Title, f.chat.Model = f.name(), cmp.Or(f.chat.Model, modelName(f.chat.ModelKey))
	return f, err
}

// name is the chat's title. Copilot writes the topic, and only it: where the two
// differ it is the later.
func (f *front) name() string { return cmp.Or(f.topic, f.title) }

// edited is name for a chat that was called known when it was saved.
func (f *front) edited(known string) string {
	if f.title != "" && f.topic == known {
		return f.title
	}
	return f.name()
}

// readOwn reads ibid's own property: the version of the format, or a mapping of that
// and of what else only ibid knows.
func (f *front) readOwn(n *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		f.chat.file.version = int(millis(n))
		f.legacy = f.chat.file.version > 0
		f.fixed = f.fixed || n != nil && n.Tag != "!!null" && !f.legacy
		return
	}
	f.mapping, f.foreign = true, -1
	f.remarks(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if slices.Contains(strings.Fields(ownKeys), name.Value) {
			f.remarks(name, value)
		}
		switch name.Value {
		case "v":
			f.chat.file.version = int(millis(value))
		case "model":
			f.chat.Model = scalar(value)
		case "layout":
			f.chat.Layout = scalar(value)
		case "project":
			f.chat.Project = scalar(value)
		case "pinned":
			f.chat.Pinned = scalar(value) == "true"
		case "epoch":
			f.chat.Epoch = millis(value)
		case "foreign":
			f.foreign = int(max(millis(value), 0))
		case "chain":
			f.chat.Chain = scalar(value)
		default:
			if raw, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: n.Content[i : i+2]}); err == nil {
				f.others += indentLines(string(raw), "  ")
			}
		}
	}
}

// ownKeys are the properties under "ibid" that this version writes.
const ownKeys = "v model layout project pinned epoch foreign chain"

// remarks keeps the comments that stand with properties which are written anew, below
// these.
func (f *facts) remarks(nodes ...*yaml.Node) {
	for _, n := range nodes {
		for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
			f.others += indentLines(text, "  ")
		}
	}
}

// valueOf is the value of the name at i of a mapping, with the comment behind the name.
func valueOf(m *yaml.Node, i int) *yaml.Node {
	value := m.Content[i+1]
	value.LineComment = cmp.Or(value.LineComment, m.Content[i].LineComment)
	return value
}

// indentLines is lines with by in front of each.
func indentLines(lines, by string) string {
	if lines == "" {
		return ""
	}
	return by + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n"+by) + "\n"
}

// take reads one property; below says that it stands below ibid's own.
func (f *front) take(p property, below bool) {
	switch p.key {
	case "epoch":
		f.chat.Epoch = cmp.Or(millis(p.value), f.chat.Epoch)
	case "lastAccessedAt":
		f.chat.Accessed = millis(p.value)
	case "modelKey":
		f.chat.ModelKey = scalar(p.value)
	case "topic":
		f.topic = cleanTitle(scalar(p.value))
	case "title":
		f.title = cleanTitle(scalar(p.value))
	case "model":
		if f.legacy {
			f.chat.Model = scalar(p.value)
		}
	case "layout":
		if f.legacy {
			f.chat.Layout = scalar(p.value)
		}
	case "mode": // of Copilot's agents
		f.mode = scalar(p.value)
	case "tags":
		f.chat.Tags = tagList(p.value)
	case "notes":
		if below {
			f.links = linkList(p.value)
		}
	}
}

// divide parts a frontmatter into its top-level properties: their lines together, and
// the tail, are the whole of it, unless it is written in flow style.
func (f *facts) divide(inside string) error {
	if strings.TrimSpace(inside) == "" {
		return nil
	}
	var doc, next yaml.Node
	d := yaml.NewDecoder(strings.NewReader(inside))
	err := d.Decode(&doc)
	if err == nil {
		if err = d.Decode(&next); err == nil {
			err = errors.New("there is more than one document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		f.props = looseProperties(inside)
		return fmt.Errorf("read the properties: %w", err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" { // comments at most
		f.props = []property{{raw: inside}}
		return nil
	}
	m := doc.Content[0]
	switch {
	case m.Kind != yaml.MappingNode:
		f.props, f.fixed = looseProperties(inside), true
		return errors.New("read the properties: they are not names with values")
	case m.Style&yaml.FlowStyle != 0 || len(m.Content) == 0:
		f.props, f.fixed = flowProperties(m), true
		return nil
	case strings.ContainsAny(inside, "\r\u0085\u2028\u2029"): // lines to YAML that are none to us
		f.props = looseProperties(inside)
		return nil
	}
	f.cut(m, inside)
	return nil
}

// cut cuts the text of a mapping in block style into its properties.
func (f *facts) cut(m *yaml.Node, inside string) {
	f.indent = strings.Repeat(" ", m.Column-1)
	lines := strings.SplitAfter(inside, "\n")
	last := m.Content[len(m.Content)-2].Line
	if i := slices.IndexFunc(lines[last:], func(line string) bool { return strings.HasPrefix(line, "...") }); i >= 0 {
		f.tail = strings.Join(lines[last+i:], "")
		lines = lines[:last+i]
	}
	starts := make([]int, 0, len(m.Content)/2+1)
	for i := 0; i < len(m.Content); i += 2 {
		at := min(m.Content[i].Line-1, len(lines))
		for at > 0 && f.remark(lines[at-1]) {
			at--
		}
		if n := len(starts); n > 0 {
			at = max(at, starts[n-1])
		}
		starts = append(starts, at)
	}
	starts[0] = 0
	starts = append(starts, len(lines))
	f.props = make([]property, len(m.Content)/2)
	for i := range f.props {
		key := m.Content[2*i]
		raw := strings.Join(lines[starts[i]:starts[i+1]], "")
		lead := strings.Join(lines[starts[i]:max(starts[i], min(key.Line-1, starts[i+1]))], "")
		f.props[i] = property{key: key.Value, value: valueOf(m, 2*i), raw: raw, lead: len(lead)}
	}
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
	props := []property{{}}
	start, at := 0, 0 // of the last property and of the line
	for line := range strings.SplitAfterSeq(inside, "\n") {
		key, rest, ok := strings.Cut(line, ":")
		if ok && key != "" && !strings.ContainsAny(key, " \t#-") {
			rest = strings.TrimSpace(rest)
			if n := len(rest); n > 1 && rest[0] == '"' && rest[n-1] == '"' {
				rest = rest[1 : n-1]
			}
			props, start = append(props, property{key: key, value: &yaml.Node{Kind: yaml.ScalarNode, Value: rest}}), at
		}
		at += len(line)
		props[len(props)-1].raw = inside[start:at]
	}
	for i := range props {
		p := &props[i]
		var doc yaml.Node
		if yaml.Unmarshal([]byte(p.raw), &doc) == nil && len(doc.Content) == 1 && len(doc.Content[0].Content) == 2 {
			p.value = valueOf(doc.Content[0], 0)
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

// linkList is a list of nothing but wikilinks, which is what we write; nil for
// anything else.
func linkList(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	targets := []string{}
	for _, e := range n.Content {
		s, ok := strings.CutPrefix(scalar(e), "[[")
		if !ok || !strings.HasSuffix(s, "]]") {
			return nil
		}
		target, _, _ := strings.Cut(strings.TrimSuffix(s, "]]"), "|")
		targets = append(targets, target)
	}
	return targets
}

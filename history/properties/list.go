package properties

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Property is one top-level property and its lines, with the comments above it.
type Property struct {
	Key     string
	Raw     string
	value   *yaml.Node
	leadLen int // length in bytes of the comments at the beginning of Raw
}

// List holds the properties of a frontmatter.
type List struct {
	All    []Property
	Fixed  bool   // it cannot be written: flow style ({a: 1, b: 2}), or no names with values
	indent string // indentation of each property
	tail   string // text below them: "..." and the rest

	damaged bool
}

// Parse splits a frontmatter into its top-level properties. Together their lines are the whole text, unless it
// is written in flow style. Invalid YAML gives an error together with the properties that could be read one by
// one.
func Parse(inside string) (List, error) {
	var l List
	err := l.split(inside)
	l.damaged = err != nil
	return l, err
}

// Find returns the first property with this key, nil if there is none.
func (l *List) Find(key string) *Property {
	if i := l.index(key); i >= 0 {
		return &l.All[i]
	}
	return nil
}

func (l *List) index(key string) int {
	return slices.IndexFunc(l.All, func(p Property) bool { return p.Key == key })
}

// Set replaces the lines of a property in its place, or appends them; an empty line removes the property. alone
// removes further properties with the same key.
func (l *List) Set(key, line string, alone bool) {
	text := indentLines(line, l.indent)
	i := l.index(key)
	if i < 0 {
		l.All = append(l.All, Property{Key: key, Raw: text})
		return
	}
	p := &l.All[i]
	if p.Raw = l.replaceLine(p, text); text == "" {
		p.Key = ""
	}
	if alone {
		rest := slices.DeleteFunc(l.All[i+1:], func(p Property) bool { return p.Key == key })
		l.All = l.All[:i+1+len(rest)]
	}
}

// Writable reports whether l, which was changed from was, can be written: its text must parse to the same keys.
func (l *List) Writable(was *List) bool {
	text := l.text()
	if l.Fixed || text == was.text() {
		return !l.Fixed
	}
	now, err := Parse(text + l.tail)
	return (err != nil) == l.damaged && slices.Equal(now.names(), l.names())
}

func (l *List) names() (names []string) {
	for _, p := range l.All {
		if p.Key != "" {
			names = append(names, p.Key)
		}
	}
	return names
}

// Join returns l with those properties of other added that l does not have.
func (l List) Join(other *List) List {
	sum := l
	sum.All = slices.Clone(l.All)
	for _, p := range other.All {
		if l.Find(p.Key) == nil {
			raw := strings.TrimPrefix(strings.ReplaceAll("\n"+p.Raw, "\n"+other.indent, "\n"), "\n")
			p.Raw = indentLines(raw, l.indent)
			sum.All = append(sum.All, p)
		}
	}
	return sum
}

// Text returns the inside of the frontmatter with the properties of l, where inside is the old text with those
// of was. If properties were only appended, the old text keeps its bytes. from is the offset of the new text.
func (l *List) Text(was *List, inside string) (text string, from int) {
	if more, ok := strings.CutPrefix(l.text(), was.text()); ok && (more == "" || l.tail == "") {
		return inside + more, len(inside)
	}
	return l.text() + l.tail, 0
}

// text returns the lines of the properties.
func (l *List) text() string {
	var b strings.Builder
	for _, p := range l.All {
		b.WriteString(p.Raw)
	}
	return b.String()
}

// replaceLine returns p.Raw with line in place of the property itself: the comments above it and the comments and
// blank lines below stay.
func (l *List) replaceLine(p *Property, line string) string {
	raw := p.Raw
	at := p.leadLen
	end := len(raw)
	for end > at {
		start := strings.LastIndexByte(raw[:end-1], '\n') + 1
		if last := raw[start:end]; start < at || strings.TrimSpace(last) != "" && !l.isComment(last) {
			break
		}
		end = start
	}
	if p.value != nil && p.value.Anchor != "" && line != "" { // other properties may refer to the anchor
		line = strings.Replace(line, ":", ": &"+p.value.Anchor, 1)
	}
	return raw[:at] + line + raw[end:]
}

// isComment reports whether a line is a comment between properties.
func (l *List) isComment(line string) bool {
	text := strings.TrimLeft(line, " ")
	return strings.HasPrefix(text, "#") && len(line)-len(text) <= len(l.indent)
}

// split splits a frontmatter into its top-level properties; see Parse.
func (l *List) split(inside string) error {
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
		l.All = looseProperties(inside)
		return fmt.Errorf("read the properties: %w", err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" { // comments only, or nothing
		l.All = []Property{{Raw: inside}}
		return nil
	}
	m := doc.Content[0]
	switch {
	case m.Kind != yaml.MappingNode:
		l.All, l.Fixed = looseProperties(inside), true
		return errors.New("read the properties: they are not names with values")
	case m.Style&yaml.FlowStyle != 0 || len(m.Content) == 0:
		l.All, l.Fixed = flowProperties(m), true
		return nil
	case strings.ContainsAny(inside, "\r\u0085\u2028\u2029"): // line ends for YAML that this package does not split at
		l.All = looseProperties(inside)
		return nil
	}
	l.splitMapping(m, inside)
	return nil
}

// splitMapping splits the text of a mapping in block style into its properties.
func (l *List) splitMapping(m *yaml.Node, inside string) {
	l.indent = strings.Repeat(" ", m.Column-1)
	lines := strings.SplitAfter(inside, "\n")
	last := m.Content[len(m.Content)-2].Line
	if i := slices.IndexFunc(lines[last:], func(line string) bool { return strings.HasPrefix(line, "...") }); i >= 0 {
		l.tail = strings.Join(lines[last+i:], "")
		lines = lines[:last+i]
	}
	starts := make([]int, 0, len(m.Content)/2+1)
	for i := 0; i < len(m.Content); i += 2 {
		at := min(m.Content[i].Line-1, len(lines))
		for at > 0 && l.isComment(lines[at-1]) {
			at--
		}
		if n := len(starts); n > 0 {
			at = max(at, starts[n-1])
		}
		starts = append(starts, at)
	}
	starts[0] = 0
	starts = append(starts, len(lines))
	l.All = make([]Property, len(m.Content)/2)
	for i := range l.All {
		key := m.Content[2*i]
		raw := strings.Join(lines[starts[i]:starts[i+1]], "")
		lead := strings.Join(lines[starts[i]:max(starts[i], min(key.Line-1, starts[i+1]))], "")
		l.All[i] = Property{Key: key.Value, value: m.Content[2*i+1], Raw: raw, leadLen: len(lead)}
	}
}

// flowProperties reads a mapping in flow style, {a: 1, b: 2}, whose properties have no lines of their own.
func flowProperties(m *yaml.Node) []Property {
	var props []Property
	for _, e := range entriesOf(m) {
		if e.Raw = e.marshal(); e.Raw != "" { // an alias without its anchor has no text to keep
			props = append(props, e.Property)
		}
	}
	return props
}

// looseProperties reads invalid YAML property by property: a line that begins with a name and a colon starts
// one, and each is parsed alone.
func looseProperties(inside string) []Property {
	props := []Property{{}}
	start, at := 0, 0 // offsets of the last property and of the line
	for line := range strings.SplitAfterSeq(inside, "\n") {
		key, rest, ok := strings.Cut(line, ":")
		if ok && key != "" && !strings.ContainsAny(key, " \t#-") {
			rest = strings.TrimSpace(rest)
			if n := len(rest); n > 1 && rest[0] == '"' && rest[n-1] == '"' {
				rest = rest[1 : n-1]
			}
			props, start = append(props, Property{Key: key, value: &yaml.Node{Kind: yaml.ScalarNode, Value: rest}}), at
		}
		at += len(line)
		props[len(props)-1].Raw = inside[start:at]
	}
	for i := range props {
		p := &props[i]
		var doc yaml.Node
		if yaml.Unmarshal([]byte(p.Raw), &doc) == nil && len(doc.Content) == 1 && len(doc.Content[0].Content) == 2 {
			p.value = doc.Content[0].Content[1]
		}
	}
	return props
}

// indentLines returns lines with by in front of each.
func indentLines(lines, by string) string {
	if lines == "" {
		return ""
	}
	return by + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n"+by) + "\n"
}

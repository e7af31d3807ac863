package properties

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Empty reports whether the property has no value.
func (p *Property) Empty() bool { return p.value == nil || p.value.Tag == "!!null" }

// Text returns the value, "" for null and for lists and mappings.
func (p *Property) Text() string {
	if p == nil {
		return ""
	}
	return scalar(p.value)
}

// scalar returns the text of a node, "" for null and for other kinds of nodes.
func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// Number returns the value if it is a number or a string with one, else 0.
func (p *Property) Number() int64 {
	s := strings.TrimSpace(p.Text())
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return 0
}

// Tags returns the tags in a list or in a string with commas or spaces.
func (p *Property) Tags() []string {
	var tags []string
	add := func(s string) {
		if s = strings.TrimPrefix(strings.TrimSpace(s), "#"); s != "" {
			tags = append(tags, s)
		}
	}
	switch n := p.value; n.Kind {
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

// Links returns the targets of a list that has wikilinks only, as ibid writes it; nil for anything else.
func (p *Property) Links() []string {
	n := p.value
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

// Entry is a property below another one.
type Entry struct {
	Property
	name *yaml.Node
}

// Entries returns the properties below this one; ok is false if the value is no mapping.
func (p *Property) Entries() (all []Entry, ok bool) {
	if p.value == nil || p.value.Kind != yaml.MappingNode {
		return nil, false
	}
	return entriesOf(p.value), true
}

func entriesOf(m *yaml.Node) (all []Entry) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		all = append(all, Entry{Property{Key: m.Content[i].Value, value: m.Content[i+1]}, m.Content[i]})
	}
	return all
}

// Lines returns the lines of the entry, indented for its place below a property; "" if it cannot be encoded.
func (e *Entry) Lines() string { return indentLines(e.marshal(), "  ") }

func (e *Entry) marshal() string {
	raw, _ := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{e.name, e.value}})
	return string(raw)
}

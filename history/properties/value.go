package properties

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Empty reports whether the property has no value.
func (p *Property) Empty() bool { return p.value == nil || p.value.Tag == "!!null" }

// Text is the value, "" for null and for what is no scalar.
func (p *Property) Text() string {
	if p == nil {
		return ""
	}
	return scalar(p.value)
}

// scalar is a node's text, "" for null and for what is no scalar.
func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// Number is a number, or a string that holds one; 0 for anything else.
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

// Tags is a list of tags, or a string of them.
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

// Links is a list of nothing but wikilinks, which is what we write; nil for
// anything else.
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

// Entry is a property under another one.
type Entry struct {
	Property
	name *yaml.Node
}

// Entries are the properties under this one; ok is false if it holds something else.
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

// Lines are the lines of an entry written anew, as they stand under a property; "" if it
// cannot be written.
func (e *Entry) Lines() string { return indentLines(e.marshal(), "  ") }

func (e *Entry) marshal() string {
	raw, _ := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{e.name, e.value}})
	return string(raw)
}

// Comments are those that stand with the value of a property, as they stand under one.
func (p *Property) Comments() string { return comments(p.value) }

// Comments are those that stand with the entry.
func (e *Entry) Comments() string { return comments(e.name, e.value) }

func comments(nodes ...*yaml.Node) (lines string) {
	for _, n := range nodes {
		for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
			lines += indentLines(text, "  ")
		}
	}
	return lines
}

package vault

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"ibid/vault/md"
)

// maxDepth bounds how deep properties nest.
const maxDepth = 64

// shape says what a node is.
type shape uint8

const (
	scalarShape shape = iota
	listShape
	mapShape
)

// node is a property's value before it is given a type: tags and aliases need
// the text as written, everybody else the value.
type node struct {
	shape  shape
	quoted bool
	line   int // 1-based, in the file
	text   string
	items  []node   // of a list, or the values of a map
	keys   []string // of a map
}

// field is one property.
type field struct {
	key   string
	value node
}

// readFrontmatter fills in what the properties say about a note. block starts
// on line 2 of the file. It never fails: what is not YAML is read line by line.
func readFrontmatter(n *draft, block string, tags *tagSet) {
	fields, ok := lineFields(block, true)
	if !ok {
		var err error
		if fields, err = yamlFields(block); err != nil {
			warn(&n.Note, fmt.Sprintf("the properties are not valid YAML and are read line by line: %s", fileLine(err)))
			fields, _ = lineFields(block, false)
			n.Private = soundsPrivate(block)
		}
	}
	n.props = lastOfEach(fields)
	for i := range n.props {
		f := &n.props[i]
		switch strings.ToLower(f.key) {
		case "title":
			if f.value.shape == scalarShape {
				n.Title = append(f.value.texts(), n.Title)[0]
			}
		case "aliases", "alias":
			n.Aliases = append(n.Aliases, f.value.texts()...)
		case "tags", "tag":
			f.value.tags(tags)
		case "private":
			n.Private = n.Private || f.value.yes()
		}
		f.value.links(n, f.key, 0)
	}
}

// lastOfEach drops a property that is given again further down.
func lastOfEach(fields []field) []field {
	at := make(map[string]int, len(fields))
	out := fields[:0]
	for _, f := range fields {
		if i, given := at[f.key]; given {
			out[i] = f
			continue
		}
		at[f.key] = len(out)
		out = append(out, f)
	}
	return out
}

// yamlFields decodes a block with the YAML library, which knows everything and
// costs ten times as much as lineFields.
func yamlFields(block string) (fields []field, err error) {
	// The library is foreign code that meets foreign files: a slip of it must
	// cost one note's properties, not the scan.
	defer func() {
		if r := recover(); r != nil {
			fields, err = nil, fmt.Errorf("%v", r)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("yaml: line %d: this is not a list of properties", top.Line)
	}
	if k := complexKey(top, 0); k != nil {
		return nil, fmt.Errorf("yaml: line %d: braces inside braces", k.Line)
	}
	m := fromYAML(top, 0)
	for i, k := range m.keys {
		fields = append(fields, field{k, m.items[i]})
	}
	return fields, nil
}

// complexKey finds a key that is no scalar. YAML has such keys; in notes they
// are always a template's {{hole}}, which is to be read as text.
func complexKey(y *yaml.Node, depth int) *yaml.Node {
	if depth > maxDepth {
		return nil
	}
	for i, c := range y.Content {
		if y.Kind == yaml.MappingNode && i%2 == 0 && c.Kind != yaml.ScalarNode {
			return c
		}
		if k := complexKey(c, depth+1); k != nil {
			return k
		}
	}
	return nil
}

// fromYAML converts a node of the library. An alias stands for itself, not for
// its anchor: Obsidian does not expand them, and a few lines of them could
// stand for more than fits into memory.
func fromYAML(y *yaml.Node, depth int) node {
	n := node{line: y.Line + 1}
	switch {
	case depth > maxDepth:
	case y.Kind == yaml.SequenceNode:
		n.shape = listShape
		for _, c := range y.Content {
			n.items = append(n.items, fromYAML(c, depth+1))
		}
	case y.Kind == yaml.MappingNode:
		n.shape = mapShape
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.keys = append(n.keys, y.Content[i].Value)
			n.items = append(n.items, fromYAML(y.Content[i+1], depth+1))
		}
	case y.Kind == yaml.AliasNode:
		n.text, n.quoted = "*"+y.Value, true
	default:
		n.text = y.Value
		n.quoted = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 ||
			y.Style&yaml.TaggedStyle != 0 && y.Tag == "!!str"
	}
	return n
}

// fileLine is an error of the YAML library with the line of the file.
func fileLine(err error) string {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, text, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(num); err == nil {
				return fmt.Sprintf("line %d: %s", n+1, text)
			}
		}
	}
	return msg
}

// texts are the text of n, or of the scalars in it, without those that say nothing.
func (n *node) texts() (all []string) {
	nodes := n.items
	if n.shape == scalarShape {
		nodes = []node{*n}
	}
	for i := range nodes {
		if t := strings.TrimSpace(nodes[i].text); t != "" && !nodes[i].null() {
			all = append(all, t)
		}
	}
	return all
}

// tags adds the tags in n: a list, or a string of tags with commas or white
// space between them.
func (n *node) tags(to *tagSet) {
	for _, text := range n.texts() {
		if n.shape != scalarShape {
			to.addYAML(text)
			continue
		}
		for t := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
			to.addYAML(t)
		}
	}
}

// addYAML adds a tag of the properties; one that could not be written with a
// '#' in the text is none.
func (s *tagSet) addYAML(t string) {
	t = strings.TrimPrefix(strings.TrimSpace(t), "#")
	t = strings.TrimRight(t, "/")
	if t != "" && md.TagLen(t) == len(t) {
		s.add(t)
	}
}

// yes reports whether n says yes in any of the ways that people write it. It
// is asked whether a note is private: there a doubt counts as yes.
func (n *node) yes() bool {
	switch strings.ToLower(strings.TrimSpace(n.text)) {
	case "true", "yes", "on", "y", "1":
		return true
	}
	return false
}

// unclosedFrontmatter is what a text holds behind a first line of dashes that no other such
// line follows, or that is not quite the one that properties begin with; "" if the
// text does not begin with dashes.
func unclosedFrontmatter(text string) string {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	if first = strings.TrimSpace(first); !strings.HasPrefix(first, "---") || strings.Trim(first, "-") != "" {
		return ""
	}
	return rest
}

// soundsPrivate reports whether properties that cannot be read may say that the
// note is private: a line of them begins with the word and does not say false or
// no. In doubt a note stays on this machine.
func soundsPrivate(block string) bool {
	const word = "private"
	for line := range strings.SplitSeq(block, "\n") {
		line = strings.TrimLeft(line, " \t\"'")
		if len(line) < len(word) || !strings.EqualFold(line[:len(word)], word) {
			continue
		}
		says := strings.TrimLeftFunc(line[len(word):], func(r rune) bool { return !unicode.IsLetter(r) })
		if end := strings.IndexFunc(says, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			says = says[:end]
		}
		if !strings.EqualFold(says, "false") && !strings.EqualFold(says, "no") {
			return true
		}
	}
	return false
}

// links adds the wikilinks in quoted strings. Without quotes YAML takes the
// brackets for lists.
func (n *node) links(to *draft, prop string, depth int) {
	if depth > maxDepth {
		return
	}
	for i := range n.items {
		name := strconv.Itoa(i)
		if n.shape == mapShape {
			name = n.keys[i]
		}
		n.items[i].links(to, prop+"."+name, depth+1)
	}
	if n.shape != scalarShape || !n.quoted {
		return
	}
	for text := n.text; ; {
		at := strings.Index(text, "[[")
		if at < 0 {
			return
		}
		inner, end := md.Wikilink(text[at:])
		if l, ok := parseWikilink(Frontmatter, inner); ok {
			l.Line, l.Prop = n.line, prop
			to.links = append(to.links, l)
		}
		text = text[at+end:]
	}
}

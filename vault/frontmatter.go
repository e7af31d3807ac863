package vault

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ibid/vault/md"
	"ibid/vault/routine"
)

// maxDepth limits the nesting of properties.
const maxDepth = 64

// shape is the kind of a node.
type shape uint8

const (
	scalarShape shape = iota
	listShape
	mapShape
)

// node is the value of a property before conversion to a type: tags and aliases need the text as written, other
// readers the value.
type node struct {
	shape  shape
	quoted bool
	line   int // line in the file, from 1
	text   string
	items  []node   // elements of a list, or values of a map
	keys   []string // keys of a map
}

// field is one property.
type field struct {
	key   string
	value node
}

// readFrontmatter fills in the fields of a note that come from its properties. block starts on line 2 of the
// file. It never fails: text that is not YAML is read line by line.
func readFrontmatter(n *draft, block string, tags *tagSet) {
	fields, plain := lineFields(block, true)
	var err error
	if !plain {
		fields, err = yamlFields(block)
	}
	if err == nil {
		n.readPrivateFields(fields)
		n.readPrivateRest(block)
	} else {
		addWarning(&n.Note, "the properties are not valid YAML and are read line by line")
		fields, _ = lineFields(block, false)
		n.readPrivateLines(block)
	}
	n.props = fields
	for i := range n.props {
		f := &n.props[i]
		switch strings.ToLower(f.key) {
		case "title":
			if f.value.shape == scalarShape {
				n.Title = append(f.value.texts(), n.Title)[0]
			}
		case "aliases", "alias":
			n.Aliases = append(n.Aliases, f.value.aliases()...)
		case "tags", "tag":
			f.value.tags(tags)
		}
		f.value.links(n, f.key, 0)
	}
}

var errNoProperties = errors.New("not a list of properties")

// yamlFields parses a block with the YAML library, which knows the whole language and takes ten times as long
// as lineFields.
func yamlFields(block string) (fields []field, err error) {
	// The library parses files of any origin: a panic in it must cost one note's properties, not the scan.
	defer routine.Catch(&err)
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, errNoProperties
	}
	c := yamlConverter{}
	m := c.convert(top, 0)
	if c.complexKey {
		return nil, errNoProperties
	}
	for i, k := range m.keys {
		fields = append(fields, field{k, m.items[i]})
	}
	return fields, nil
}

// yamlConverter converts nodes of the YAML library.
type yamlConverter struct {
	// complexKey says that a key is no scalar. YAML allows such keys; in notes they are always a template's {{hole}},
	// which has to be read as text.
	complexKey bool
}

// convert converts a node. An alias becomes its own text, without its anchor's value: Obsidian does not expand
// aliases, and a few lines of them could expand to more than fits into memory.
func (c *yamlConverter) convert(y *yaml.Node, depth int) node {
	n := node{line: y.Line + 1}
	switch {
	case depth > maxDepth:
	case y.Kind == yaml.SequenceNode:
		n.shape = listShape
		for _, item := range y.Content {
			n.items = append(n.items, c.convert(item, depth+1))
		}
	case y.Kind == yaml.MappingNode:
		n.shape = mapShape
		for pair := range slices.Chunk(y.Content, 2) {
			c.complexKey = c.complexKey || pair[0].Kind != yaml.ScalarNode
			n.keys = append(n.keys, pair[0].Value)
			n.items = append(n.items, c.convert(pair[1], depth+1))
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

// texts returns the text of n, or of the scalars in it, without empty ones and nulls.
func (n *node) texts() (all []string) {
	nodes := n.items
	if n.shape == scalarShape {
		nodes = []node{*n}
	}
	for i := range nodes {
		if t := strings.TrimSpace(nodes[i].text); t != "" && !nodes[i].isNull() {
			all = append(all, t)
		}
	}
	return all
}

// aliases returns the aliases in n: a list, or a string of aliases separated by commas.
func (n *node) aliases() (all []string) {
	if n.shape != scalarShape {
		return n.texts()
	}
	for _, text := range n.texts() {
		for alias := range strings.SplitSeq(text, ",") {
			if alias = strings.TrimSpace(alias); alias != "" {
				all = append(all, alias)
			}
		}
	}
	return all
}

// tags adds the tags in n: a list, or a string of tags separated by commas or white space.
func (n *node) tags(to *tagSet) {
	for _, text := range n.texts() {
		if n.shape != scalarShape {
			to.addYAML(text)
			continue
		}
		for t := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return r == ',' || r == ' ' || r == '\t' || r == '\n'
		}) {
			to.addYAML(t)
		}
	}
}

// addYAML adds a tag of the properties. It ignores text that could not be written as a tag with '#'.
func (s *tagSet) addYAML(t string) {
	t = strings.TrimPrefix(strings.TrimSpace(t), "#")
	t = strings.TrimRight(t, "/")
	if t != "" && md.TagLen(t) == len(t) {
		s.add(t)
	}
}

// links adds the wikilinks in quoted strings. Without quotes YAML reads the brackets as lists.
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

package history

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// property is one top-level property with the lines that it stands on.
type property struct {
	key   string
	value *yaml.Node
	raw   string
}

// parseFront reads the inside of a frontmatter. Bad YAML gives an error together
// with what could be read property by property.
func parseFront(inside string) (front, error) {
	if strings.TrimSpace(inside) == "" {
		return front{}, nil
	}
	props, err := properties(inside)
	var f front
	var extra strings.Builder
	for _, p := range props {
		if f.take(p) {
			extra.WriteString(comments(p.raw))
		} else {
			extra.WriteString(p.raw)
		}
	}
	f.chat.Extra = extra.String()
	if err == nil && !standsAlone(f.chat.Extra) {
		f.chat.Extra = resolved(props)
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

// take reads one property and reports whether it is one of ours.
func (f *front) take(p property) bool {
	switch p.key {
	case "epoch":
		f.chat.Epoch = millis(p.value)
	case "lastAccessedAt":
		f.chat.Accessed = millis(p.value)
	case "modelKey":
		f.chat.ModelKey = scalar(p.value)
	case "model":
		f.chat.Model = scalar(p.value)
	case "topic":
		f.topic = cleanTitle(scalar(p.value))
	case "title":
		f.title = cleanTitle(scalar(p.value))
	case "layout":
		f.chat.Layout = scalar(p.value)
	case "ibid":
		f.own(p.value)
	case "tags":
		f.chat.Tags = tagList(p.value)
	case "notes":
		links, ours := linkList(p.value)
		if ours {
			f.chat.file.links = links
		}
		return ours
	default:
		return false
	}
	return true
}

// own reads ibid's own property: the version of the format, or a mapping of that
// and of what else only ibid knows.
func (f *front) own(n *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		f.chat.Version = int(millis(n))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch value := n.Content[i+1]; n.Content[i].Value {
		case "v":
			f.chat.Version = int(millis(value))
		case "project":
			f.chat.Project = scalar(value)
		}
	}
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
		if p.value == nil || new(front).take(p) || p.value.Decode(&v) != nil {
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
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" { // comments at most
		return []property{{raw: comments(inside)}}, nil
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return looseProperties(inside), errors.New("read the properties: they are not names with values")
	}
	m := doc.Content[0]
	if m.Style&yaml.FlowStyle != 0 || len(m.Content) == 0 {
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
	starts[0] = 0
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
	start, at := 0, 0 // of the last property and of the line
	for line := range strings.SplitAfterSeq(inside, "\n") {
		key, rest, ok := strings.Cut(line, ":")
		ok = ok && key != "" && !strings.ContainsAny(key, " \t#-")
		if ok || len(props) == 0 && strings.TrimSpace(line) != "" {
			props, start = append(props, property{}), at
		}
		at += len(line)
		if len(props) == 0 {
			continue
		}
		p := &props[len(props)-1]
		p.raw = inside[start:at]
		if ok {
			rest = strings.TrimSpace(rest)
			if n := len(rest); n > 1 && rest[0] == '"' && rest[n-1] == '"' {
				rest = rest[1 : n-1]
			}
			p.key, p.value = key, &yaml.Node{Kind: yaml.ScalarNode, Value: rest}
		}
	}
	for i := range props {
		p := &props[i]
		p.raw = strings.TrimRight(p.raw, "\n") + "\n"
		var doc yaml.Node
		if yaml.Unmarshal([]byte(p.raw), &doc) == nil && len(doc.Content) == 1 && len(doc.Content[0].Content) == 2 {
			p.value = doc.Content[0].Content[1]
			continue
		}
		p.raw = commentOut(p.raw)
		if new(front).take(*p) {
			p.raw = "" // written anew, and whole
		}
	}
	return props
}

// comments is the comment lines of a property's text: they stay when we write the
// property anew.
func comments(raw string) string {
	if !strings.Contains(raw, "#") {
		return ""
	}
	var b strings.Builder
	for line := range strings.SplitSeq(raw, "\n") {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// commentOut keeps lines that are no YAML without breaking the YAML around them.
func commentOut(raw string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(raw, "\n"), "\n") {
		if line = cleanTitle(line); line != "" {
			b.WriteString("# " + strings.TrimPrefix(line, "# ") + "\n")
		}
	}
	return b.String()
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

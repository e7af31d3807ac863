package query

import (
	"slices"
	"strings"
	"time"

	"ibid/vault"
)

// page is a file as queries see it: its properties and fields, and the object file. Data that must be read from
// disk are read when they are first needed.
type page struct {
	run    *run
	path   vault.Path
	note   *vault.Note // nil for a file that is no note
	values fields
	items  []any // items of lists
}

func (p *page) link() link { return link{path: p.path, found: true} }

func (p *page) get(key string) any {
	if key == "file" {
		return fileOf{p}
	}
	return p.fields()[key]
}

func (p *page) keys() []string {
	return append([]string{"file"}, p.fields().keys()...)
}

func (p *page) props() []vault.Property {
	if p.note == nil {
		return nil
	}
	return p.note.Props()
}

// fields returns the properties of a note and the fields in its text, each under its name as written and under
// its fieldName.
func (p *page) fields() fields {
	if p.values != nil {
		return p.values
	}
	var all namedValues
	for _, prop := range p.props() {
		all.add(prop.Key, p.run.property(prop.Value, p.path))
	}
	if !p.run.base { // bases see properties only
		for _, f := range p.run.inline(p) {
			all.add(f.key, p.run.inlineValue(f.value, p.path))
		}
	}
	p.values = all.fields()
	return p.values
}

// namedValues collects values by name; several may have the same name.
type namedValues struct {
	names  []string
	values map[string][]any
}

func (n *namedValues) add(name string, value any) {
	if n.values == nil {
		n.values = map[string][]any{}
	}
	if _, known := n.values[name]; !known {
		n.names = append(n.names, name)
	}
	n.values[name] = append(n.values[name], value)
}

// fields makes one value of all values with the same name, and one of all with the same fieldName.
func (n *namedValues) fields() fields {
	to := fields{}
	merged := map[string][]any{}
	for _, written := range n.names {
		to[written] = oneValue(n.values[written])
		if name := fieldName(written); name != "" {
			merged[name] = append(merged[name], n.values[written]...)
		}
	}
	for name, values := range merged {
		if _, known := n.values[name]; !known {
			to[name] = oneValue(values)
		}
	}
	return to
}

func oneValue(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

// property converts the value of a property.
func (r *run) property(v any, from vault.Path) any {
	switch v := v.(type) {
	case string: // a date, duration or link, else plain text
		return orElse(r.wholeValue(v, from), v)
	case bool, float64:
		return v
	case int:
		return float64(v)
	case time.Time:
		return atWallClock(v, r.now.Location())
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.property(item, from)
		}
		return out
	case map[string]any:
		out := make(fields, len(v))
		for key, item := range v {
			out[key] = r.property(item, from)
		}
		return out
	}
	return nil
}

// wholeValue returns the date, duration or link that a text is, nil for other texts.
func (r *run) wholeValue(s string, from vault.Path) any {
	if s == "" {
		return nil
	}
	if c := s[0]; c == '-' || '0' <= c && c <= '9' {
		if t, ok := readDate(s, r.now.Location()); ok {
			return t
		}
		if d, ok := readDuration(s); ok {
			return d
		}
	} else if l, ok := wholeLink(s); ok {
		return r.resolve(l, from)
	}
	return nil
}

// wholeLink parses a text that is one link.
func wholeLink(s string) (link, bool) {
	embed := strings.HasPrefix(s, "![[")
	inner, ok := strings.CutPrefix(strings.TrimPrefix(s, "!"), "[[")
	if !ok || strings.HasPrefix(s, "!") != embed {
		return link{}, false
	}
	if inner, ok = strings.CutSuffix(inner, "]]"); !ok || inner == "" || strings.ContainsAny(inner, "[]") {
		return link{}, false
	}
	l := innerLink(inner)
	l.embed = embed
	return l, true
}

// inlineValue converts the value of a field in the text: dates, links, numbers and texts in quotes, separated
// by commas, become a list.
func (r *run) inlineValue(s string, from vault.Path) any {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	if v, ok := r.inlineAtom(s, from); ok {
		return v
	}
	var list []any
	for rest, more := s, true; more; {
		part := rest
		cut := listComma(rest)
		if more = cut >= 0; more {
			part, rest = rest[:cut], rest[cut+1:]
		}
		v, ok := r.inlineAtom(strings.TrimSpace(part), from)
		if !ok {
			return s
		}
		list = append(list, v)
	}
	if len(list) == 1 {
		return s
	}
	return list
}

// listComma returns the offset of the first comma outside of links and quotes, -1 if there is none.
func listComma(s string) int {
	quoted, linked := false, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' && (i == 0 || s[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '[':
			linked++
		case c == ']':
			linked--
		case c == ',' && linked <= 0:
			return i
		}
	}
	return -1
}

// inlineAtom returns the value of a text that is not plain text; ok is false for plain text.
func (r *run) inlineAtom(s string, from vault.Path) (any, bool) {
	switch s {
	case "":
		return nil, false
	case "true", "True":
		return true, true
	case "false", "False":
		return false, true
	case "null":
		return nil, true
	}
	if v := r.wholeValue(s, from); v != nil {
		return v, true
	}
	p := parser{text: s}
	switch {
	case s[0] == '"':
		v := p.quoted()
		return v, p.err == nil && p.pos == len(s)
	case s[0] == '#' && len(s) > 1 && !strings.ContainsAny(s, " \t,"):
		return s, true
	case numberLen(s) == len(s):
		return p.number().(literal).value, true
	}
	return nil, false
}

// lists returns the items of all lists of a note.
func (p *page) lists() []any {
	if p.items != nil || p.note == nil {
		return p.items
	}
	p.items = []any{}
	links := map[int][]any{}
	for l := range p.note.Links() {
		if l.Kind != vault.Frontmatter {
			links[l.Line] = append(links[l.Line], p.run.noteLink(l, p.path))
		}
	}
	for _, it := range p.run.body(p, "").items {
		it.page = p
		for n := range it.lines {
			it.links = append(it.links, links[it.line+n]...)
		}
		embedsLast(it.links)
		p.items = append(p.items, it)
	}
	return p.items
}

// tasks returns the items of lists that are tasks.
func (p *page) tasks() []any {
	return slices.DeleteFunc(slices.Clone(p.lists()), func(v any) bool { return !v.(*item).task })
}

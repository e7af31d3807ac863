package query

import (
	"path"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/md"
)

// fileOf is the object file of a page.
type fileOf struct{ page *page }

func (fileOf) keys() []string {
	return strings.Fields(
		"aliases cday ctime day etags ext folder frontmatter inlinks link lists mday mtime name outlinks path size tags tasks")
}

func (f fileOf) get(key string) any {
	p := f.page
	if p.run.base {
		if v, ok := f.inBase(key); ok {
			return v
		}
	}
	switch key {
	case "name":
		return p.link().name()
	case "path":
		return string(p.path)
	case "folder":
		return string(p.path.Dir())
	case "link":
		return p.link()
	case "ext":
		return strings.TrimPrefix(path.Ext(string(p.path)), ".")
	case "size":
		size, _ := p.run.stat(p)
		return float64(size)
	case "mtime":
		_, at := p.run.stat(p)
		return at
	case "mday":
		_, at := p.run.stat(p)
		return dates.Midnight(at)
	case "ctime":
		return p.run.createdAt(p)
	case "cday":
		return dates.Midnight(p.run.createdAt(p))
	case "day":
		return f.day()
	case "inlinks":
		return p.run.inlinks(p.path)
	case "tags":
		return tagList(p.tags(), true)
	case "etags":
		return tagList(p.tags(), false)
	case "outlinks":
		return p.run.outlinks(p)
	case "tasks":
		return p.tasks()
	case "lists":
		return slices.Clip(p.lists())
	case "aliases":
		return p.aliases()
	case "frontmatter":
		out := fields{}
		for _, prop := range p.props() {
			out[prop.Key] = p.run.property(prop.Value, p.path)
		}
		return out
	}
	return nil
}

func (p *page) aliases() []any {
	out := []any{}
	if p.note != nil {
		for _, a := range p.note.Aliases {
			out = append(out, a)
		}
	}
	return out
}

// inBase returns the values that bases have under other names than queries, or in another form; ok is false for
// other keys.
func (f fileOf) inBase(key string) (any, bool) {
	p := f.page
	switch key {
	case "basename":
		return p.path.Base(), true
	case "file":
		return f, true
	case "properties":
		return p.fields(), true
	case "backlinks":
		return p.run.inlinks(p.path), true
	case "tags":
		return f.get("etags"), true
	case "links", "embeds":
		return slices.DeleteFunc(p.run.outlinks(p), func(v any) bool {
			return v.(link).embed != (key == "embeds")
		}), true
	}
	return nil, false
}

// day returns the date of a note: its property or field date or day, else the date in its name.
func (f fileOf) day() any {
	values := f.page.fields()
	for _, key := range []string{"date", "day"} {
		v := values[key]
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		if kindOf(v) == "date" {
			return v
		}
		if l, ok := v.(link); ok {
			for _, s := range []string{string(l.path), l.sub, l.display} {
				if t, ok := dates.InName(s, f.page.run.now.Location()); ok {
					return t
				}
			}
		}
	}
	if t, ok := dates.InName(f.page.link().name(), f.page.run.now.Location()); ok {
		return t
	}
	return nil
}

// tags returns the tags of a note: in queries first those in the text, then those in properties.
func (p *page) tags() []string {
	if p.note == nil {
		return nil
	}
	if p.run.base {
		return p.note.Tags
	}
	words := p.note.PropertyTags()
	tags := slices.DeleteFunc(slices.Clone(p.note.Tags), func(tag string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, tag) })
	})
	return append(tags, words...)
}

// hasTag reports whether a file has a tag, or one nested in it.
func (p *page) hasTag(tag string) bool {
	if p.note == nil {
		return false
	}
	within := func(t string) bool { return vault.TagWithin(t, tag) }
	return slices.ContainsFunc(p.note.Tags, within) || !p.run.base && slices.ContainsFunc(p.note.PropertyTags(), within)
}

// tagList returns tags with '#'; with all set, their parents too: #a/b is also #a.
func tagList(tags []string, all bool) []any {
	out := make([]any, 0, len(tags))
	for _, tag := range tags {
		for at := 0; all && at < len(tag); at++ {
			if tag[at] == '/' {
				out = appendTag(out, tag[:at])
			}
		}
		out = appendTag(out, tag)
	}
	return out
}

func appendTag(list []any, tag string) []any {
	for _, v := range list {
		if strings.EqualFold(v.(string)[1:], tag) {
			return list
		}
	}
	return append(list, "#"+tag)
}

// item is an item of a list, possibly a task.
type item struct {
	page     *page
	text     string
	status   string // text between the brackets of a task
	task     bool
	line     int // from 1
	lines    int
	content  int    // column at which its text begins
	section  string // heading above it
	block    string // block id
	parent   *item
	children []any
	links    []any
	written  []rawField
	values   fields // of what is written, once they were asked for
}

func (it *item) keys() []string {
	names := "blockId children line lineCount link outlinks parent path section tags task text "
	if it.task {
		names += "status checked completed fullyCompleted visual"
	}
	return sortedNames(strings.Fields(names), it.fields().keys())
}

func (it *item) get(key string) any {
	switch key {
	case "text", "visual":
		return it.text
	case "task":
		return it.task
	case "line":
		return float64(it.line - 1)
	case "lineCount":
		return float64(it.lines)
	case "path":
		return string(it.page.path)
	case "section":
		return it.sectionLink()
	case "link", "header":
		if it.block != "" && key == "link" {
			l := it.page.link()
			l.sub = "^" + it.block
			return l
		}
		return it.sectionLink()
	case "tags":
		return tagList(tagsIn(it.text), false)
	case "outlinks":
		return it.links
	case "children", "subtasks":
		return it.children
	case "parent":
		if it.parent == nil {
			return nil
		}
		return float64(it.parent.line - 1)
	case "blockId":
		if it.block == "" {
			return nil
		}
		return it.block
	case "annotated":
		return len(it.written) > 0
	}
	if it.task {
		switch key {
		case "status":
			return it.status
		case "checked":
			return it.status != " "
		case "completed":
			return it.done()
		case "fullyCompleted":
			return it.allDone()
		}
	}
	return it.fields()[key]
}

func (it *item) done() bool { return it.status == "x" || it.status == "X" }

// allDone reports whether a task and all tasks below it are done.
func (it *item) allDone() bool {
	if it.task && !it.done() {
		return false
	}
	for _, c := range it.children {
		if !c.(*item).allDone() {
			return false
		}
	}
	return true
}

func (it *item) sectionLink() link {
	l := it.page.link()
	l.sub = it.section
	return l
}

func (it *item) fields() fields {
	if it.values == nil {
		var all namedValues
		for _, f := range it.written {
			all.add(f.key, it.page.run.inlineValue(f.value, it.page.path))
		}
		it.values = all.fields()
	}
	return it.values
}

// listText returns an item in the form for a list in a result.
func (it *item) listText() string {
	if it.task {
		return "[" + it.status + "] " + it.text
	}
	return it.text
}

// tagsIn returns the tags in text.
func tagsIn(text string) []string {
	var tags []string
	for i := 0; i < len(text); i++ {
		if text[i] != '#' || i > 0 && !strings.ContainsRune(" \t\n(", rune(text[i-1])) {
			continue
		}
		if n := md.TagLen(text[i+1:]); n > 0 {
			tags = append(tags, text[i+1:i+1+n])
			i += n
		}
	}
	return tags
}

// taskRow is a task that also has those fields of its note that it does not have itself.
type taskRow struct {
	*item
}

func (t taskRow) get(key string) any {
	if v := t.item.get(key); v != nil || slices.Contains(t.item.keys(), key) {
		return v
	}
	return t.page.get(key)
}

func (t taskRow) keys() []string {
	return sortedNames(t.item.keys(), t.page.keys())
}

// sortedNames returns the distinct names of two lists, sorted.
func sortedNames(a, b []string) []string {
	names := slices.Concat(a, b)
	slices.Sort(names)
	return slices.Compact(names)
}

package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/md"
)

type treeArgs struct {
	Folder            string
	Depth, MaxEntries int
}

// branch is a folder of a tree with its content.
type branch struct {
	name    string
	folders []*branch
	files   []string
	count   int // files at any depth
}

func (o Options) fileTree(ctx context.Context, a treeArgs) chains.ToolOutput {
	folder, wrong := o.findFolder(a.Folder)
	if wrong != nil {
		return wrong.output()
	}
	root := &branch{name: string(folder)}
	for _, n := range o.Vault.Notes() {
		if !n.Private {
			root.put(n.Path, folder)
		}
	}
	for _, p := range o.Vault.Files() {
		if !o.Vault.Ignored(p) {
			root.put(p, folder)
		}
	}
	files := a.Depth // levels whose files are listed
	lines := root.lines(1, a.Depth, files)
	for len(lines) > a.MaxEntries && (files > 0 || a.Depth > 1) {
		if files > 0 {
			files--
		} else {
			a.Depth--
		}
		lines = root.lines(1, a.Depth, files)
	}
	text := fmt.Sprintf("%s (%d)", strings.TrimSuffix(string(folder)+"/", "//"), root.count)
	for _, line := range lines[:min(len(lines), a.MaxEntries)] {
		text += "\n" + line
	}
	if left := len(lines) - a.MaxEntries; left > 0 {
		text += fmt.Sprintf("\n[%d lines are left out: name a folder]", left)
	}
	return chains.ToolOutput{Text: text, Note: md.Plural(root.count, "file")}
}

// put adds the file p, if it is in the folder.
func (b *branch) put(p, in vault.Path) {
	rest := string(p)
	if in != "" {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, string(in)+"/"); !ok {
			return
		}
	}
	b.count++
	for {
		name, more, deeper := strings.Cut(rest, "/")
		if !deeper {
			b.files = append(b.files, name)
			return
		}
		i, ok := slices.BinarySearchFunc(b.folders, name, func(f *branch, name string) int {
			return strings.Compare(f.name, name)
		})
		if !ok {
			b.folders = slices.Insert(b.folders, i, &branch{name: name})
		}
		b, rest = b.folders[i], more
		b.count++
	}
}

// lines returns the lines below a folder at level, with folders down to depth and files down to another level.
func (b *branch) lines(level, depth, files int) (all []string) {
	indent := strings.Repeat("  ", level-1)
	for _, f := range b.folders {
		all = append(all, fmt.Sprintf("%s%s/ (%d)", indent, f.name, f.count))
		if level < depth {
			all = append(all, f.lines(level+1, depth, files)...)
		}
	}
	if level <= files {
		for _, name := range b.files {
			all = append(all, indent+name)
		}
	}
	return all
}

type tagsArgs struct {
	IncludeInline bool
	MaxEntries    int
}

func (o Options) tagList(ctx context.Context, a tagsArgs) chains.ToolOutput {
	tags := propertyTags
	if a.IncludeInline {
		tags = func(n *vault.Note) []string { return n.Tags }
	}
	list := vault.CountTags(o.Vault.Notes(), tags)
	most := min(a.MaxEntries, len(list))
	var b strings.Builder
	for _, t := range list[:most] {
		fmt.Fprintf(&b, "#%s %d\n", t.Tag, t.Notes)
	}
	switch {
	case len(list) == 0:
		b.WriteString("No note has a tag." + o.unsearched(""))
	case most < len(list):
		fmt.Fprintf(&b, "[%d of %d tags]", most, len(list))
	}
	return chains.ToolOutput{Text: strings.TrimSuffix(b.String(), "\n"), Note: md.Plural(len(list), "tag")}
}

// propertyTags returns the tags of a note that are in its properties, each once.
func propertyTags(n *vault.Note) (tags []string) {
	for _, tag := range n.PropertyTags() {
		if !slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, tag) }) {
			tags = append(tags, tag)
		}
	}
	return tags
}

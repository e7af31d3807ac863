package tool

import (
	"cmp"
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
	depth, most := cmp.Or(a.Depth, 3), cmp.Or(a.MaxEntries, 500)
	files := depth // levels whose files are listed
	for files > 0 && root.lines(1, depth, files) > most {
		files--
	}
	for depth > 1 && root.lines(1, depth, files) > most {
		depth--
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%d)\n", strings.TrimSuffix(string(folder)+"/", "//"), root.count)
	left := most
	root.write(&b, 1, depth, files, &left)
	text := strings.TrimSuffix(b.String(), "\n")
	note := md.Plural(root.count, "file")
	if left < 0 {
		text += fmt.Sprintf("\n[%d lines are left out: name a folder]", -left)
	}
	return chains.ToolOutput{Text: text, Note: note}
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

// lines returns the number of lines below a folder at level, with folders down to depth and files down to another
// level.
func (b *branch) lines(level, depth, files int) (n int) {
	if level <= files {
		n = len(b.files)
	}
	if level > depth {
		return 0
	}
	for _, f := range b.folders {
		n++
		if level < depth {
			n += f.lines(level+1, depth, files)
		}
	}
	return n
}

// write writes the lines below a folder, and counts left down for each. It leaves out lines when left is below
// zero.
func (b *branch) write(to *strings.Builder, level, depth, files int, left *int) {
	line := func(text string) {
		if *left--; *left >= 0 {
			to.WriteString(strings.Repeat("  ", level-1) + text + "\n")
		}
	}
	for _, f := range b.folders {
		line(fmt.Sprintf("%s/ (%d)", f.name, f.count))
		if level < depth {
			f.write(to, level+1, depth, files, left)
		}
	}
	if level <= files {
		for _, name := range b.files {
			line(name)
		}
	}
}

type tagsArgs struct {
	IncludeInline *bool
	MaxEntries    int
}

func (o Options) tagList(ctx context.Context, a tagsArgs) chains.ToolOutput {
	tags := propertyTags
	if onByDefault(a.IncludeInline) {
		tags = func(n *vault.Note) []string { return n.Tags }
	}
	list := vault.CountTags(o.Vault.Notes(), tags)
	most := min(cmp.Or(a.MaxEntries, 200), len(list))
	var b strings.Builder
	for _, t := range list[:most] {
		fmt.Fprintf(&b, "#%s %d\n", t.Tag, t.Notes)
	}
	switch {
	case len(list) == 0:
		b.WriteString("No note has a tag.")
	case most < len(list):
		fmt.Fprintf(&b, "[%d of %d tags]", most, len(list))
	}
	return chains.ToolOutput{Text: strings.TrimSuffix(b.String(), "\n"), Note: md.Plural(len(list), "tag")}
}

// propertyTags returns the tags of a note that are in its properties.
func propertyTags(n *vault.Note) (tags []string) {
	for _, p := range n.Props("tags", "tag") {
		var names []string
		switch v := p.Value.(type) {
		case string:
			names = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
		case []any:
			for _, e := range v {
				names = append(names, fmt.Sprint(e))
			}
		}
		for _, name := range names {
			name = strings.TrimPrefix(name, "#")
			same := func(t string) bool { return strings.EqualFold(t, name) }
			if slices.ContainsFunc(n.Tags, same) && !slices.ContainsFunc(tags, same) {
				tags = append(tags, name)
			}
		}
	}
	return tags
}

package gather

import (
	"context"
	"fmt"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// Instructions reads what L1 takes from the vault: the memory note, and the
// project. A project is a folder with a note of the folder's name (or
// project.md) in it: the note's text is the project's instructions, and the
// notes that its property "context" links are the project's context. Empty
// names read nothing. What cannot be read is left out and reported.
func (g *Gatherer) Instructions(ctx context.Context, in prompt.Instructions, memory, project string) (prompt.Instructions, []prompt.Missing) {
	var missing []prompt.Missing
	in.Memory, in.Project = "", nil
	if memory != "" {
		it, miss := g.byName(ctx, memory)
		if miss != nil {
			miss.Reason = "memory: " + miss.Reason
			missing = append(missing, *miss)
		}
		in.Memory = it.Content
	}
	if project != "" {
		p, miss := g.project(ctx, project)
		in.Project = p
		missing = append(missing, miss...)
	}
	return in, missing
}

// byName reads the note that a setting names.
func (g *Gatherer) byName(ctx context.Context, name string) (prompt.Item, *prompt.Missing) {
	f := g.vault.Lookup(name)
	if f.State == vault.Missing { // it may be newer than the last look at the disk
		if _, err := g.vault.Revalidate(ctx); err == nil {
			f = g.vault.Lookup(name)
		}
	}
	if f.State != vault.OK && f.State != vault.Moved {
		return prompt.Item{}, &prompt.Missing{Ref: prompt.Ref{Kind: prompt.Note, ID: name}, State: "missing", Reason: name + ": there is no such note"}
	}
	found, missing := g.note(prompt.Ref{Kind: prompt.Note, ID: string(f.Path)})
	if len(found) == 0 {
		return prompt.Item{}, &missing[0]
	}
	return found[0], nil
}

func (g *Gatherer) project(ctx context.Context, folder string) (*prompt.Project, []prompt.Missing) {
	ref := prompt.Ref{Kind: prompt.Folder, ID: strings.TrimSuffix(folder, "/") + "/"}
	dir, ok := g.folder(ref.ID)
	if !ok {
		return nil, []prompt.Missing{{Ref: ref, State: "missing", Reason: fmt.Sprintf("project: there is no folder %s", ref.ID)}}
	}
	for _, name := range []vault.Path{dir + "/" + vault.Path(dir.Name()) + ".md", dir + "/project.md"} {
		if _, ok := g.vault.Note(name); !ok {
			continue
		}
		t, miss := g.read(prompt.Ref{Kind: prompt.Note, ID: string(name)}, string(name))
		if miss != nil {
			return nil, []prompt.Missing{*miss}
		}
		p := &prompt.Project{Prompt: withoutData(t.Lines(t.Note.BodyLine, 1<<30))}
		items, missing := g.linked(ctx, t.Note)
		p.Context = prompt.Blocks(items)
		return p, missing
	}
	return nil, []prompt.Missing{{Ref: ref, State: "missing", Reason: fmt.Sprintf("project: %s holds neither %s.md nor project.md", ref.ID, dir.Name())}}
}

// linked reads the notes that the property "context" of a note links.
func (g *Gatherer) linked(ctx context.Context, n *vault.Note) ([]prompt.Item, []prompt.Missing) {
	var refs []prompt.Ref
	var missing []prompt.Missing
	for _, l := range n.Links {
		if l.Kind != vault.Frontmatter || !strings.EqualFold(strings.SplitN(l.Prop, ".", 2)[0], "context") {
			continue
		}
		f := g.vault.Resolve(l.Target, n.Path)
		if f.State != vault.OK {
			missing = append(missing, prompt.Missing{Ref: prompt.Ref{Kind: prompt.Note, ID: l.Target}, State: "missing", Reason: fmt.Sprintf("project: %s links %s, which is not there", n.Path, l.Target)})
			continue
		}
		ref := prompt.Ref{Kind: prompt.Note, ID: string(f.Path)}
		if l.Subpath != "" {
			ref = prompt.Ref{Kind: prompt.Selection, ID: string(f.Path) + "#" + l.Subpath}
		}
		refs = append(refs, ref)
	}
	items, more, err := g.Gather(ctx, refs)
	if err != nil {
		return nil, missing
	}
	return items, append(missing, more...)
}

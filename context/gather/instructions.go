package gather

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/legible"
)

// Instructions reads the parts of L1 that are in the vault: the memory note, and the project. A project is a folder
// that contains a note with the folder's name (or project.md), named by its path, or by its name if only one folder
// has it. The note's text is the project's instructions, its section "## Context" is background, and the notes
// linked in its property "context" go into the library. Empty names read nothing. Missing parts are left out and
// reported, notes of the project with the state "project".
func (g *Gatherer) Instructions(ctx context.Context, in prompt.Instructions, memory,
	project string,
) (prompt.Instructions, []prompt.MissingRef) {
	var missing []prompt.MissingRef
	in.Memory, in.Project = "", nil
	if memory != "" && g.Withheld() == nil {
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

// byName reads the note that a setting names. It is the note that writes of this setting change.
func (g *Gatherer) byName(ctx context.Context, name string) (prompt.Item, *prompt.MissingRef) {
	p, err := g.vault.SettingPath(name)
	if _, known := g.vault.Note(p); !known { // it may be newer than the last look at the disk
		if _, failed := g.vault.Revalidate(ctx); failed == nil {
			p, err = g.vault.SettingPath(name)
		}
	}
	_, known := g.vault.Note(p)
	if err == nil && !known {
		err = fmt.Errorf("%s: there is no such note", name)
	}
	if err != nil {
		return prompt.Item{},
			&prompt.MissingRef{Ref: prompt.NoteRef(name), State: "missing", Reason: err.Error()}
	}
	found, missing := g.note(prompt.NoteRef(p))
	if len(found) == 0 {
		return prompt.Item{}, &missing[0]
	}
	return found[0], nil
}

func (g *Gatherer) project(ctx context.Context, name string) (p *prompt.Project, missing []prompt.MissingRef) {
	ref := prompt.Ref{Kind: prompt.Folder, ID: strings.TrimSuffix(name, "/") + "/"}
	defer recoverReference(ref, &p, &missing)
	dir, ok := g.projectFolder(ref.ID)
	if !ok {
		return nil, missingRef(ref, "missing", fmt.Sprintf("project: there is no folder %s", ref.ID))
	}
	for _, name := range []vault.Path{dir + "/" + vault.Path(dir.Name()) + ".md", dir + "/project.md"} {
		if _, ok := g.vault.Note(name); !ok {
			continue
		}
		t, miss := g.read(prompt.NoteRef(name), string(name))
		if miss != nil {
			return nil, miss
		}
		p = &prompt.Project{Name: string(dir) + "/"}
		from, to := ownContext(&t)
		p.Prompt = legible.Text(prompt.CanonicalText(t.Lines(t.Note.BodyLine, from-1)) + "\n\n" + t.Lines(to+1, 1<<30))
		p.Context = legible.Text(t.Lines(from+1, to))
		p.Notes, missing = g.linkedNotes(ctx, t.Note)
		return p, missing
	}
	return nil, missingRef(ref, "missing",
		fmt.Sprintf("project: %s/ holds neither %s.md nor project.md", dir, dir.Name()))
}

// projectFolder returns the folder of a project by its path, or by its name if only one folder has it.
func (g *Gatherer) projectFolder(name string) (vault.Path, bool) {
	if dir, ok := g.folder(name); ok {
		return dir, dir != ""
	}
	var found []vault.Path
	for _, f := range g.vault.Folders() {
		if strings.EqualFold(f.Name()+"/", name) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// ownContext returns the lines of the section "## Context" in a project's note; without that section they are after
// the end of the text.
func ownContext(t *vault.Text) (from, to int) {
	for i, h := range t.Note.Headings {
		if h.Level != 2 || !strings.EqualFold(strings.TrimSpace(h.Text), "context") {
			continue
		}
		for _, next := range t.Note.Headings[i+1:] {
			if next.Level <= 2 {
				return h.Line, next.Line - 1
			}
		}
		return h.Line, 1 << 30
	}
	return 1 << 30, 1 << 30
}

// linkedNotes returns the notes that the property "context" of a note links and that can be sent now.
func (g *Gatherer) linkedNotes(ctx context.Context, n *vault.Note) (refs []prompt.Ref, missing []prompt.MissingRef) {
	for l := range n.Links() {
		if l.Kind != vault.Frontmatter || !strings.EqualFold(strings.SplitN(l.Prop, ".", 2)[0], "context") {
			continue
		}
		ref := prompt.NoteRef(l.Target)
		reason := fmt.Sprintf("project: %s links %s, which is not there", n.Path, l.Target)
		if f := g.vault.Resolve(l.Target, n.Path); f.State == vault.OK {
			if ref.ID = string(f.Path); l.Subpath != "" {
				ref = prompt.Ref{Kind: prompt.Selection, ID: ref.ID + "#" + l.Subpath}
			}
			found, miss := g.gatherOne(ctx, ref)
			if len(found) > 0 {
				if !slices.Contains(refs, ref) {
					refs = append(refs, ref)
				}
				continue
			}
			reason = "project: " + miss[0].Reason
		}
		missing = append(missing, missingRef(ref, "project", reason)...)
	}
	return refs, missing
}

package gather

import (
	"context"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/md"
)

// Meaning is the result of resolving a reference, for JSON output.
type Meaning struct {
	Ref        string     `json:"ref"`
	Kind       string     `json:"kind"`
	Path       vault.Path `json:"path"`
	ID         string     `json:"id"`
	State      string     `json:"state"`
	Candidates []string   `json:"candidates"`
}

// MeaningOf resolves a reference or, if from is not "", a link in that note.
func MeaningOf(ctx context.Context, g *Gatherer, ref string, from vault.Path) Meaning {
	out := Meaning{Ref: ref, State: string(vault.OK), Candidates: []string{}}
	if from != "" {
		meaningIn(g.vault, from, &out)
	} else {
		meaningOfRef(ctx, g, &out)
	}
	return out
}

// meaningOfRef resolves a reference.
func meaningOfRef(ctx context.Context, g *Gatherer, out *Meaning) {
	refs, missing := g.Reference(ctx, out.Ref)
	if len(missing) > 0 {
		out.State, out.Kind = missing[0].State, string(missing[0].Ref.Kind)
		out.Candidates = append(out.Candidates, missing[0].Candidates...)
		out.follow(g.vault, missing[0].Ref)
		return
	}
	if len(refs) == 0 {
		return
	}
	out.Kind, out.ID, out.Path = string(refs[0].Kind), refs[0].ID, vault.Path(refs[0].ID)
	var held []*vault.Note
	switch refs[0].Kind {
	case prompt.Selection:
		name, _, _ := g.split(refs[0].ID)
		out.Path = vault.Path(name)
	case prompt.Tag:
		out.Path, held = "", g.vault.WithTag(refs[0].ID)
	case prompt.Folder:
		held = g.vault.InFolder(vault.Path(strings.TrimSuffix(refs[0].ID, "/")))
	}
	for _, n := range held {
		out.Candidates = append(out.Candidates, string(n.Path))
	}
	out.State = vault.StateFor(g.vault, out.Path, out.State)
}

// follow adds where an old chat finds the note, if the name is a path that is right no more.
func (m *Meaning) follow(v *vault.Vault, missing prompt.Ref) {
	if missing.Kind != prompt.Note || m.State != string(vault.Missing) {
		return
	}
	found := v.Lookup(missing.ID, vault.ToReadOldChat)
	if found.Path == "" {
		return
	}
	m.Path = found.Path
	m.ID = string(found.Path)
	if found.Subpath != "" {
		m.Kind = string(prompt.Selection)
		m.ID += "#" + found.Subpath
	}
	m.State = vault.StateFor(v, found.Path, string(vault.Moved))
}

// meaningIn resolves a link in a note.
func meaningIn(v *vault.Vault, from vault.Path, out *Meaning) {
	target, _ := md.Target(md.Unlink(out.Ref))
	found := v.Resolve(target, from)
	out.Kind, out.Path, out.ID, out.Candidates = string(prompt.Note), found.Path, string(found.Path),
		vault.PathStrings(found.Candidates)
	if _, note := v.Note(found.Path); found.State == vault.OK && !note {
		out.Kind = "file"
	} else if found.State == vault.OK && found.Subpath != "" {
		out.Kind, out.ID = string(prompt.Selection), out.ID+"#"+found.Subpath
	}
	out.State = vault.StateFor(v, found.Path, string(found.State))
}

package history

import (
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// InVault is a Resolver over what v knows at this moment. It builds its tables
// when they are first needed and keeps them, so make a new one for each chat
// that is opened; it is used by one goroutine at a time.
//
// revision gives the revision under which the present content of a note would
// go to a model, 16 hex digits, "" if it cannot be read; nil means the revision
// of the note's text as it is.
func InVault(v *vault.Vault, revision func(vault.Path) string) Resolver {
	if revision == nil {
		revision = func(p vault.Path) string {
			text, err := v.Read(p)
			if err != nil {
				return ""
			}
			return prompt.NewItem(prompt.Ref{}, "", "", text.Content).Revision.Short()
		}
	}
	return &inVault{v: v, revision: revision}
}

type inVault struct {
	v         *vault.Vault
	revision  func(vault.Path) string
	names     map[string][]vault.Path // lower case, with and without .md
	aliases   map[string][]vault.Path
	revisions map[string][]vault.Path
}

func (in *inVault) Exists(p vault.Path) bool {
	if _, ok := in.v.Note(p); ok {
		return true
	}
	if _, ok := slices.BinarySearch(in.v.Files(), p); ok {
		return true
	}
	_, ok := slices.BinarySearch(in.v.Folders(), p)
	return ok
}

func (in *inVault) WithRevision(rev string) []vault.Path {
	if in.revisions == nil {
		in.revisions = map[string][]vault.Path{}
		for _, n := range in.v.Notes() {
			if r := in.revision(n.Path); r != "" {
				in.revisions[r] = append(in.revisions[r], n.Path)
			}
		}
	}
	return in.revisions[rev]
}

func (in *inVault) Named(name string) []vault.Path {
	if in.names == nil {
		in.names = map[string][]vault.Path{}
		add := func(key string, p vault.Path) {
			key = strings.ToLower(key)
			in.names[key] = append(in.names[key], p)
		}
		for _, n := range in.v.Notes() {
			add(n.Path.Name(), n.Path)
			add(n.Path.Base(), n.Path)
		}
		for _, p := range in.v.Files() {
			add(p.Name(), p)
		}
	}
	found := in.names[strings.ToLower(name)]
	exact := slices.DeleteFunc(slices.Clone(found), func(p vault.Path) bool { return p.Name() != name && p.Base() != name })
	if len(exact) == 1 {
		return exact
	}
	return found
}

func (in *inVault) Aliased(name string) []vault.Path {
	if in.aliases == nil {
		in.aliases = map[string][]vault.Path{}
		for _, n := range in.v.Notes() {
			for _, a := range n.Aliases {
				key := strings.ToLower(a)
				if of := in.aliases[key]; len(of) == 0 || of[len(of)-1] != n.Path {
					in.aliases[key] = append(of, n.Path)
				}
			}
		}
	}
	return in.aliases[strings.ToLower(name)]
}

package vault

// LinkRow is one link as it is written, and where it leads.
type LinkRow struct {
	Path       Path     `json:"path"` // of the note that holds it
	Line       int      `json:"line"`
	Kind       string   `json:"kind"` // wikilink, embed, markdown, property
	Target     string   `json:"target"`
	Subpath    string   `json:"subpath,omitempty"`
	To         Path     `json:"to"`
	State      string   `json:"state"` // ok, missing, private
	Candidates []string `json:"candidates"`
}

var linkKinds = map[LinkKind]string{Wikilink: "wikilink", Embed: "embed", Markdown: "markdown", Frontmatter: "property"}

// LinksOf are the links of a note that lead into the vault, or would, as far as where
// they lead is wanted.
func LinksOf(v *Vault, n *Note, want func(FoundNote) bool) (list []LinkRow) {
	for l := range n.Links() {
		if l.LeavesVault() {
			continue
		}
		if f := v.Resolve(l.Target, n.Path); want(f) {
			list = append(list, LinkRow{
				Path: n.Path, Line: l.Line, Kind: linkKinds[l.Kind], Target: l.Target, Subpath: l.Subpath, To: f.Path,
				State: StateFor(v, f.Path, string(f.State)), Candidates: Names(f.Candidates),
			})
		}
	}
	return list
}

// AllLinks are the wanted links of all notes but one that are neither private nor
// chats, by path and line.
func AllLinks(v *Vault, but *Note, want func(FoundNote) bool) []LinkRow {
	var list []LinkRow
	for _, n := range v.Notes() {
		if n != but && !n.Private && !n.Chat {
			list = append(list, LinksOf(v, n, want)...)
		}
	}
	return list
}

// StateFor is the state of what was found, for people: a note may be private.
func StateFor(v *Vault, path Path, state string) string {
	if n, ok := v.Note(path); ok && n.Private {
		return "private"
	}
	return state
}

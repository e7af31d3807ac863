package vault

// LinkRow is one link in a note, with its target.
type LinkRow struct {
	Path       Path     `json:"path"` // the note that contains the link
	Line       int      `json:"line"`
	Kind       string   `json:"kind"` // wikilink, embed, markdown, property
	Target     string   `json:"target"`
	Subpath    string   `json:"subpath,omitempty"`
	To         Path     `json:"to"`
	State      string   `json:"state"` // ok, missing, private
	Candidates []string `json:"candidates"`
}

var linkKinds = map[LinkKind]string{Wikilink: "wikilink", Embed: "embed", Markdown: "markdown", Frontmatter: "property"}

// LinksOf returns those links of a note that lead into the vault, or to a missing note, and whose target want
// accepts.
func LinksOf(v *Vault, n *Note, want func(FoundNote) bool) (list []LinkRow) {
	for l := range n.Links() {
		if l.LeavesVault() {
			continue
		}
		if f := v.Resolve(l.Target, n.Path); want(f) {
			list = append(list, LinkRow{
				Path: n.Path, Line: l.Line, Kind: linkKinds[l.Kind], Target: l.Target, Subpath: l.Subpath, To: f.Path,
				State: StateFor(v, f.Path, string(f.State)), Candidates: PathStrings(f.Candidates),
			})
		}
	}
	return list
}

// AllLinks returns the links that want accepts, of all notes except but, private notes and chats, by path and
// line.
func AllLinks(v *Vault, but *Note, want func(FoundNote) bool) []LinkRow {
	var list []LinkRow
	for _, n := range v.Notes() {
		if n != but && n.Ordinary() {
			list = append(list, LinksOf(v, n, want)...)
		}
	}
	return list
}

// StateFor returns state, or "private" if the note at path is private, for display.
func StateFor(v *Vault, path Path, state string) string {
	if n, ok := v.Note(path); ok && n.Private {
		return "private"
	}
	return state
}

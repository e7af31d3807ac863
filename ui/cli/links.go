package cli

import (
	"cmp"
	"fmt"
	"strings"

	"ibid/ui/browse"
	"ibid/ui/theme"
	"ibid/vault"
)

// linkJSON is one link as it is written, and where it leads.
type linkJSON struct {
	Path       vault.Path `json:"path"` // of the note that holds it
	Line       int        `json:"line"`
	Kind       string     `json:"kind"` // wikilink, embed, markdown, property
	Target     string     `json:"target"`
	Subpath    string     `json:"subpath,omitempty"`
	To         vault.Path `json:"to"`
	State      string     `json:"state"` // ok, missing, private
	Candidates []string   `json:"candidates"`
}

var linkKinds = map[vault.LinkKind]string{vault.Wikilink: "wikilink", vault.Embed: "embed", vault.Markdown: "markdown", vault.Frontmatter: "property"}

// linksOf are the links of a note that lead into the vault, or would, as far as where
// they lead is wanted.
func linksOf(v *vault.Vault, n *vault.Note, want func(vault.Found) bool) (list []linkJSON) {
	for l := range n.Links() {
		if l.LeavesVault() {
			continue
		}
		if f := v.Resolve(l.Target, n.Path); want(f) {
			list = append(list, linkJSON{
				Path: n.Path, Line: l.Line, Kind: linkKinds[l.Kind], Target: l.Target, Subpath: l.Subpath, To: f.Path,
				State: stateOf(v, f.Path, string(f.State)), Candidates: vault.Names(f.Candidates),
			})
		}
	}
	return list
}

// listNotes prints what the flags of ibid notes ask for besides a search.
func (p *parts) listNotes(f *noteFlags) error {
	var n *vault.Note
	if named := f.Show + f.Links + f.Backlinks; named != "" {
		var err error
		if n, err = oneNote(p.vault, named); err != nil {
			return err
		}
	}
	switch {
	case f.Show != "":
		return p.showNote(n)
	case f.Links != "":
		p.printLinks(linksOf(p.vault, n, func(vault.Found) bool { return true }), f)
	case f.Backlinks != "":
		p.printLinks(allLinks(p.vault, n, func(to vault.Found) bool { return to.Path == n.Path }), f)
	case f.Unresolved:
		p.printLinks(allLinks(p.vault, nil, func(to vault.Found) bool { return to.State == vault.Missing }), f)
	case f.Orphans:
		for _, n := range limitList(vault.Orphans(p.vault), f) {
			p.printLine(noteOf(n), "%s", n.Path)
		}
	default: // tags, the most common ones first
		for _, t := range limitList(vault.CountTags(p.vault.Notes(), func(n *vault.Note) []string { return n.Tags }), f) {
			p.printLine(t, "%6d  #%s", t.Notes, t.Tag)
		}
	}
	return nil
}

// noteJSON is what a note says.
type noteJSON struct {
	Path vault.Path `json:"path"`
	Text string     `json:"text"`
}

// showNote prints a note.
func (p *parts) showNote(n *vault.Note) error {
	text, err := p.vault.Read(n.Path)
	if err != nil {
		return err
	}
	drawing := p.drawing()
	if drawing == nil {
		p.printRow(noteJSON{n.Path, text.Content}, theme.Sanitize(text.Content))
		return nil
	}
	shown, err := browse.ReadNote(p.vault, string(n.Path))
	p.print(drawing.Whole(shown))
	return err
}

// oneNote finds the note that a user means.
func oneNote(v *vault.Vault, ref string) (*vault.Note, error) {
	found, err := vault.One(v, ref)
	n, ok := v.Note(found.Path)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("there is no note %s", ref)
	case n.Private:
		return nil, fmt.Errorf("%s is private", n.Path)
	}
	return n, nil
}

// allLinks are the wanted links of all notes but one that are neither private nor
// chats, by path and line.
func allLinks(v *vault.Vault, but *vault.Note, want func(vault.Found) bool) []linkJSON {
	var list []linkJSON
	for _, n := range v.Notes() {
		if n != but && !n.Private && !n.Chat {
			list = append(list, linksOf(v, n, want)...)
		}
	}
	return list
}

// limitList is a list as long as was asked for.
func limitList[T any](list []T, f *noteFlags) []T {
	if f.limitGiven {
		return list[:min(len(list), f.Limit)]
	}
	return list
}

func (p *parts) printLinks(list []linkJSON, f *noteFlags) {
	for _, l := range limitList(list, f) {
		target := l.Target
		if l.Subpath != "" {
			target += "#" + l.Subpath
		}
		to := cmp.Or(string(l.To), "nothing")
		if len(l.Candidates) > 0 {
			to += "; did you mean " + strings.Join(l.Candidates, ", ") + "?"
		}
		p.printLine(l, "%s:%d  %s → %s", l.Path, l.Line, target, to)
	}
}

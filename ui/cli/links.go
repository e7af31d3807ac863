package cli

import (
	"cmp"
	"strings"

	"ibid/ui/browse"
	"ibid/ui/theme"
	"ibid/vault"
)

// listNotes prints what the flags of ibid notes ask for besides a search.
func (p *parts) listNotes(f *noteFlags) error {
	var n *vault.Note
	if named := f.Show + f.Links + f.Backlinks; named != "" {
		var err error
		if n, err = vault.FindNote(p.vault, named); err != nil {
			return err
		}
	}
	switch {
	case f.Show != "":
		return p.showNote(n)
	case f.Links != "":
		p.printLinks(vault.LinksOf(p.vault, n, func(vault.FoundNote) bool { return true }), f)
	case f.Backlinks != "":
		p.printLinks(vault.AllLinks(p.vault, n, func(to vault.FoundNote) bool { return to.Path == n.Path }), f)
	case f.Unresolved:
		p.printLinks(vault.AllLinks(p.vault, nil, func(to vault.FoundNote) bool { return to.State == vault.Missing }), f)
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

// limitList is a list as long as was asked for.
func limitList[T any](list []T, f *noteFlags) []T {
	if f.limitGiven {
		return list[:min(len(list), f.Limit)]
	}
	return list
}

func (p *parts) printLinks(list []vault.LinkRow, f *noteFlags) {
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

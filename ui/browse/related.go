package browse

import (
	"ibid/chains"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault/names"
	"ibid/vault/state"
)

// relatedList lists related notes, and the reasons.
type relatedList struct {
	noteList
	found []chains.RelatedNote
}

// OpenRelated opens the list of related notes.
func (c *Catalog) OpenRelated(found []chains.RelatedNote) page.Request {
	if len(found) == 0 {
		return page.Toast{Text: "no note is related to it"}
	}
	return c.showList(&relatedList{noteList{Catalog: c}, found}, "")
}

func (l *relatedList) Options() picker.Options {
	return picker.Options{Title: "Related notes", Fixed: true, Note: notesRemark}
}

func (l *relatedList) Rows(string) page.Listing {
	var shown page.Listing
	if !l.open() {
		return shown
	}
	for _, r := range l.found {
		if e, ok := l.finder.Entry(r.ID); ok { // else it was deleted
			it := l.item(names.Match{Entry: e})
			it.Why, it.Snippet = "", l.Theme.Glyphs.Dotted(r.Why...)
			shown.Items = append(shown.Items, it)
		}
	}
	return shown
}

func (l *relatedList) Actions() []page.Action {
	acts := []page.Action{page.On("enter", "attach", l.choose)}
	if l.Edits {
		acts = append(acts, page.On("o ctrl+o", "open in $EDITOR", func(r page.Row) page.Request {
			return page.EditFile{Path: r.ID, Via: string(state.Search)}
		}))
	}
	return append(acts, page.On("O alt+o", "open in Obsidian", l.show), page.On("ctrl+t", "pin or unpin", l.pinRow))
}

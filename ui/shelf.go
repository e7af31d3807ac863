package ui

import (
	"slices"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/vault"
)

// removeChip is what takes a chip off the next turn.
func removeChip(k *known, d composer.Draft, id string) page.Request {
	ref := prompt.ParseRef(id)
	switch {
	case id == chatview.ActiveID:
		return atDesk(setActive{how: desk.Off})
	case id == chatview.ProjectID:
		return page.Run{Line: "/project off"}
	case ref.Kind == prompt.Note && k.Desk.Pinned(vault.Path(ref.ID)):
		return page.Run{Line: `/unpin "` + ref.ID + `"`}
	case slices.Contains(k.Desk.Attached, ref):
		return atDesk(dropRef{ref})
	}
	for _, s := range d.Spans {
		if s.Pick == id {
			return page.Complain("it stands in the prompt: delete " + d.Text[s.From:s.To] + " there")
		}
	}
	return page.Complain("it stands in the prompt: delete it there")
}

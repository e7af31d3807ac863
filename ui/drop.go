package ui

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/ui/browse"
	"ibid/ui/page"
	"ibid/vault"
)

// droppedRef returns the mention of the file of the vault at the absolute path name. Whether it can be
// read shows at its chip, as for any other mention. It reports false for other paths.
func droppedRef(k *screenState, name string) (i page.Insert, ok bool) {
	rest, ok := strings.CutPrefix(name, k.Vault.Dir()+string(filepath.Separator))
	p, err := vault.ParsePath(filepath.ToSlash(rest))
	if !ok || err != nil {
		return i, false
	}
	kind := prompt.Note
	if prompt.IsPicture(p.Name()) {
		kind = prompt.Picture
	}
	f := k.Vault.Lookup("/"+string(p), vault.ToChoose)
	if f.State != vault.OK || f.Path != p {
		return i, false
	}
	return browse.InsertRef(prompt.Ref{Kind: kind, ID: string(p)}, browse.LinkTo(k.Notes.All.Twins, p, "")), true
}

// pasteImage writes the image on the clipboard into the vault and mentions it in the prompt.
func (k *screenState) pasteImage() tea.Cmd {
	paste, open, now := k.opt.Terminal.PasteImage, k.Desk.Note.Path, k.Now()
	if paste == nil {
		return k.Complain("images cannot be pasted here")
	}
	return k.Tasks.Start(func(ctx context.Context) tea.Msg {
		file, err := paste(ctx, open, now)
		if err != nil {
			return page.Complain("paste an image: " + err.Error())
		}
		return browse.InsertRef(prompt.Ref{Kind: prompt.Picture, ID: string(file)}, "[["+string(file)+"]]")
	})
}

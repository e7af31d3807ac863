package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/vault"
)

// exportChat writes the chat to a file, and asks where that would overwrite one.
type exportChat struct{ line string }

func (j exportChat) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	r, err := d.Command(ctx, j.line)
	if exists := (*desk.ExistsError)(nil); errors.As(err, &exists) {
		return overwrite{exists}, nil
	}
	return answerMsg{r.Text}, err
}

// overwrite asks whether an export shall take the place of a file.
type overwrite struct{ *desk.ExistsError }

func (e overwrite) carryOut(m *Model) tea.Cmd {
	return m.setPage(page.Confirm(m.k.Env, "Overwrite the file?", e.File+" is there already", "overwrite", atDesk(exportChat{e.Line})).Guarding())
}

// undoLast takes back what was done last in the chat that is shown; where nothing was,
// that a chat was deleted.
func undoLast(m *Model) tea.Cmd {
	if k := &m.k; len(k.Turn.Prompts) == 0 && k.Desk.Chat.Path == "" && len(k.chats.trash) > 0 {
		return m.carryOut(deleteHere(k, "undo"))
	}
	return m.work(command{line: "/undo"})
}

// deleteHere moves the chat that is shown into the trash, or brings back what was
// deleted last.
func deleteHere(k *known, arg string) page.Request {
	trash := k.chats.trash
	switch {
	case k.Turn.Running():
		return busy
	case arg == "" && k.opt.Store != nil && k.Desk.Chat.Path != "":
		return atDesk(deleteChat{k.opt.Store, vault.Path(k.Desk.Chat.Path)})
	case arg == "undo" && len(trash) > 0:
		last := trash[len(trash)-1]
		return page.Steps{atDesk(restoreChat{k.opt.Store, last}), atDesk(openChat{path: string(last.was)})}
	}
	return page.Run{Line: "/delete " + arg} // which says why not
}

// trashedChat is a chat that was deleted here.
type trashedChat struct{ in, was vault.Path }

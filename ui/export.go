package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
)

// exportChat writes the chat to a file, and asks where that would overwrite one.
type exportChat struct{ line string }

func (j exportChat) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	r, err := d.Command(ctx, j.line)
	if exists := (*desk.ExistsError)(nil); errors.As(err, &exists) {
		return overwrite{exists}, nil
	}
	return chatview.Saying(r.Text), err
}

// overwrite asks whether an export shall take the place of a file.
type overwrite struct{ *desk.ExistsError }

func (e overwrite) carryOut(m *Model) tea.Cmd {
	return m.setPage(page.Confirm(m.k.Env, "Overwrite the file?", e.File+" is there already", "overwrite", atDesk(exportChat{e.Line})).Guarding())
}

package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Program is what Choose runs, with what it has chosen so far.
func (c VaultChoice) Program(ctx context.Context) (m tea.Model, chosen func() (dir string, keep, left bool)) {
	p := newChooser(ctx, c)
	return p, func() (string, bool, bool) { return p.chosen.dir, p.chosen.keep, p.left }
}

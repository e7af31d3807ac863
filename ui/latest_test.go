package ui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestLatest: a search for what is no longer asked for ends.
func TestLatest(t *testing.T) {
	tasks := newTasks(t.Context())
	defer tasks.close()
	ended := func(ctx context.Context) tea.Msg {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return nil
	}
	first := tasks.latest(ended)
	second := tasks.latest(ended)
	if first() == nil || second() != nil {
		t.Error("the first goes on, or the second does not")
	}
	third := tasks.latest(ended)
	tasks.latest(nil)
	if third() == nil {
		t.Error("nothing is asked for, and it goes on")
	}
}

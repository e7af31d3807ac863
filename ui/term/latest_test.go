package term

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestLatest: a search for what is no longer asked for ends.
func TestLatest(t *testing.T) {
	tasks := NewTasks(t.Context())
	defer tasks.Close()
	ended := func(ctx context.Context) tea.Msg {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return nil
	}
	first := tasks.Latest(ended)
	second := tasks.Latest(ended)
	if first() == nil || second() != nil {
		t.Error("the first goes on, or the second does not")
	}
	third := tasks.Latest(ended)
	tasks.Latest(nil)
	if third() == nil {
		t.Error("nothing is asked for, and it goes on")
	}
}

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
	did := func(cmd tea.Cmd) tea.Msg { return cmd().(latestAnswer).msg }
	if did(first) == nil || did(second) != nil {
		t.Error("the first goes on, or the second does not")
	}
	third := tasks.Latest(ended)
	tasks.Latest(nil)
	if did(third) == nil {
		t.Error("nothing is asked for, and it goes on")
	}
}

// TestLateAnswer: an answer that was there in time and comes behind a later one counts for
// nothing.
func TestLateAnswer(t *testing.T) {
	tasks := NewTasks(t.Context())
	defer tasks.Close()
	says := func(text string) Work { return func(context.Context) tea.Msg { return text } }
	early := tasks.Latest(says("early"))()
	if got := Current(early); got != "early" {
		t.Errorf("it is %v", got)
	}
	late := tasks.Latest(says("late"))()
	if was, now := Current(early), Current(late); was != nil || now != "late" {
		t.Errorf("%v counts, and then %v", was, now)
	}
	if got := Current("a message of another kind"); got != "a message of another kind" {
		t.Errorf("it is %v", got)
	}
}

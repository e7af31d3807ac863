package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestAttachedAlone: what is attached to a chat that has not begun is there again after
// a crash, also when another chat was opened meanwhile.
func TestAttachedAlone(t *testing.T) {
	playChats(t, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "/add Soil", "attached")
		r.Pass(2 * time.Second)
		next := killed(t, r, g)
		next.WaitFor("+ Soil")
		ask(next, "/open Scales", "Where do I start?")
		next.Pass(2 * time.Second)
		wantNot(t, next, "+ Soil")
		next = killed(t, next, g)
		next.WaitFor("+ Soil")
		next.Close()
	})
}

// TestActiveAlone: a note that was chosen as the active one of a chat that has not begun
// is that again after a crash, also when another chat was opened meanwhile.
func TestActiveAlone(t *testing.T) {
	playChats(t, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "/active Soil", "Soil")
		r.Pass(2 * time.Second)
		g.model.Add(chaintest.Reply{Text: "It is loam."})
		next := killed(t, r, g)
		next.Pass(2 * time.Second)
		ask(next, "/open Scales", "Where do I start?")
		next.Pass(2 * time.Second)
		next = killed(t, next, g)
		next.Pass(2 * time.Second)
		ask(next, "what is it", "It is loam.")
		sent := g.model.Requests()
		if n := len(sent); n == 0 || !strings.Contains(fmt.Sprint(sent[n-1].Messages), "Compost in spring") {
			t.Errorf("the note did not go along: %v", sent)
		}
		next.Close()
	})
}

// TestDraftTriedAgain: a draft that cannot be written is written once that works, and
// what was said of it goes.
func TestDraftTriedAgain(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{}, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Pass(time.Second)
		dir, aside := filepath.Join(g.locks, "drafts"), filepath.Join(g.locks, "aside")
		if err := os.Rename(dir, aside); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.Type("not to be lost")
		r.WaitFor("draft")
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(aside, dir); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		r.Pass(20 * time.Second)
		next := killed(t, r, g)
		want(t, next, "> not to be lost")
		next.Close()
	})
}

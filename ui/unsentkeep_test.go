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

// TestDraftUnpriced: a draft that was there when ibid broke off is looked at once it is
// edited; after an orderly end it is looked at behind a mark in its file.
func TestDraftUnpriced(t *testing.T) {
	play(t, 80, 24, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Type("as in @soil")
		r.Press("enter")
		r.Pass(2 * time.Second)
		want(t, r, "+ Soil +31")
		next := killed(t, r, g)
		next.Pass(time.Second)
		want(t, next, "> as in [[Soil]]", "ibid broke off: a price comes when you edit it")
		wantNot(t, next, "+ Soil +31")
		next.Type("x")
		next.Pass(time.Second)
		want(t, next, "+ Soil +31")

		next = quit(t, next, g)
		next.Pass(time.Second)
		want(t, next, "> as in [[Soil]] x", "+ Soil +31")
		wantNot(t, next, "broke off")
		files, _ := filepath.Glob(filepath.Join(g.locks, "drafts", "*.json"))
		if data, err := os.ReadFile(strings.Join(files, " ")); err != nil || !strings.Contains(string(data), `"open":true`) {
			t.Errorf("the draft has no mark while it is open: %s, %v", data, err)
		}
		next.Close()
	})
}

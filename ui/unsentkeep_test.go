package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
)

// TestActiveAlone: a note that was chosen as the active one of a chat that has not begun
// is that again after a crash, also when another chat was opened meanwhile.
func TestActiveAlone(t *testing.T) {
	playChats(t, nil, func(r *stage) {
		r.Ask("/active Soil", "Soil")
		r.Pass(2 * time.Second)
		r.model.Add(chaintest.Reply{Text: "It is loam."})
		next := killProcess(r)
		next.Pass(2 * time.Second)
		next.Ask("/open Scales", "Where do I start?")
		next.Pass(2 * time.Second)
		next = killProcess(next)
		next.Pass(2 * time.Second)
		next.Ask("what is it", "It is loam.")
		sent := r.model.Requests()
		if n := len(sent); n == 0 || !strings.Contains(fmt.Sprint(sent[n-1].Messages), "Compost in spring") {
			r.Errorf("the note did not go along: %v", sent)
		}
		next.Close()
	})
}

// TestDraftTriedAgain: a draft that cannot be written is written once that works, and
// what was said of it goes.
func TestDraftTriedAgain(t *testing.T) {
	play(t, []chaintest.Reply{}, func(r *stage) {
		r.Pass(time.Second)
		dir, aside := filepath.Join(r.locks, "drafts"), filepath.Join(r.locks, "aside")
		if err := os.Rename(dir, aside); err != nil && !os.IsNotExist(err) {
			r.Fatal(err)
		}
		check(r, os.WriteFile(dir, nil, 0o600))
		r.Type("not to be lost")
		r.WaitFor("draft")
		check(r, os.Remove(dir))
		if err := os.Rename(aside, dir); err != nil && !os.IsNotExist(err) {
			r.Fatal(err)
		}
		r.Pass(20 * time.Second)
		next := killProcess(r)
		next.Want("> not to be lost")
		next.Close()
	})
}

// TestDraftUnpriced: a draft that was there when ibid broke off is looked at once it is
// edited; after an orderly end it is looked at behind a mark in its file.
func TestDraftUnpriced(t *testing.T) {
	play(t, nil, func(r *stage) {
		r.Type("as in @soil")
		r.Press("enter")
		r.Pass(2 * time.Second)
		r.Want("+ Soil +31")
		next := killProcess(r)
		next.Pass(time.Second)
		next.Want("> as in [[Soil]]", "ibid broke off: a price comes when you edit it")
		next.WantNot("+ Soil +31")
		next.Type("x")
		next.Pass(time.Second)
		next.Want("+ Soil +31")

		next = quit(next)
		next.Pass(time.Second)
		next.Want("> as in [[Soil]] x", "+ Soil +31")
		next.WantNot("broke off")
		files, _ := filepath.Glob(filepath.Join(r.locks, "drafts", "*.json"))
		if data, err := os.ReadFile(strings.Join(files, " ")); err != nil || !strings.Contains(string(data), `"open":true`) {
			r.Errorf("the draft has no mark while it is open: %s, %v", data, err)
		}
		next.Close()
	})
}

package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/history"
	"ibid/history/chatlist"
)

// TestGoBack lists the person's messages on esc esc, and edits one of them.
func TestGoBack(t *testing.T) {
	playAt(t, 80, 30, replies(
		reply("first answer"), reply("second answer"), reply("third answer"),
		reply("another second answer"), reply("another first answer"),
	), func(r *stage) {
		r.Press("esc", "esc")
		r.Want("there is no message to go back to yet")
		r.Ask("alpha", "first answer")
		r.Ask("beta", "second answer")
		r.Ask("gamma", "third answer")
		r.Press("esc")
		r.Pass(2 * time.Second)
		r.Press("esc")
		r.WantNot("Go back to")
		r.Press("esc")
		r.Want("Go back to", "gamma", "turn 3", "alpha", "turn 1")
		r.Type("bet")
		r.WantNot("gamma")
		r.Press("enter")
		r.WaitFor("a branch from here")
		r.Want("> beta", "first answer")
		r.WantNot("second answer", "gamma", "third answer")
		r.Press("esc", "esc")
		r.WantNot("Go back to") // the prompt is not empty
		if all, err := r.store.List(r.Context()); err != nil || len(all) != 2 {
			r.Errorf("%d chats (%v), want the old one and the branch", len(all), err)
		}
		r.Press("enter")
		r.WaitFor("another second answer")
		r.Press("alt+esc")
		r.Want("Go back to")
		r.Begin("alp", "> alpha")
		if all, err := r.store.List(r.Context()); err != nil || len(all) != 2 {
			r.Errorf("%d chats (%v) before anything was said in the new one", len(all), err)
		}
		r.Press("enter")
		r.WaitFor("another first answer")
		all, err := r.store.List(r.Context())
		listed := make([]*history.Summary, len(all))
		for i := range all {
			listed[i] = &all[i]
		}
		if _, depth := chatlist.Tree(listed); err != nil || len(all) != 3 || slices.Max(depth) != 2 {
			r.Errorf("the chats are %+v (%v), %v deep", all, err, depth)
		}
	})
}

// TestLongTextIsPriced prices a text anew that grew by much.
func TestLongTextIsPriced(t *testing.T) {
	playOn(t, 100, 24, rigWithSession(band, func(o *chains.Options) {
		o.Count = nil
	}), func(r *stage) {
		r.Pass(time.Second)
		r.Paste(strings.Repeat("a pasted line\n", 2000))
		r.Pass(time.Second)
		r.Want("sends 7.")
	})
}

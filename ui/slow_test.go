package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/history"
)

// TestSlowOpening: while a chat is being opened, a reply goes on in the one that is there, and the keys
// are taken.
func TestSlowOpening(t *testing.T) {
	var other *history.Store
	playOn(t, 100, 30, rigWith(band+older, func(g *rig) {
		var err error
		other, err = history.NewStore(g.vault, history.Options{StateDir: g.locks, Zone: time.UTC, Now: g.now})
		check(g.t, err)
		g.t.Cleanup(func() { _ = other.Close() })
		g.deskWith(func(o *desk.Options) { o.Wait.Most = time.Minute })
	}, chaintest.Reply{Text: "one two three four five six", Split: 4, Delay: time.Second}), func(r *stage) {
		chat, _, err := other.Open("Chats/Scales.md")
		check(r, err)
		r.Begin("hello", "one")
		r.Press("ctrl+s")
		r.WaitFor("Scales and arpeggios")
		r.Begin("scales", "five six")
		r.Type("and then")
		r.Pass(10 * time.Second)
		r.Want("and then")
		r.Press("ctrl+u")
		check(r, other.Release(&chat))
		r.WaitFor("Where do I start?")
		r.WantNot("read-only")
	})
}

// TestOpenTheOpenChat: to open the chat that is on the screen changes nothing, whichever
// way it is asked for.
func TestOpenTheOpenChat(t *testing.T) {
	playChats(t, nil, func(r *stage) {
		r.Ask("/open Scales", "Where do I start?")
		was := r.desk.Session()
		for _, open := range []func(){
			func() { r.Ask("/open Scales", "this chat is open") },
			func() { r.Ask("/open Chats/Scales.md", "this chat is open") },
			func() {
				r.Press("ctrl+s")
				r.WaitFor("Which keyboard to buy")
				r.Type("scales and")
				r.Press("enter")
			},
		} {
			open()
			r.Pass(time.Second)
			r.Want("Where do I start?")
			r.WantNot("opened:")
			if r.desk.Session() != was {
				r.Error("the chat was opened again")
			}
		}
	})
}

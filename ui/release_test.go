package ui_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/ui"
)

// elsewhere returns the store of another process.
func elsewhere(t *testing.T, g *rig) *history.Store {
	t.Helper()
	other, err := history.NewStore(g.vault, history.Options{StateDir: g.locks, Now: g.now})
	check(t, err)
	t.Cleanup(func() { _ = other.Close() })
	return other
}

// takes opens a chat in another process, and reports whether that may write it.
func takes(t *testing.T, other *history.Store, path string) bool {
	t.Helper()
	p, err := other.Find(t.Context(), path)
	check(t, err)
	c, _, err := other.Open(p)
	check(t, err)
	return !c.ReadOnly
}

// TestDraftReleases: a chat in the background in which nothing runs can be written by
// another process, also if a message in it was not sent, and is taken again when it
// comes back.
func TestDraftReleases(t *testing.T) {
	playChats(t, replies(reply("one"), reply("two")), func(r *stage) {
		r.Ask("/open Scales", "contrary motion")
		r.Type("of the scales @soil")
		r.Press("enter")
		r.Pass(time.Second)
		other := elsewhere(r.T, r.rig)
		if takes(r.T, other, "Scales") {
			r.Fatal("the chat on the screen is not locked")
		}
		_ = other.Close()
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Pass(time.Second)
		r.Want("1 not sent")
		other = elsewhere(r.T, r.rig)
		if !takes(r.T, other, "Scales") {
			r.Fatal("the chat in the background is locked")
		}

		r.Press("ctrl+x", "c")
		r.WaitFor("another window has this chat open: what you wrote stays")
		r.Want("read-only", "contrary motion", "> of the scales", "+ Soil")
		r.Press("ctrl+n")
		r.Pass(time.Second)
		r.Want("1 not sent")
		r.Press("ctrl+x", "c")
		r.Pass(time.Second)
		r.Want("> of the scales", "read-only")
		_ = other.Close()
		r.WaitFor("it goes on here")
		r.Want("> of the scales", "+ Soil")
		r.WantNot("read-only")

		r.Press("ctrl+n")
		r.Pass(time.Second)
		r.Press("ctrl+x", "c", "enter")
		r.WaitFor("one")
		r.Want("contrary motion", "of the scales")
		if takes(r.T, elsewhere(r.T, r.rig), "Scales") {
			r.Error("the chat that came back is not locked")
		}
	})
}

// TestReleasedAtEnd: what another process left unsent in a released chat is not
// overwritten at the end.
func TestReleasedAtEnd(t *testing.T) {
	playChats(t, nil, func(r *stage) {
		r.Ask("/open Scales", "contrary motion")
		r.Type("of the scales")
		r.Press("ctrl+n")
		r.Pass(time.Second)
		files, err := filepath.Glob(filepath.Join(r.locks, "drafts", "*"))
		if err != nil || len(files) != 1 {
			r.Fatalf("%q (%v) are kept", files, err)
		}
		if err := os.Remove(files[0]); err != nil { // it was sent there
			r.Fatal(err)
		}
		r.Close()
		if _, err := os.Stat(files[0]); err == nil {
			r.Error("the draft is there again")
		}
	})
}

// TestReleasedWrittenElsewhere: what another process left unsent in a released chat is
// not lost when it comes back.
func TestReleasedWrittenElsewhere(t *testing.T) {
	playChats(t, replies(slow(strings.Repeat("one ", 30))), func(r *stage) {
		r.Ask("/open Scales", "contrary motion")
		r.Ask("go on", "one")
		r.Ask("waits", "")
		r.Press("esc")
		r.WaitFor("still queued")
		r.Type("of the scales")
		r.Press("ctrl+n")
		r.Pass(time.Second)
		files, err := filepath.Glob(filepath.Join(r.locks, "drafts", "*"))
		if err != nil || len(files) != 1 {
			r.Fatalf("%q (%v) are kept", files, err)
		}
		data, err := os.ReadFile(files[0])
		check(r, err)
		check(r, os.WriteFile(files[0], bytes.ReplaceAll(data, []byte("of the scales"), []byte("of arpeggios")),
			0o600))
		r.Press("ctrl+x", "c")
		r.Pass(time.Second)
		r.Want("> of the scales")
		is(r, strings.Count(r.Screen(), "waits"), 1, "the message that waits")
		r.Press("ctrl+u", "up") // what waits
		r.Want("> waits")
		r.Press("ctrl+u", "up")
		r.Want("> of arpeggios")
	})
}

// TestLeftInTurn: every chat that was left can be written by another process, also the
// one that became current when another was closed.
func TestLeftInTurn(t *testing.T) {
	playChats(t, replies(reply("one"), reply("two")), func(r *stage) {
		r.Ask("alpha", "one")
		r.Ask("/open Scales", "contrary motion")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Ask("beta", "two")
		r.Ask("/open alpha", "one")
		r.Ask("/open beta", "two")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Pass(time.Second)
		other := elsewhere(r.T, r.rig)
		for _, chat := range []string{"alpha", "Scales", "beta"} {
			if !takes(r.T, other, chat) {
				r.Errorf("%s is locked", chat)
			}
		}
	})
}

// TestLeftChatDropped: what providers keep of a chat is deleted some time after it was
// left, unless it is open again, and its draft stays.
func TestLeftChatDropped(t *testing.T) {
	left := make(chan string, 8)
	playOn(t, 100, 30, rigWithOptions(band, func(o *ui.Options) {
		o.Service.Left = func(_ context.Context, cacheKey string) { left <- cacheKey }
	}, reply("one"), reply("two"), reply("three")), func(r *stage) {
		for _, chat := range []string{"one", "two", "three"} {
			r.Ask("chat "+chat, chat)
			if chat == "two" {
				r.Type("not sent")
			}
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
		}
		r.Ask("/open chat three", "three")
		r.Pass(10 * time.Minute)
		if len(left) > 0 {
			r.Errorf("%d are deleted at once", len(left))
		}
		r.Pass(10 * time.Minute)
		if len(left) != 2 {
			r.Fatalf("%d are deleted", len(left))
		}
		if a, b := <-left, <-left; a == b || !strings.HasPrefix(a, "ibid-") {
			r.Errorf("of %q and %q", a, b)
		}
	})
}

package ui_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// killed is the screen after the process of the first one was killed, and the state
// folder is as it was then.
func killed(t *testing.T, r *uitest.Robot, g *rig) *uitest.Robot {
	t.Helper()
	dir, locks := t.TempDir(), t.TempDir()
	copyFolders(t, map[string]string{g.dir: dir, g.locks: locks})
	next := quit(t, r, g)
	next.Close()
	copyFolders(t, map[string]string{dir: g.dir, locks: g.locks})
	return again(t, g)
}

// quit is the screen of the next process, after the first one ended as it should.
func quit(t *testing.T, r *uitest.Robot, g *rig) *uitest.Robot {
	t.Helper()
	r.Close()
	return again(t, g)
}

func again(t *testing.T, g *rig) *uitest.Robot {
	t.Helper()
	if err := g.store.Close(); err != nil {
		t.Fatal(err)
	}
	g.store, g.desk = g.open(t, g.model, "test-model")
	return uitest.New(t, g.options(), 80, 24)
}

// TestUnsentIsBack: what stands in the prompt of a new chat is there again after a
// crash, with its chips and the cursor, and is gone when it was sent or cleared.
func TestUnsentIsBack(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{reply("one")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Paste(strings.Repeat("@line [[x]]\n", 48))
		r.Type(" as in @soil")
		r.Press("enter")
		r.Type("or not")
		r.Press("left", "left", "left")
		r.Pass(2 * time.Second)
		next := killed(t, r, g)
		want(t, next, "> [paste 1 · 48 lines] as in [[Soil]] or not", "+ Soil", "what you had not sent is back")
		next.Type("x")
		want(t, next, "or xnot")
		files, _ := filepath.Glob(filepath.Join(g.dir, "Chats", "*"))
		if len(files) > 0 {
			t.Errorf("the vault has %q: nothing was sent", files)
		}

		next.Press("enter")
		next.WaitFor("one")
		next.Pass(time.Second)
		next = quit(t, next, g)
		want(t, next, "Ask your vault")

		next.Type("cleared")
		next.Press("ctrl+c")
		next.Type("kept at once")
		next = quit(t, next, g) // before a second has passed
		want(t, next, "> kept at once")
		next.Press("ctrl+u", "up")
		want(t, next, "> cleared")
		next.Close()
	})
}

// TestUnsentOfChats: each chat has its own, with what waits for a reply, and it goes
// with the chat.
func TestUnsentOfChats(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{reply("one"), slow(strings.Repeat("two ", 200))},
		func(t *testing.T, r *uitest.Robot, g *rig) {
			ask(r, "alpha", "one")
			r.Type("more of alpha")
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
			ask(r, "beta", "two")
			ask(r, "wait for it", "")
			r.Press("enter")
			r.Type("after that")
			r.Pass(2 * time.Second)
			next := killed(t, r, g)
			want(t, next, "Ask your vault") // nothing was begun in the new chat
			open := func(chat string) {
				t.Helper()
				next.Press("ctrl+s")
				next.WaitFor(chat)
				next.Type(chat)
				next.Press("enter")
				next.WaitFor("▌ " + chat)
			}
			open("alpha")
			want(t, next, "> more of alpha")
			open("beta")
			want(t, next, "> after that", "wait for it")
			next.Press("ctrl+u", "up")
			want(t, next, "> wait for it")

			next.Press("ctrl+s")
			next.WaitFor("alpha")
			next.Type("alpha")
			next.Press("ctrl+d")
			next.WaitFor("in the trash")
			next.Pass(time.Second)
			next.Close()
			files, _ := filepath.Glob(filepath.Join(g.locks, "drafts", "*-1773484200000.json"))
			if len(files) > 0 {
				t.Errorf("%q: the chat is in the trash", files)
			}
		})
}

// TestUnsentOfNewChats: two chats that have not begun have a draft each, also the one
// whose message is being prepared, and both are there again after a crash.
func TestUnsentOfNewChats(t *testing.T) {
	playOn(t, 90, 24, func(t *testing.T) *rig {
		g := newRig(t, band, reply("one"))
		g.loads = func(string) <-chan struct{} { return nil } // the page never comes
		g.store, g.desk = g.open(t, g.model, "test-model")
		return g
	}, func(t *testing.T, r *uitest.Robot, g *rig) {
		begin(r, "about @https://example.com/slow", "▌ about")
		r.Type("and then")
		r.Pass(2 * time.Second)
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Type("of the other")
		r.Pass(2 * time.Second)
		next := killed(t, r, g)
		want(t, next, "ctrl+x c goes to 1 chat more", "1 not sent")
		if strings.Contains(next.Screen(), "> of the other") { // both were written at the same time, nearly
			next.Press("ctrl+x", "c")
		}
		want(t, next, "> and then", "about @https://example.com/slow", "1 not sent")
		next.Press("ctrl+n")
		want(t, next, "> of the other")
		next.Press("enter")
		next.WaitFor("one")
		next.Pass(time.Second)

		next = quit(t, next, g)
		want(t, next, "> and then", "about @https://example.com/slow")
		wantNot(t, next, "not sent;", "ctrl+x c goes")
		next.Press("ctrl+u", "up", "ctrl+u")
		next.Pass(2 * time.Second)
		next = quit(t, next, g)
		wantNot(t, next, "and then", "about")
		next.Close()
		if files, _ := filepath.Glob(filepath.Join(g.locks, "drafts", "*")); len(files) > 0 {
			t.Errorf("%q: everything was sent or deleted", files)
		}
	})
}

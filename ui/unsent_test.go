package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/ui/uitest"
)

// killProcess returns the screen of the next process after a kill, with the files of that moment.
func killProcess(r *stage) *stage {
	r.Helper()
	dir, locks := r.TempDir(), r.TempDir()
	copyFolders(r.T, map[string]string{r.dir: dir, r.locks: locks})
	next := quit(r)
	next.Close()
	copyFolders(r.T, map[string]string{dir: r.dir, locks: r.locks})
	return &stage{r.T, again(r.T, r.rig), r.rig}
}

// quit returns the screen of the next process, after a normal end of the first one.
func quit(r *stage) *stage {
	r.Helper()
	r.Close()
	return &stage{r.T, again(r.T, r.rig), r.rig}
}

func again(t *testing.T, g *rig) *uitest.Robot {
	t.Helper()
	check(t, g.store.Close())
	g.reopen()
	return uitest.New(t, g.options(), 80, 24)
}

// TestUnsentIsBack: what stands in the prompt of a new chat is there again after a
// crash, with its chips and the cursor, and is gone when it was sent or cleared.
func TestUnsentIsBack(t *testing.T) {
	play(t, replies(reply("one")), func(r *stage) {
		r.Paste(strings.Repeat("@line [[x]]\n", 48))
		r.Type(" as in @soil")
		r.Press("enter")
		r.Type("or not")
		r.Press("left", "left", "left")
		r.Pass(2 * time.Second)
		next := killProcess(r)
		next.Want("> [paste 1 · 48 lines] as in [[Soil]] or not", "+ Soil", "what you had not sent is back")
		next.Type("x")
		next.Want("or xnot")
		files, _ := filepath.Glob(filepath.Join(r.dir, "Chats", "*"))
		if len(files) > 0 {
			r.Errorf("the vault has %q: nothing was sent", files)
		}

		next.Press("enter")
		next.WaitFor("one")
		next.Pass(time.Second)
		next = quit(next)
		next.Want("Ask your vault")

		next.Type("cleared")
		next.Press("ctrl+c")
		next.Type("kept at once")
		next = quit(next) // before a second has passed
		next.Want("> kept at once")
		next.Press("ctrl+u", "up")
		next.Want("> cleared")
		next.Close()
	})
}

// TestUnsentOfChats: each chat has its own, with what waits for a reply, and it goes
// with the chat.
func TestUnsentOfChats(t *testing.T) {
	play(t, replies(reply("one"), slow(strings.Repeat("two ", 200))),
		func(r *stage) {
			r.Ask("alpha", "one")
			r.Type("more of alpha")
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
			r.Ask("beta", "two")
			r.Ask("wait for it", "")
			r.Press("enter")
			r.Type("after that")
			r.Pass(2 * time.Second)
			next := killProcess(r)
			next.Want("Ask your vault") // nothing was begun in the new chat
			open := func(chat string) {
				r.Helper()
				next.Press("ctrl+s")
				next.WaitFor(chat)
				next.Type(chat)
				next.Press("enter")
				next.WaitFor("▌ " + chat)
			}
			open("alpha")
			next.Want("> more of alpha")
			open("beta")
			next.Want("> after that", "wait for it")
			next.Press("ctrl+u", "up")
			next.Want("> wait for it")

			next.Press("ctrl+s")
			next.WaitFor("alpha")
			next.Type("alpha")
			next.Press("ctrl+d")
			next.WaitFor("in the trash")
			next.Pass(time.Second)
			next.Close()
			files, _ := filepath.Glob(filepath.Join(r.locks, "drafts", "*-1773484200000.json"))
			if len(files) > 0 {
				r.Errorf("%q: the chat is in the trash", files)
			}
		})
}

// TestUnsentOfNewChats: two chats that have not begun have a draft each, also the one
// whose message is being prepared. After a crash the newest is back, and the other comes with the next
// new chat.
func TestUnsentOfNewChats(t *testing.T) {
	playOn(t, 90, 24, rigWith(band, func(g *rig) {
		g.loads = func(string) <-chan struct{} { return nil } // the page never comes
		g.reopen()
	}, reply("one")), func(r *stage) {
		r.Begin("about @https://example.com/slow", "▌ about")
		r.Type("and then")
		r.Pass(2 * time.Second)
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Type("of the other")
		r.Pass(2 * time.Second)
		files, _ := filepath.Glob(filepath.Join(r.locks, "drafts", "*"))
		for _, file := range files { // both were written at the same time, nearly
			data, err := os.ReadFile(file)
			check(r, err)
			if later := time.Now().AddDate(99, 0, 0); strings.Contains(string(data), "of the other") {
				check(r, os.Chtimes(file, later, later))
			}
		}
		next := killProcess(r)
		next.Pass(time.Second)
		next.Want("> of the other")
		next.Press("enter")
		next.WaitFor("one")
		next.Pass(time.Second)
		next.Press("ctrl+n")
		next.Pass(time.Second)
		next.Want("> and then", "about @https://example.com/slow")

		next = quit(next)
		next.Want("> and then", "about @https://example.com/slow")
		next.WantNot("not sent;")
		next.Press("ctrl+u", "up", "ctrl+u")
		next.Pass(2 * time.Second)
		next = quit(next)
		next.WantNot("and then", "about")
		next.Close()
		if files, _ := filepath.Glob(filepath.Join(r.locks, "drafts", "*")); len(files) > 0 {
			r.Errorf("%q: everything was sent or deleted", files)
		}
	})
}

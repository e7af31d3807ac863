package desk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
)

const savedChats = notes + `
-- Chats/Scales.md --
---
epoch: 1773000000000
topic: "Scales"
tags:
  - copilot-conversation
---

**user**: Where do I start?
[Timestamp: 2026/03/01 09:00:00]

**ai**: Begin with contrary motion.
[Timestamp: 2026/03/01 09:00:05]
`

// TestOpenTogether: several places may open the same chat at once, and others close theirs
// meanwhile: one chat of the file is open afterwards, with all that it holds.
func TestOpenTogether(t *testing.T) {
	r := newRig(t, savedChats, chaintest.New(chaintest.Reply{Text: "One."}))
	r.line("hello")
	var working sync.WaitGroup
	for i := range 8 {
		working.Go(func() {
			place, lost := r.desk.Reopen(t.Context(), chains.Snapshot{}, desk.Follow)
			defer place.Leave()
			err := place.Open(t.Context(), "Chats/Scales.md")
			if now := place.Session().Snapshot(); lost != nil || err != nil || now.Turns != 1 || now.ReadOnly {
				t.Errorf("%v, %v, open is %+v", lost, err, now)
			}
			if _, err := place.Command(t.Context(), fmt.Sprintf("/tag scale%d", i)); err != nil {
				t.Error(err)
			}
		})
	}
	working.Go(func() {
		if err := r.desk.Chat.Close(); err != nil {
			t.Error(err)
		}
	})
	working.Wait()
	all := slices.DeleteFunc(r.desk.Chats(), func(c *desk.Chat) bool { return c.Session().Snapshot().Turns == 0 })
	if len(all) != 1 {
		t.Fatalf("%d chats with turns are open", len(all))
	}
	if now := all[0].Session().Snapshot(); now.Path != "Chats/Scales.md" || !r.newStore().Locked(now.Epoch) {
		t.Errorf("open is %+v", now)
	}
}

// TestEnter: whoever works in a chat has it to himself; who passes by waits for nobody, and
// a chat that is not open is no place.
func TestEnter(t *testing.T) {
	r := newRig(t, savedChats, chaintest.New(chaintest.Reply{Text: "One."}))
	r.line("hello")
	chat := r.desk.Chat
	here := r.desk.Enter(chat, false)
	var order []string
	var waiting sync.WaitGroup
	waiting.Go(func() {
		place := r.desk.Enter(chat, false)
		defer place.Leave()
		order = append(order, "second")
	})
	passing := r.desk.Enter(chat, true)
	if err := passing.Open(t.Context(), "Scales"); err != nil || here.Chat != chat {
		t.Errorf("opened: %v", err)
	}
	passing.Leave()
	order = append(order, "first")
	here.Leave()
	waiting.Wait()
	is(t, strings.Join(order, " "), "first second")
	if err := passing.Chat.Close(); err != nil || r.desk.Enter(passing.Chat, false) != nil {
		t.Errorf("a closed chat is a place: %v", err)
	}
}

// TestOpenAgain: a chat that is open stays as it is, whatever it is called.
func TestOpenAgain(t *testing.T) {
	r := newRig(t, savedChats, chaintest.New())
	check(t, r.desk.Open(t.Context(), "Scales"))
	was, session := r.desk.Chat, r.desk.Session()
	for _, name := range []string{"Scales", "Chats/Scales.md", "Chats/Scales"} {
		res, err := r.desk.Command(t.Context(), "/open "+name)
		if err != nil || res.Opened || r.desk.Chat != was || r.desk.Session() != session {
			t.Errorf("/open %s: %+v, %v; another session: %t", name, res, err, r.desk.Session() != session)
		}
	}
}

// TestTurnNeverRun: a chat whose turn is prepared counts as running, until the turn's
// context ends if nobody ranges over it.
func TestTurnNeverRun(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "Two."}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.desk.Counted(ctx, r.desk.Session().Send(ctx, r.desk.Input("count")))
	if !r.desk.Running() {
		t.Error("a chat with a prepared turn does not count as running")
	}
	cancel()
	for r.desk.Running() { // the one that counts runs beside this
		runtime.Gosched()
	}
	turn := r.desk.Counted(t.Context(), r.desk.Session().Send(t.Context(), r.desk.Input("count")))
	for range turn {
		if !r.desk.Running() {
			t.Error("a chat with a turn does not count as running")
		}
	}
	if r.desk.Running() {
		t.Error("the chat still counts as running")
	}
}

// TestReopenRenamed: a chat that was closed is found again when another process has
// renamed its file; one that is gone is not.
func TestReopenRenamed(t *testing.T) {
	r := newRig(t, savedChats, chaintest.New())
	check(t, r.desk.Open(t.Context(), "Scales"))
	was := r.desk.Session().Snapshot()
	check(t, r.desk.Chat.Close())
	to := value(r.newStore().Rename("Chats/Scales.md", "Thirds"))(t)
	check(t, enterSaved(t, r, was.Path, was.Epoch))
	if now := r.desk.Session().Snapshot(); now.Epoch != was.Epoch || now.Path != string(to) {
		t.Errorf("open is %s, renamed to %s", now.Path, to)
	}
	if err := enterSaved(t, r, "Chats/Gone.md", 12); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a chat that is gone: %v", err)
	}
}

// enterSaved enters a desk for a chat that is not open.
func enterSaved(t *testing.T, r *rig, file string, epoch int64) error {
	t.Helper()
	place, lost := r.desk.Reopen(t.Context(), chains.Snapshot{Path: file, Epoch: epoch}, desk.Follow)
	place.Leave()
	r.desk.Chat = place.Chat
	return lost
}

// TestReopenCopy: the chat is found and not the copy that a sync program left of it,
// which has its epoch.
func TestReopenCopy(t *testing.T) {
	r := newRig(t, savedChats, chaintest.New())
	to := value(r.newStore().Rename("Chats/Scales.md", "Thirds"))(t)
	file := filepath.Join(r.vault.Dir(), to.Native())
	data := value(os.ReadFile(file))(t)
	copied := strings.TrimSuffix(file, ".md") + ".sync-conflict-20260301-090100-ABCDEFG.md"
	check(t, os.WriteFile(copied, data, 0o600))
	if err := os.Chtimes(copied, time.Now(), time.Now().Add(time.Hour)); err != nil { // the first in the list
		t.Fatal(err)
	}
	check(t, enterSaved(t, r, "Chats/Scales.md", 1773000000000))
	is(t, r.desk.Session().Snapshot().Path, string(to), to)
}

// TestOpenStopped: a chat whose opening was stopped is free for other processes, one that
// was open stays locked.
func TestOpenStopped(t *testing.T) {
	const epoch = 1773000000000
	for _, open := range []bool{false, true} {
		r := newRig(t, savedChats, chaintest.New())
		from := r.desk.Chat
		if open {
			check(t, r.desk.Open(t.Context(), "Scales"))
			file := filepath.Join(r.vault.Dir(), "Chats", "Scales.md")
			check(t,
				os.WriteFile(file,
					[]byte(strings.Replace(savedChats[strings.Index(savedChats, "---\nepoch"):], "contrary", "slow", 1)), 0o600))
			from = r.desk.Chat
		}
		ctx, cancel := context.WithCancel(t.Context())
		place := r.desk.Enter(from, false)
		cancel()
		err := place.Open(ctx, "Chats/Scales.md")
		place.Leave()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("open before: %t: %v", open, err)
		}
		is(t, r.newStore().Locked(epoch), open)
	}
}

// TestOpenUnanswered: a chat whose last message has no reply says so when it is opened,
// and no other.
func TestOpenUnanswered(t *testing.T) {
	waiting := strings.NewReplacer("Scales", "Arpeggios", "1773000000000",
		"1773000009000").Replace(savedChats[len(notes):])
	r := newRig(t, savedChats+waiting+"\n**user**: And then?\n[Timestamp: 2026/03/01 09:00:10]\n",
		chaintest.New(chaintest.Reply{Text: "Thirds."}))
	for name, want := range map[string]bool{"Arpeggios": true, "Scales": false} {
		check(t, r.desk.Open(t.Context(), name))
		said := slices.ContainsFunc(r.desk.Notices(), func(n chains.Notice) bool { return n.Kind == desk.NoticeUnanswered })
		is(t, said, want, name, r.desk.Notices())
	}
}

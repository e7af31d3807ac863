package chains_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestReopenEqualsUninterrupted: a session that is left and opened again sends
// what one would have sent that went on: the same system message if no note has
// changed, and in the strict layout the same request to the last byte (S0-51,
// S0-113).
func TestReopenEqualsUninterrupted(t *testing.T) {
	t.Parallel()
	turns := []struct {
		in    chains.Input
		reply chaintest.Reply
		leave bool // the loop after some text
	}{
		{in: chains.Input{Text: "1 @beds"}, reply: reply("One. [NOTE TO SELF: a [[link]]]")},
		{
			in:    chains.Input{Text: "2\nwith lines\n", Attach: []prompt.Ref{note("tools/rake.md"), note("beds.md")}},
			reply: chaintest.Reply{Text: "Two,\n\n- with\n- a list\n"},
		},
		{
			in:    chains.Input{Text: "3 @tools/spade.md"},
			reply: chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."}},
		},
		{
			in:    chains.Input{Text: "4", Active: note("tools/spade.md")},
			reply: chaintest.Reply{Chunks: []string{"Four, ", "bro"}}, leave: true,
		},
		{in: chains.Input{Text: "5 #tools"}, reply: reply("[NOTE TO SELF: b]")},
		{in: chains.Input{Text: "6"}, reply: reply("Six.")},
	}
	for _, layout := range []prompt.Layout{prompt.Strict, prompt.Auto, prompt.Append} {
		for leave := 1; leave <= len(turns); leave++ {
			t.Run(fmt.Sprintf("%s/after %d", layout, leave), func(t *testing.T) {
				play := func(reopen bool) (*rig, []chains.Notice) {
					r := newRig(t, garden).begin(func(o *chains.Options) { o.Layout = layout })
					for _, turn := range turns[:leave] {
						r.model.Add(turn.reply)
						for e := range r.session.Send(t.Context(), turn.in) {
							if _, ok := e.(chains.TextDelta); ok && turn.leave {
								break
							}
						}
					}
					var notices []chains.Notice
					if reopen {
						notices = r.reopen()
					}
					r.model.Add(reply("Last."))
					r.say("last @beds")
					return r, notices
				}
				a, _ := play(false)
				b, notices := play(true)
				if len(notices) > 0 {
					t.Errorf("notices %q", notices)
				}
				if x, y := a.last(), b.last(); !slices.Equal(x, y) {
					t.Errorf("uninterrupted:\n%s\n\nreopened:\n%s", short(strings.Join(x, "\n~ ")), short(strings.Join(y, "\n~ ")))
				}
			})
		}
	}
}

// TestReopenPages: opening a chat asks nobody anything; the pages are fetched
// with the next turn, once, and a preview does not fetch them either.
func TestReopenPages(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Seeds</title><p>Sow in May. Marker: lark.</p>"))
	}))
	defer web.Close()
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...)
	if _, missing, err := r.session.Preview(t.Context(), chains.Input{Text: "1 @" + web.URL}); err != nil ||
		len(missing) != 1 || missing[0].State != "later" {
		t.Errorf("%+v, %v", missing, err)
	}
	is(t, asked, 0)
	r.say("1 @"+web.URL, note("beds.md"))
	r.wants(r.sent(), "lark", "oriole")
	is(t, asked, 1)
	r.reopen()
	env, missing, err := r.session.Preview(t.Context(), chains.Input{Text: "2"})
	if err != nil || len(missing) != 1 || missing[0].State != "later" || !strings.Contains(env.Dump(), "oriole") {
		t.Errorf("%+v, %v", missing, err)
	}
	is(t, asked, 1)
	r.say("2")
	r.wants(r.sent(), "lark", "oriole")
	r.say("3")
	r.wants(r.sent(), "lark")
	is(t, asked, 2)
	r.reopen()
	web.Close()
	r.model.Add(textReplies("Four.")...)
	if h := r.say("4"); len(h.notices("unreadable_note")) != 1 {
		t.Errorf("notices %q", h.notices(""))
	}
	r.wants(r.sent(), "oriole")
}

// TestPagesAgain: a page is fetched again when it is attached again, on a refresh
// and after it was forgotten, and not otherwise. When it cannot be reached the text
// that is there stays.
func TestPagesAgain(t *testing.T) {
	asked, bird, status := 0, "lark", 200
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(status)
		_, _ = w.Write([]byte("Sow in May. Marker: " + bird + "."))
	}))
	defer web.Close()
	r := newRig(t, garden, textReplies("1.", "2.", "3.", "4.", "5.", "6.", "7.", "8.")...)
	page := prompt.Ref{Kind: prompt.URL, ID: web.URL}
	wants := func(n int, words ...string) {
		t.Helper()
		is(t, asked, n)
		r.wants(r.sent(), words...)
	}
	r.say("1", page)
	bird = "kite"
	r.say("2")
	wants(1, "lark")
	if _, _, err := r.session.Preview(t.Context(),
		chains.Input{Text: "3", Attach: []prompt.Ref{page}}); err != nil || asked != 1 {
		t.Errorf("a preview fetched the page again: %v", err)
	}
	r.say("3 @" + web.URL)
	wants(2, "kite", "outdated, this replaces it")
	bird = "siskin"
	r.apply(chains.Change{Refresh: true})
	r.say("4")
	wants(3, "siskin")
	r.lacks(r.sent(), "lark", "kite")
	bird, status = "rook", 503
	if n := r.say("5", page).notices("old_page"); len(n) != 1 || !strings.Contains(n[0], "503") {
		t.Errorf("notices %q", n)
	}
	wants(4, "siskin", "\n- "+web.URL+"\n")
	r.lacks(r.sent(), "rook")
	status = 200
	r.apply(chains.Change{Forget: []prompt.Ref{page}})
	r.say("6")
	wants(4)
	r.lacks(r.sent(), "siskin", "rook")
	r.say("7", page)
	wants(5, "rook")
	bird = "wren"
	for h := range r.session.Retry(t.Context()) {
		_ = h
	}
	wants(6, "wren")
	r.lacks(r.sent(), "rook")
}

// TestReopenStopped: a turn that was stopped while the state was rebuilt leaves
// it to the next one.
func TestReopenStopped(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("Marker: lark."))
	}))
	defer web.Close()
	r := newRig(t, garden, textReplies("One.", "Two.")...)
	r.say("1 @" + web.URL)
	r.reopen()
	for e := range r.session.Send(t.Context(), chains.Input{Text: "2"}) {
		if _, ok := e.(chains.TurnStarted); ok {
			break
		}
	}
	r.say("3")
	r.wants(r.sent(), "lark")
}

// TestReopenLength: a reply that ended at its greatest length, or by the provider's filter,
// is still marked so when its chat is opened again, and is an answer as before.
func TestReopenLength(t *testing.T) {
	for finish, want := range map[chains.Finish]history.Status{
		chains.FinishLength: history.StatusLength,
		chains.FinishFilter: history.StatusFilter,
	} {
		r := newRig(t, garden, chaintest.Reply{Text: "The north bed", Finish: finish}, reply("Two."))
		r.send(chains.Input{Text: "1 @beds"}).ended(finish)
		r.reopen()
		chat, err := r.session.Chat()
		if err != nil || chat.Messages[1].Status != want || chat.Messages[1].Status.Describe() == string(want) {
			t.Errorf("%s: %+v, %v", finish, chat.Messages, err)
		}
		if off := r.session.Snapshot().BrokenOff; off != nil {
			t.Errorf("%s: %v went with a turn that broke off", finish, off)
		}
		r.say("2")
		r.wants(r.sent(), "The north bed", "oriole")
	}
}

const oldChat = `-- Chats/old.md --
---
epoch: 1727129880000
modelKey: gpt-4
tags:
  - copilot-conversation
---

**user**: Moles dig at night. Marker: robin.
They avoid light.
Summarize
[Timestamp: 2024/09/23 22:18:00]

**ai**: Moles are nocturnal.
[Timestamp: 2024/09/23 22:18:05]

**user**: Moles dig at night. Marker: robin.
They avoid light.
Shorter
[Timestamp: 2024/09/23 22:18:10]

**ai**: Nocturnal.
[Timestamp: 2024/09/23 22:18:15]
`

// TestCompat (S0-43): in chats that saved the text of notes inside messages, that text becomes
// context, and only the question is history.
func TestCompat(t *testing.T) {
	r := newRig(t, garden+oldChat, textReplies("In a\nword: night.", "Yes.", "Sure.")...)
	r.open("Chats/old.md")
	before := transcript(t, r.chat())
	h := r.say("And\nby day?")
	got := r.last()
	is(t, got[1:], []string{
		"user: Summarize", "assistant: Moles are nocturnal.", "user: Shorter",
		"assistant: Nocturnal.", "user: And\nby day?",
	})
	if n := strings.Count(strings.Join(got, ""), "robin"); n != 1 || !strings.Contains(got[0], "robin") {
		t.Errorf("the context is there %d times", n)
	}
	if lib := h.envelope().Library; len(lib) != 1 || lib[0].Times != 2 || lib[0].Since != 1 {
		t.Errorf("%+v", lib)
	}
	if got := transcript(t, r.chat()); !strings.HasPrefix(got, before) {
		t.Errorf("the transcript is\n%s", got)
	}
	// What is written from now on is not taken apart.
	r.reopen()
	r.say("Good")
	r.wants(r.sent(), "user: And\nby day?", "assistant: In a\nword: night.")
	is(t, strings.Count(r.sent(), "robin"), 1)
	// It can be withdrawn as anything else.
	r.apply(chains.Change{Forget: []prompt.Ref{h.envelope().Library[0].Ref}})
	r.reopen()
	r.say("Still there?")
	r.lacks(r.sent(), "robin")
}

// TestCompatRetry: when such a message runs again, its context is what goes with
// it and the question is the end of the request; the file keeps the message.
func TestCompatRetry(t *testing.T) {
	first, _, _ := strings.Cut(oldChat, "**user**: Moles dig at night. Marker: robin.\nThey avoid light.\nShorter")
	r := newRig(t, garden+first, textReplies("They dig.")...)
	r.open("Chats/old.md")
	env := r.retry().ended(chains.FinishStop).envelope()
	if env.Text("L5") != "Summarize" || !strings.Contains(env.Text("L3"), "robin") ||
		strings.Contains(r.system(), "robin") {
		t.Errorf("L3 %q, L5 %q", env.Text("L3"), env.Text("L5"))
	}
	r.holds("u Moles dig at night. Marker: robin.\nThey avoid light.\nSummarize", "a They dig.")
	r.model.Add(textReplies("Right.")...)
	r.reopen()
	r.say("And?")
	r.wants(r.sent(), "user: And?")
}

// TestBranch: a branch that ends with a question can be answered.
func TestBranch(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Other.")...)
	r.say("1", note("beds.md"))
	r.say("2", note("tools/rake.md"))
	c := r.chat()
	b := history.Branch(&c, 3, r.session.Options().Now())
	value(r.store.Save(&b))(t)
	check(t, r.store.Close())
	r.open(b.Path)
	r.retry().ended(chains.FinishStop)
	r.holds("u 1", "a One.", "u 2", "a Other.")
	r.wants(r.sent(), "oriole", "finch")
}

// TestReopenMoved: the gatherer that finds notes by content serves the paths of a chat too.
func TestReopenMoved(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.")...)
	r.say("1", note("tools/rake.md"))
	vaulttest.Rename(t, r.vault, "tools/rake.md", "shed/old iron.md")
	value(r.vault.Revalidate(t.Context()))(t)
	path := r.session.Snapshot().Path
	check(t, r.store.Close())
	store := value(history.NewStore(r.vault, history.Options{}))(t)
	defer func() { _ = store.Close() }()
	chat, _, err := store.Open(vault.Path(path))
	check(t, err)
	chat, found := history.Resolve(&chat, r.vault, gather.New(r.vault, gather.Options{}).Revision)
	if len(found) != 1 || found[0].State != vault.Moved || found[0].Path != "shed/old iron.md" {
		t.Errorf("%+v", found)
	}
	r.opts.Store = store
	r.session, _, err = chains.Reopen(t.Context(), r.opts, chat)
	check(t, err)
	r.say("2")
	r.wants(r.sent(), "finch", "shed/old iron.md")
}

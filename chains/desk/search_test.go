package desk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/history/chatlist"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

const talks = notes + `
-- Chats/bed.md --
---
topic: Vegetable bed
tags: [copilot-conversation, garden]
modelKey: "gpt-5|openai"
---

<!-- ibid {"v":1,"messages":[{"n":["secretword"]}
]} -->
**user**: Where do the Tomatoes go?
[Context: Notes: Alpha.md]
[Timestamp: 2026/03/01 09:00:00]

**ai**: South side, away from the fence, where the ground is warm.
[Timestamp: 2026/03/01 09:00:05]
-- Chats/fence.md --
**user**: fence posts at the café
-- Chats/README.md --
no chat, but a fence
`

// found returns the hits of a search: name, message, snippet.
func (r *rig) found(query string) string {
	r.t.Helper()
	f := value(chatlist.ParseFilter(query+" ", time.Now()))(r.t)
	hits := value(r.desk.SearchChats(r.t.Context(), f, 10))(r.t)
	var out []string
	for _, h := range hits {
		out = append(out, strings.TrimSpace(fmt.Sprint(h.Path.Base(), " ", h.Message, " ", h.Snippet)))
	}
	return strings.Join(out, "; ")
}

func TestSearchChats(t *testing.T) {
	r := newRig(t, talks, chaintest.New())
	// Most recently changed first, as in the list.
	for i, name := range []string{"fence.md", "bed.md"} {
		at := time.Now().Add(time.Duration(i-2) * time.Hour)
		check(t, os.Chtimes(filepath.Join(r.vault.Dir(), "Chats", name), at, at))
	}
	searches := func(t *testing.T) {
		for query, want := range map[string]string{
			"TOMATOES":           "bed 1 Where do the Tomatoes go?",
			"toma":               "bed 1 Where do the Tomatoes go?",
			"matoes":             "",
			"fence":              "bed 2 South side, away from the fence, where the ground is warm.; fence 1 fence posts at the café",
			"fence warm":         "bed 2 South side, away from the fence, where the ground is warm.",
			"vegetable tomatoes": "bed 1 Where do the Tomatoes go?",
			"vegetable":          "bed 0",
			"cafe":               "fence 1 fence posts at the café",
			`"the fence"`:        "bed 2 South side, away from the fence, where the ground is warm.",
			"secretword":         "",
			"copilot":            "",
			"?!":                 "",
			"fence tag:garden":   "bed 2 South side, away from the fence, where the ground is warm.",
			"fence note:beta":    "",
			"model:gpt":          "bed 0",
		} {
			is(t, r.found(query), want, query)
		}
	}
	t.Run("chats are read", searches)
	r.desk.Sync(t.Context())
	t.Run("indexed", searches)
	r.store = r.newStore()
	r.openDesk(chaintest.New())
	t.Run("another process", searches)

	vaulttest.Write(t, r.vault, "Chats/fence.md", "**user**: only posts")
	if got := r.found("fence"); strings.Contains(got, "café") {
		t.Errorf("what a chat no longer holds was found: %s", got)
	}
	is(t, r.found("only"), "fence 1 only posts")
	r.desk.Sync(t.Context())
	is(t, r.found("only post"), "fence 1 only posts")
	check(t, os.Remove(filepath.Join(r.vault.Dir(), "Chats", "fence.md")))
	is(t, r.found("only"), "")
	hits, err := r.desk.SearchChats(t.Context(), chatlist.Filter{Text: "fence"}, 1)
	if err != nil || len(hits) != 1 {
		t.Errorf("one of them: %v, %v", hits, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.desk.SearchChats(ctx, chatlist.Filter{Text: "fence"}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}

// TestSearchChatsAnyway: with a damaged or unusable cache folder a search takes longer and
// finds the same.
func TestSearchChatsAnyway(t *testing.T) {
	r := newRig(t, talks, chaintest.New())
	finds := func(what string) {
		t.Helper()
		is(t, r.found("tomat"), "bed 1 Where do the Tomatoes go?", what)
		list, err := r.store.List(t.Context())
		if err != nil || len(list) != 2 {
			t.Errorf("%s: listed %d, %v", what, len(list), err)
		}
	}
	again := func() {
		t.Helper()
		check(t, r.desk.Close())
		r.store = r.newStore()
		r.openDesk(chaintest.New())
	}
	r.desk.Sync(t.Context())
	finds("new")
	again()
	files, err := filepath.Glob(filepath.Join(r.indexes, "*.sqlite"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	check(t, os.WriteFile(files[0], []byte(strings.Repeat("no database ", 4000)), 0o600))
	finds("damaged")
	again()
	finds("made anew")
	again()
	r.indexes = filepath.Join(files[0], "not a folder")
	again()
	r.desk.Sync(t.Context())
	finds("without a folder")
}

// TestRunIndexesChats: the screen brings the chats into the index in the background.
func TestRunIndexesChats(t *testing.T) {
	r := newRig(t, talks, chaintest.New())
	x, err := index.Open(t.Context(), index.Options{Dir: r.indexes, Vault: r.vault.Dir()})
	check(t, err)
	defer func() { _ = x.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { r.desk.Run(ctx, desk.Changes{}, func(desk.Update) {}) })
	listed, err := r.store.List(t.Context())
	check(t, err)
	changed := map[vault.Path]int64{}
	for _, c := range listed {
		changed[c.Path] = c.Modified.UnixNano()
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		if found, err := x.Holding(t.Context(), index.ParseWords("tomatoes"), changed); err == nil && len(found) == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	running.Wait()
	found, err := x.Holding(t.Context(), index.ParseWords("tomatoes"), changed)
	if err != nil || len(found) != 1 || !found["Chats/bed.md"] {
		t.Errorf("the index has tomatoes in %v, %v", found, err)
	}
}

// TestFitsTyped: notes that fit a draft are found with the index alone, once the draft has some
// significant words.
func TestFitsTyped(t *testing.T) {
	r := newRig(t, notes+"-- Diary.md --\n---\nprivate: true\n---\nGrapes, too.\n", chaintest.New())
	if got := r.desk.FitsTyped(t.Context(), "which grapes are green"); got != nil {
		t.Errorf("%q without an index", got)
	}
	r.desk.Sync(t.Context())
	for text, want := range map[string][]vault.Path{
		"which grapes are gre": {"sub/Beta.md"}, "are bananas and grapes sweet": {"Alpha.md", "sub/Beta.md"},
		"the grapes": nil, "thanks a lot": nil,
	} {
		got := r.desk.FitsTyped(t.Context(), text)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

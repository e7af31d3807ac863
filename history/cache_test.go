package history_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// shelf is a cache in memory.
type shelf struct {
	data map[vault.Path][]byte
	kept []vault.Path // by the last Keep
	gone []vault.Path
}

func (s *shelf) Load(_ context.Context, each func([]byte)) {
	for _, d := range s.data {
		each(d)
	}
}

func (s *shelf) Keep(_ context.Context, docs map[vault.Path][]byte, gone []vault.Path) {
	s.kept, s.gone = nil, gone
	for p, data := range docs {
		s.data[p] = data
		s.kept = append(s.kept, p)
	}
	for _, p := range gone {
		delete(s.data, p)
	}
}

// TestCache: what one store has read another does not read again, as long as size
// and time of a file stay.
func TestCache(t *testing.T) {
	dir := vaulttest.New(t, `
-- Chats/one.md --
---
epoch: 1704067200000
topic: First
modelKey: "m|openai"
tags: [copilot-conversation, work]
ibid:
  v: 1
  chain: agent
  pinned: true
---

**user**: Q
[Context: Notes: a.md, gone.md | Pins: a.md]
[Timestamp: 2024/01/01 00:00:00]

**ai**: A
[Timestamp: 2024/01/01 00:00:01]
-- Chats/two.md --
**user**: waiting
-- Chats/README.md --
no chat
-- a.md --
`).Dir()
	age := func(name string, by time.Duration) {
		t.Helper()
		at := time.Now().Add(-by)
		check(t, os.Chtimes(filepath.Join(dir, "Chats", name), at, at))
	}
	age("one.md", time.Hour)
	age("two.md", 2*time.Hour)
	age("README.md", 3*time.Hour)
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	t.Cleanup(func() { _ = v.Close() })
	cache := &shelf{data: map[vault.Path][]byte{}}
	list := func(read int) []history.Summary {
		t.Helper()
		s := store(t, v, history.Options{})
		s.CacheIn(cache)
		cache.kept, cache.gone = nil, nil
		all, err := s.List(t.Context())
		check(t, err)
		if len(cache.kept) != read {
			t.Errorf("%v were read, want %d", cache.kept, read)
		}
		return all
	}
	first := list(3)
	if len(first) != 2 || first[0].Chain != "agent" || !slices.Equal(first[0].Tags, []string{"work"}) ||
		first[0].Model != "m" || !first[0].Pinned {
		t.Fatalf("listed %+v", first)
	}
	is(t, list(0), first, "from the cache")
	for name, damage := range map[string]func([]byte) []byte{
		"a flipped bit": func(b []byte) []byte { b = slices.Clone(b); b[len(b)/2] ^= 4; return b },
		"cut off":       func(b []byte) []byte { return b[:len(b)-3] },
		"nothing":       func([]byte) []byte { return nil },
	} {
		cache.data["Chats/one.md"] = damage(cache.data["Chats/one.md"])
		is(t, list(1), first, name)
	}
	vaulttest.Write(t, v, "Chats/two.md", "**ai**: waiting  ")
	age("two.md", time.Minute) // as long as it was, and younger
	if all := list(1); all[1].Turns != 0 || !slices.Equal(cache.kept, []vault.Path{"Chats/two.md"}) {
		t.Errorf("an edited chat is %+v, kept %v", all[1], cache.kept)
	}
	check(t, os.Remove(filepath.Join(dir, "Chats", "one.md")))
	if all := list(0); len(all) != 1 || !slices.Equal(cache.gone, []vault.Path{"Chats/one.md"}) || len(cache.data) != 2 {
		t.Errorf("after a chat was deleted: %d chats, gone %v, %d kept", len(all), cache.gone, len(cache.data))
	}
	age("two.md", 0) // it may change without showing it
	list(1)
	list(1)
}

// TestListWithoutVault: a list reads one folder, and a note is missing if its path
// is.
func TestListWithoutVault(t *testing.T) {
	dir := vaulttest.New(t, `
-- Chats/one.md --
**user**: Q
[Context: Notes: Sub/a.md, Sub/gone.md, Sub/b, a, gone.md, ../out.md]
[Timestamp: 2024/01/01 00:00:00]
-- Sub/a.md --
-- Sub/b.md --
`).Dir()
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	t.Cleanup(func() { _ = v.Close() })
	all, err := store(t, v, history.Options{}).List(t.Context())
	if err != nil || len(all) != 1 ||
		!slices.Contains(all[0].Problems, "moved or missing: Sub/gone.md, gone.md, ../out.md") || v.Scanned() {
		t.Errorf("%+v, scanned %v, %v", all, v.Scanned(), err)
	}
}

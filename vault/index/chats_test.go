package index_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/names"
	"ibid/vault/vaulttest"
)

const talks = `
-- Garden.md --
#soil Compost and leaf mould. [[Shed]]
-- Shed.md --
Tools for compost.
-- Chats/Compost@20250127_120000.md --
---
epoch: 1737979200000
modelKey: "m|p"
tags:
  - copilot-conversation
---

**user**: compost? #talk [[Garden]]
[Timestamp: 2025/01/27 12:00:00]
-- Chats/Old.md --
**user**: compost again

**ai**: yes
-- Chats/Readme.md --
How chats about compost are named.
-- Garden chat.md --
---
epoch: "1737979200001"
topic: "What became of the heap"
ibid:
  v: 1
---
moved compost
-- Minutes.md --
**user**: compost in a note
-- Log.md --
---
epoch: 12
---
compost
`

// Saved chats are no notes: not for searches, tags, links and a list that was not
// asked for them.
func TestChatsAreNoNotes(t *testing.T) {
	v, err := vault.Open(vaulttest.Dir(t, talks), vault.Options{})
	check(t, err)
	defer v.Close()
	v.SetChats("Chats")
	check(t, v.Scan(t.Context()))
	var chats []string
	for _, n := range v.Notes() {
		if n.Chat {
			chats = append(chats, string(n.Path))
		}
	}
	want := []string{"Chats/Compost@20250127_120000.md", "Chats/Old.md", "Garden chat.md"}
	if diff := cmp.Diff(want, chats); diff != "" {
		t.Errorf("chats (-want +got)\n%s", diff)
	}
	if n, _ := v.Note("Garden chat.md"); n.Title != "What became of the heap" {
		t.Errorf("a chat is called %q, not by its topic", n.Title)
	}
	x := synced(t, v)
	for text, found := range map[string]int{"compost": 5, "compost chats:": 8, `"compost again"`: 0, `chats: "compost again"`: 1, "chats:compost path:Chats": 3, `"chats: compost"`: 0, "x-chats:": 1} {
		q, told, err := index.ParseQuery(text, time.Now())
		if err != nil || len(told) > 0 {
			t.Errorf("%s: %v, %v", text, told, err)
		}
		for _, s := range []index.Searcher{{Source: v, Index: x}, {Source: v}} {
			if got := search(t, s, q); len(got) != found {
				t.Errorf("%s (index %v): %d hits, want %d: %s", text, s.Index != nil, len(got), found, paths(got))
			}
		}
	}
	f := names.Finder{List: names.New(v.Notes(), v.Files()), Hide: "Garden chat.md"}
	for query, want := range map[string]string{
		"gar": "Garden.md", "com": want[0], "old": want[1], "chats/": "Chats/Readme.md " + want[0] + " " + want[1] + " Chats/", "cmpst": "", "#talk": "", "#soil": "#soil",
	} {
		var got []string
		list, _ := f.Find(query, 50)
		for _, m := range list {
			got = append(got, m.ID)
		}
		if diff := cmp.Diff(strings.Split(want, " "), got, cmpopts.EquateEmpty(), cmpopts.SortSlices(strings.Compare)); diff != "" && want+strings.Join(got, "") != "" {
			t.Errorf("%s (-want +got)\n%s", query, diff)
		}
	}
	two := names.Finder{List: names.New([]*vault.Note{
		{Path: "Chats/compost.md", Title: "compost", Chat: true}, {Path: "Old compost.md", Title: "Old compost"},
	}, nil)}
	if list, _ := two.Find("compost", 50); len(list) != 2 || list[1].ID != "Chats/compost.md" {
		t.Errorf("the chat stands above a note that fits less: %v", list)
	}
	all, _ := f.Find("", 50)
	for _, m := range all {
		if m.Note != nil && m.Note.Chat {
			t.Errorf("%s is listed unasked", m.ID)
		}
	}
	if near := vault.NewLinks(v.Notes(), v.Resolve).Near("Garden.md"); len(near) != 2 {
		t.Errorf("near %v", near)
	}
}

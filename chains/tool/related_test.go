package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

const relations = `
-- Barn.md --
---
tags: [house, timber]
---
# Barn
The purlin rests on [[Wall]]. See [[Roof]].
-- Roof.md --
---
tags: [house]
---
Slate above the [[Barn]].
-- Wall.md --
Made of stone.
-- Invoice.md --
For [[Barn]], paid.
-- Mortar.md --
Goes into the [[Wall]].
-- Oak.md --
---
tags: [timber]
---
A tree.
-- Shed.md --
Here the purlin is rotten.
-- Moon.md --
Full on Friday.
-- Secret.md --
---
private: true
tags: [timber]
---
A purlin for the [[Barn]] and the [[Wall]].
-- Attic/Hidden.md --
A purlin for the [[Barn]] and the [[Wall]].
-- Chats/Talk.md --
---
epoch: 1
modelKey: m
---

**user**: the purlin of the [[Barn]] #timber
`

// Every way in which notes can be related is found and said, the most telling first;
// what a model may not know of relates nothing.
func TestRelatedNotes(t *testing.T) {
	v := vaulttest.Open(t, vaulttest.Dir(t, relations), vault.Options{Ignore: []string{"Attic/"}})
	v.SetChats("Chats")
	check(t, v.Scan(t.Context()))
	run := box(t, v, state.State{Active: vault.ActiveNote{Path: "Barn.md"}})
	related := func(args string) (list []string, message string) {
		t.Helper()
		var got struct {
			Success bool
			Data    []struct {
				ID, Title string
				Why       []string
				InLibrary bool
			}
			Message string
		}
		check(t, json.Unmarshal([]byte(run("get_related_notes", args).Text), &got))
		for _, n := range got.Data {
			list = append(list, n.ID+": "+strings.Join(n.Why, ", "))
		}
		return list, got.Message
	}
	want := []string{
		"Roof.md: linked both ways, 1 shared tag: #house",
		"Oak.md: 1 shared tag: #timber",
		"Wall.md: linked from here",
		"Invoice.md: links here",
		"Shed.md: same words: purlin",
		"Mortar.md: 1 shared neighbour: Wall",
	}
	got, message := related(`{}`)
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || strings.HasPrefix(g, w)
		}
		if !found {
			t.Errorf("%q is not in %q", w, got)
		}
	}
	if len(got) != len(want) || !strings.HasPrefix(got[0], "Roof.md") || message != "6 of 6" {
		t.Errorf("%s: %s", message, strings.Join(got, "\n"))
	}
	if named, message := related(`{"reference":"barn","limit":2}`); len(named) != 2 || named[0] != got[0] ||
		message != "2 of 6" {
		t.Errorf("%s: %q", message, named)
	}
	if none, message := related(`{"reference":"Moon"}`); len(none) != 0 || message != "0 of 0" {
		t.Errorf("%s: %q", message, none)
	}
	for args, want := range map[string]string{
		`{"reference":"Secret"}`: "Note not found",
	} {
		if out := run("get_related_notes", args).Text; !strings.Contains(out, want) {
			t.Errorf("%s: %s", args, out)
		}
	}
	if out := box(t, v, state.State{})("get_related_notes", `{}`).Text; !strings.Contains(out,
		"No note currently active") {
		t.Errorf("without an active note: %s", out)
	}
}

// A list is as long as a result has room for, once it is shortened.
func TestRoom(t *testing.T) {
	var archive strings.Builder
	for i := range 40 {
		fmt.Fprintf(&archive, "-- Kiln %d.md --\nThe kiln, see [[Kiln %d]].\n", i, (i+1)%40)
	}
	v := vaulttest.New(t, archive.String())
	for _, each := range allTools(v, state.State{Active: vault.ActiveNote{Path: "Kiln 1.md"}}) {
		args := map[string]string{
			"get_related_notes": `{"limit":30}`,
			"search_workspace":  `{"query":"kiln","limit":50}`,
		}[each.Spec().Name]
		if args == "" {
			continue
		}
		out, err := chains.RunTool(t.Context(), each, args)
		res := out.Result(each.Spec().Name)
		toolcall.Shorten(&res, 1500, 1500, 1500, nil, prompt.ApproximateTokens)
		if err != nil || len(res.Content) > 1500 || !strings.Contains(res.Content, `"success":true`) ||
			!strings.Contains(res.Content, "Kiln") || !json.Valid([]byte(res.Content)) {
			t.Errorf("%s: %d characters, %v: %s", each.Spec().Name, len(res.Content), err, res.Content)
		}
	}
}

// A workspace of many notes with metadata comes without it rather than without some of the notes.
func TestRoomForWorkspace(t *testing.T) {
	var archive strings.Builder
	var around state.State
	for i := range 60 {
		p := fmt.Sprintf("Kiln %d.md", i)
		fmt.Fprintf(&archive, "-- %s --\n---\ntags: [kiln, clay]\nstatus: %s\n---\nx\n", p, strings.Repeat("lit ", 100))
		around.Pins = append(around.Pins, vault.Pin{Path: vault.Path(p)})
	}
	out := box(t, vaulttest.New(t, archive.String()), around)("get_workspace_context", `{}`).Text
	if n := len(out); n > 24_000 || strings.Count(out, `"filename"`) != 60 ||
		strings.Contains(out, "metadata\":") || !strings.Contains(out, "without metadata, which does not fit") {
		t.Errorf("%d characters: %.300s", n, out)
	}
}

// What people are told of a result holds nothing that a terminal would obey, though
// names may.
func TestNotesOfOddNames(t *testing.T) {
	v := vaulttest.New(t, "-- a\x1b]0;own\a\u202e b.md --\nThe kiln.\n")
	for name, args := range map[string]string{
		"localSearch": `{"query":"kiln"}`,
		"readNote":    `{"notePath":"a\u001b]0;own\u0007\u202e b.md"}`, "search_workspace": `{"query":"kiln"}`,
	} {
		if out := box(t, v, state.State{})(name, args); strings.ContainsAny(out.Note, "\x1b\a\u202e") ||
			!strings.Contains(out.Note, "own") {
			t.Errorf("%s: %q", name, out.Note)
		}
	}
}

package gather_test

import (
	"context"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestFault: a fault that a file brings out costs this file, which is said, and not what
// else goes with the turn.
func TestFault(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n![[bad]]\n-- bad.md --\nbad\n#x\n-- in/bad.md --\nbad\n-- in/c.md --\nc\n")
	broken := false
	v := vaulttest.Open(t, dir, vault.Options{CacheBytes: 1, OnRead: func(p vault.Path) {
		if broken && p.Base() == "bad" {
			panic("oh")
		}
	}})
	g := gather.New(v, gather.Options{})
	known, _ := itemsOf(t, g, note("bad.md"), note("a.md"))
	if len(known) != 2 {
		t.Fatal(known)
	}
	broken = true
	items, missing := itemsOf(t, g, note("bad.md"), note("a.md"), ref(prompt.Folder, "in/"),
		ref(prompt.Selection, "bad.md#x"))
	wantList(t, "what goes", idsOf(items), "a.md, in/c.md")
	wantList(t, "what does not", states(missing),
		"unreadable bad.md, embed bad.md, unreadable in/bad.md, unreadable bad.md#x")
	if want := "bad.md could not be read: a fault of ibid: oh"; missing[0].Reason != want {
		t.Errorf("%q, want %q", missing[0].Reason, want)
	}
	if now, moves, err := g.Current(t.Context(), known[:1]); err != nil || len(now)+len(moves) > 0 {
		t.Errorf("of a note that cannot be read for a moment it is said: %v, %v, %v", now, moves, err)
	}
}

// TestFaultBeyondReading: so does a fault in what is made of a text.
func TestFaultBeyondReading(t *testing.T) {
	g := gather.New(nil, gather.Options{}) // every use of its vault is a fault
	for kind, id := range map[prompt.Kind]string{
		prompt.Note: "a.md", prompt.Selection: "a.md#b",
		prompt.Picture: "a.png", prompt.Query: "a.md#dataview:1",
	} {
		items, missing, err := g.Gather(context.Background(), []prompt.Ref{{Kind: kind, ID: id}})
		if err != nil || len(items) > 0 || len(missing) != 1 || missing[0].State != "unreadable" {
			t.Errorf("%s: %v, %+v, %v", kind, items, missing, err)
		}
	}
}

package desk_test

import (
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/usage"
)

// TestUsage: a chat counts the notes that it knows. What is private or not saved is not counted.
func TestUsage(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "Two."}, chaintest.Reply{Text: "Three."})
	r := newRig(t, notes+"-- Diary.md --\n---\nprivate: true\n---\nMine.\n", m)
	file := usage.NewFile(r.vault, r.locks)
	sit := func(saved bool) {
		g := gather.New(r.vault, gather.Options{})
		o := desk.Options{
			Vault: r.vault, Gather: g, StateDir: r.signals, Usage: file,
			Session: chains.Options{Model: m, Gather: g},
		}
		if saved {
			o.Store, o.Session.Store = r.store, r.store
		}
		r.desk = desk.New(o)
	}
	say := func(text string) {
		t.Helper()
		for _, err := range r.desk.Counted(t.Context(), r.desk.Session().Send(t.Context(), r.desk.Input(text))) {
			check(t, err)
		}
	}
	with := func(p vault.Path, other vault.Path, want int) {
		t.Helper()
		is(t, desk.UsageOf(r.desk).CountsFor(p).Chats[other], want, p, other)
	}
	sit(false)
	say("@Alpha and @Beta")
	with("Alpha.md", "sub/Beta.md", 0)
	sit(true)
	say("@Alpha and @Diary")
	say("@Beta#L1 too")
	with("Alpha.md", "sub/Beta.md", 1)
	with("Alpha.md", "Diary.md", 0)
}

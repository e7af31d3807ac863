package desk_test

import (
	"slices"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// TestLayoutPrices: a change of layout or model says what every turn reads again
// from then on.
func TestLayoutPrices(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."})
	r := newRig(t, notes, m)
	turn := r.line("what of @Alpha?")
	if turn != "One." {
		t.Fatal(turn)
	}
	r.wants("/layout", "the layout is auto")
	r.wants("/layout strict", "(/undo takes it back)\nfrom then on each turn that brings something new reads about ")
	r.wants("/layout", "the layout is strict")
	r.wants("/layout loose", "is not a layout")
	r.wants("/undo", "taken back: layout: strict")
	r.wants("/layout", "the layout is auto")
}

// TestCarry: what a turn carried that broke off is attached to the next one, in
// this process and in another, until the person takes it off or a reply comes in
// whole. A retry takes it along and leaves the rest of the shelf alone.
func TestCarry(t *testing.T) {
	cut := func(text string) chaintest.Reply {
		return chaintest.Reply{Text: text, Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "Cut off."}}
	}
	m := chaintest.New(cut("Half a"), chaintest.Reply{Text: "Whole."})
	r := newRig(t, notes+"-- Gamma.md --\nPlums are blue.\n", m)
	shelf := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, ref := range r.desk.Attached() {
			got = append(got, ref.ID)
		}
		is(t, got, want, when)
	}
	turn := func(line string) string {
		text := r.line(line)
		r.desk.Carry()
		return text
	}
	r.wants("/add Beta", "attached")
	turn("what of @Alpha?")
	shelf("broken off", "sub/Beta.md", "Alpha.md")
	r.wants("/drop Beta", "dropped")
	turn("go on")
	shelf("a whole reply")
	if r.wants("/context", "Alpha.md"); m.Requests()[1].Question != "go on" {
		t.Fatal("another turn was sent")
	}
	for i, path := range []string{"Alpha.md", "sub/Beta.md"} {
		known, err := r.desk.Session().Known()
		if err != nil || slices.Contains(known, prompt.Ref{Kind: prompt.Note, ID: path}) != (i == 0) {
			t.Errorf("known after it: %v, %v", known, err)
		}
	}

	// A reply that never came, in another process.
	m.Add(chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "Down."}})
	turn("and @Gamma?")
	shelf("no reply", "Gamma.md")
	path := r.path()
	check(t, r.store.Close())
	r.store = r.newStore()
	r.openDesk(m)
	r.wants("/open "+path, "opened")
	shelf("opened again", "Gamma.md")
	if n := r.desk.Notices(); !slices.ContainsFunc(n, func(n chains.Notice) bool { return n.Kind == "carried" }) {
		t.Errorf("notices %+v", n)
	}

	// A retry, first in vain.
	r.wants("/add Beta", "attached")
	m.Add(cut("Half"), chaintest.Reply{Text: "Whole again."})
	turn("/retry")
	shelf("retried in vain", "sub/Beta.md", "Gamma.md")
	is(t, turn("/retry"), "Whole again.")
	shelf("retried", "sub/Beta.md")
	r.wants("/forget Gamma", "forgotten")
	shelf("forgotten", "sub/Beta.md")
}

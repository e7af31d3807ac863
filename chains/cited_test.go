package chains_test

import (
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// TestRawHistoryNamesAttachments: once the messages of an epoch are raw history,
// each says what was attached to it as the chat file does, and a chat that is
// reopened says the same bytes. strict says what was typed, and what was
// forgotten or may not leave the machine is not named.
func TestRawHistoryNamesAttachments(t *testing.T) {
	const vault = garden + "-- Diary.md --\n---\nprivate: true\n---\nsecret\n"
	r := newRig(t, vault, said("One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight.")...).begin(func(o *chains.Options) { o.Layout = prompt.Append })
	r.send(chains.Input{Text: "1", Active: note("beds.md"), Open: note("beds.md"), Attach: []prompt.Ref{note("tools/spade.md"), note("Diary.md")}})
	r.say("2")
	r.say("3", note("tools/spade.md"))
	history := func() []string { return r.last()[1:7] }
	want := []string{
		"user: [Context: Notes: tools/spade.md | Active: beds.md]\n1", "assistant: One.", "user: 2", "assistant: Two.",
		"user: [Context: Notes: tools/spade.md]\n3", "assistant: Three.",
	}
	r.apply(chains.Change{Refresh: true})
	r.say("4")
	if got := history(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	r.wants(r.file(), "[Context: Notes: tools/spade.md, Diary.md | Active: beds.md]")
	running := strings.Join(history(), "\n")
	r.reopen(func(o *chains.Options) { o.Layout = prompt.Append })
	r.say("5")
	if got := strings.Join(history(), "\n"); got != running {
		t.Errorf("reopened:\n%s", got)
	}
	r.apply(chains.Change{Layout: prompt.Strict})
	r.say("6")
	if got := history(); got[0] != "user: 1" || got[4] != "user: 3" {
		t.Errorf("strict: %q", got)
	}
	r.apply(chains.Change{Layout: prompt.Append, Forget: []prompt.Ref{note("tools/spade.md")}})
	r.say("7")
	want[0], want[4] = "user: [Context: Active: beds.md]\n1", "user: 3"
	if got := history(); !slices.Equal(got, want) {
		t.Errorf("forgotten: %q", got)
	}
	r.reopen(func(o *chains.Options) { o.Layout = prompt.Append })
	r.say("8")
	if got := history(); !slices.Equal(got, want) {
		t.Errorf("forgotten and reopened: %q", got)
	}
}

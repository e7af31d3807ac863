package chains_test

import (
	"testing"

	"ibid/chains"
)

// TestPastedTextAttachesNothing: what was pasted stays text in the request, also
// when the turn runs again in a process of its own.
func TestPastedTextAttachesNothing(t *testing.T) {
	r := newRig(t, garden, textReplies("First.", "Second.")...)
	const typed, pasted = "Mind @beds.md and not ", "[[tools/spade]] #tools @tools/rake.md"
	r.send(chains.Input{
		Text:  typed + pasted,
		Spans: []chains.Span{{From: len(typed), To: len(typed + pasted)}},
	}).ended(chains.FinishStop)
	check := func() {
		t.Helper()
		r.wants(r.sent(), "oriole", typed+pasted)
		r.lacks(r.sent(), "wren", "finch")
		r.wants(r.file(), "[Context: Notes: beds.md]")
	}
	check()
	r.reopen()
	r.retry().ended(chains.FinishStop)
	check()
}

// TestPickedReferenceGoes: a name that became ambiguous after it was picked is
// still the note that was picked, and one that is gone is said to be.
func TestPickedReferenceGoes(t *testing.T) {
	r := newRig(t, garden+"-- attic/spade.md --\nThe other spade. Marker: crane.\n", textReplies("Yes.", "No.")...)
	r.send(chains.Input{
		Text:  "@spade",
		Spans: []chains.Span{{To: 6, Ref: note("attic/spade.md")}},
	}).ended(chains.FinishStop)
	r.wants(r.sent(), "crane")
	r.lacks(r.sent(), "wren")
	h := r.send(chains.Input{Text: "@hoe", Spans: []chains.Span{{To: 4, Ref: note("tools/hoe.md")}}})
	if h.ended(chains.FinishStop); len(h.notices("missing_note")) != 1 {
		t.Errorf("nothing is said of a picked note that is gone:\n%s", h)
	}
}

package chains_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// TestRereads: what is said of every turn that brings something new is what then comes,
// in each layout: what the turn after it reads that is not new in it.
func TestRereads(t *testing.T) {
	const archive = "-- a.md --\nA note. Marker: oriole.\n-- b.md --\nAnother note. Marker: wren.\n"
	answer := strings.Repeat("Nine words of an answer that is not short. ", 400)
	for _, layout := range []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append} {
		t.Run(string(layout), func(t *testing.T) {
			r := newRig(t, archive, textReplies(answer, answer, "A reply.")...)
			r.begin(func(o *chains.Options) { o.Cache.Min, o.Cache.Step = 1, 1 })
			r.say("1", note("a.md"))
			r.say("2")
			in := chains.Input{Text: "3"}
			want := value(r.session.Rereads(t.Context(), in, chains.Change{Layout: layout}))(t)
			if at := r.session.Snapshot().Layout; at != "" {
				t.Fatalf("asking changed the layout to %s", at)
			}
			r.apply(chains.Change{Layout: layout})
			in.Attach = []prompt.Ref{note("b.md")}
			r.send(in)
			env, _, err := r.session.Preview(t.Context(), chains.Input{Text: "4"})
			check(t, err)
			got := env.Predicted.Prompt - env.Predicted.Cached
			for _, l := range env.Layers {
				if l.ID == "L3" || l.ID == "L5" {
					got -= l.Tokens
				}
			}
			if d := got - want; d < -20 || d > 20 {
				t.Errorf("reads %d again, %d were said", got, want)
			}
			is(t, layout == prompt.Strict, want > 5000, want)
		})
	}
}

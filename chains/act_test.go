package chains_test

import (
	"reflect"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// TestPrice: for every change, the price that is named is what the next turn
// shows, and asking for it changes nothing.
func TestPrice(t *testing.T) {
	other := chains.Options{ModelName: "other", Window: 50_000, Count: func(s string) int { return (len(s) + 2) / 3 }}
	tests := map[string]struct {
		change chains.Change
		cause  prompt.Cause
	}{
		"forget":       {chains.Change{Forget: []prompt.Ref{note("tools/rake.md")}}, prompt.CauseForget},
		"mute":         {chains.Change{Mute: []prompt.Ref{note("beds.md")}}, ""},
		"refresh":      {chains.Change{Refresh: true}, prompt.CauseRefresh},
		"layout":       {chains.Change{Layout: prompt.Strict}, prompt.CausePromote},
		"instructions": {chains.Change{Instructions: &prompt.Instructions{User: "Be brief.", NoNotes: true}}, prompt.CauseL1},
		"model":        {chains.Change{Model: &other}, prompt.CauseL1},
		"nothing":      {chains.Change{}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...)
			r.begin(func(o *chains.Options) { o.Layout, o.Cache.Step, o.Cache.Min = prompt.Append, 1, 1 })
			other.Model = r.model
			r.say("1", note("beds.md"), note("tools/rake.md"))
			r.say("2")
			vaulttest.Write(t, r.vault, "beds.md", "Lilies. Marker: heron.\n")
			in := chains.Input{Text: "3", Attach: []prompt.Ref{note("beds.md")}}
			file, snapshot := r.file(), r.session.Snapshot()
			now, then, err := r.session.Price(t.Context(), in, tt.change)
			check(t, err)
			again, _, err := r.session.Price(t.Context(), in, chains.Change{})
			if err != nil || again != now || r.file() != file || !reflect.DeepEqual(r.session.Snapshot(), snapshot) {
				t.Errorf("asking changed something: %+v, was %+v, %v", again, now, err)
			}
			plain, _, err := r.session.Preview(t.Context(), in)
			if err != nil || plain.Predicted != now {
				t.Errorf("previewed %+v, priced %+v, %v", plain.Predicted, now, err)
			}
			r.apply(tt.change)
			env := r.send(in).ended(chains.FinishStop).envelope()
			is(t, env.Predicted, then)
			if env.Epoch.New != (tt.cause != "") || tt.cause != "" && env.Epoch.Cause != tt.cause {
				t.Errorf("%+v", env.Epoch)
			}
			if words := chains.Cost(now, then); (name == "nothing") != (words == "the next turn reads no more at full price") && name != "mute" && name != "forget" {
				t.Errorf("%s", words)
			}
		})
	}
}

func TestCost(t *testing.T) {
	p := func(all, cached int) prompt.Prediction { return prompt.Prediction{Prompt: all, Cached: cached} }
	for _, tt := range []struct {
		now, then prompt.Prediction
		want      string
	}{
		{p(100, 80), p(100, 0), "about 80 tokens more at full price"},
		{p(100, 80), p(60, 40), "about 40 tokens shorter"},
		{p(100, 80), p(100, 80), "no more at full price"},
		{p(100, 80), p(90, 60), "about 10 tokens more"},
	} {
		if got := chains.Cost(tt.now, tt.then); !strings.Contains(got, tt.want) {
			t.Errorf("%+v to %+v: %q", tt.now, tt.then, got)
		}
	}
}

// TestOtherModel: the model goes with everything that depends on it, the
// conversation stays.
func TestOtherModel(t *testing.T) {
	r := newRig(t, garden, textReplies("One.")...)
	r.say("1", note("beds.md"))
	second := chaintest.New(textReplies("Two.")...)
	r.apply(chains.Change{Model: &chains.Options{Model: second, ModelName: "second", Window: 9000}})
	if o := r.session.Options(); o.ModelName != "second" || o.Window != 9000 || o.Gather == nil || o.Store == nil ||
		o.Now == nil {
		t.Errorf("%+v", o)
	}
	r.model = second
	h := r.say("2")
	r.wants(r.sent(), "oriole", "One.")
	if e := h.envelope().Epoch; e.Cause != prompt.CauseL1 || r.model.Requests()[0].Model != "second" {
		t.Errorf("%+v", e)
	}
	r.wants(r.file(), `model: "second"`)
}

// TestNoStore: a session without a store works and stores nothing.
func TestNoStore(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...).begin(func(o *chains.Options) { o.Store = nil })
	h := r.say("1", note("beds.md"))
	for _, e := range h.events {
		if _, ok := e.(chains.Saved); ok {
			t.Error("saved")
		}
	}
	r.retry().ended(chains.FinishStop)
	r.undo()
	r.redo()
	r.say("2")
	is(t, transcript(t, r.chat()), "u 1\na Two.\nu 2\na Three.")
}

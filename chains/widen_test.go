package chains_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/tool"
	"ibid/chains/toolcall"
)

const otherWords = "Here they are:\n```json\n" +
	`{"phrasings":["where does the digging tool hang","","b","c","d"],"terms":["shovel","shed"]}` + "\n```"

// newWidenSession returns a session of vault whose model returns other words for a question.
func newWidenSession(t testing.TB, replies ...chaintest.Reply) (*rig, *chaintest.Tool) {
	t.Helper()
	r, tool := newVaultSession(t, garden, replies...)
	return r.begin(func(o *chains.Options) { o.Background.Widen = true }), tool
}

// TestWiden: the vault is searched for other words of the question too, which the model
// gives once in a small request without a note; what that cost is in the turn's usage.
func TestWiden(t *testing.T) {
	cost := func(text string, prompt int) chaintest.Reply {
		return chaintest.Reply{
			Text:  text,
			Usage: &chains.Usage{Prompt: prompt, Completion: 10, Cached: -1, CacheWrite: -1, Cost: -1},
		}
	}
	r, tool := newWidenSession(t, cost(otherWords, 100), cost("In the shed.", 1000), cost("Still there.", 1000),
		cost("no JSON", 100), cost("Lent.", 1000))
	in := chains.Input{Text: "where is the spade"}
	if _, err := r.session.Forecast(t.Context(), in); err != nil || len(r.model.Requests()) != 0 {
		t.Fatalf("a forecast asked: %v, %d requests", err, len(r.model.Requests()))
	}
	h := r.say(in.Text, note("beds.md"))
	all := r.model.Requests()
	if len(all) != 2 || all[0].MaxTokens != 150 || all[0].Tools != nil || all[0].CacheKey == all[1].CacheKey {
		t.Fatalf("requests %+v", all)
	}
	asked := all[0].Messages[0].Content + all[0].Messages[1].Content
	r.wants(asked, "Question: where is the spade")
	if r.lacks(asked, "oriole", "wren"); len(asked)/4 > 300 {
		t.Errorf("the request has %d bytes", len(asked))
	}
	want := `{"query":"where is the spade","salientTerms":["shovel","shed"],"phrasings":["where does the digging tool hang","b","c"]}`
	if got := tool.Calls(); len(got) != 2 || got[0] != `{"query":"where is the spade"}` || got[1] != want {
		t.Errorf("searched for %s", strings.Join(got, "\n"))
	}
	for _, e := range h.events {
		switch e := e.(type) {
		case chains.ToolStarted:
			is(t, toolcall.Text(e.Call),
				`localSearch "where is the spade" · also shovel, shed, where does the digging tool hang, b, c`)
		case chains.UsageReported:
			if e.Turn && e.Usage.Prompt != 1100 {
				t.Errorf("the turn read %d tokens", e.Usage.Prompt)
			}
		default:
		}
	}
	if totals := r.session.Snapshot().Totals; len(totals) != 1 || totals[0].Usage.Prompt != 1100 ||
		totals[0].Requests != 2 {
		t.Errorf("the chat has %+v", totals)
	}
	collect(r, r.session.Retry(t.Context())).ended(chains.FinishStop)
	r.say("where is the rake of the neighbour, please, and since when does he have it")
	if got := len(r.model.Requests()); got != 5 || tool.Calls()[2] != want ||
		strings.Contains(tool.Calls()[3], "salient") {
		t.Errorf("%d requests, searched for %q", got, tool.Calls())
	}
}

// TestWidenNothing: for a message that has nothing to look up the model is not asked for other
// words, and nothing is searched.
func TestWidenNothing(t *testing.T) {
	r, search := newWidenSession(t, textReplies(otherWords, "In the shed.", "Still there.", "You are welcome.")...)
	r.begin(func(o *chains.Options) {
		o.Tools.Words, o.Tools.Dated = tool.Words, tool.NamesTime
	})
	r.say("where is the spade?")
	for _, text := range []string{"And now?", "Thanks!"} {
		before := len(r.model.Requests())
		if r.say(text); len(r.model.Requests()) != before+1 {
			t.Errorf("%s: %d requests, of which one is the turn's", text, len(r.model.Requests())-before)
		}
	}
	if all := search.Calls(); len(all) != 1 {
		t.Errorf("searched for %q", all)
	}
}

// TestWidenGivesUp: a model that is late twice, or thinks in any case, is asked no more in
// the chat, which is said once; a turn that is cancelled meanwhile ends.
func TestWidenGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := chaintest.Reply{Text: otherWords, Delay: 2 * time.Second}
		r, tool := newWidenSession(t, late, reply("One."), late, reply("Two."),
			reply("Three."))
		var notices []string
		for _, question := range []string{"the spade", "the rake", "the beds"} {
			begun := time.Now()
			notices = append(notices, r.say(question).notices("search")...)
			if took := time.Since(begun); took > 1500*time.Millisecond {
				t.Errorf("%s took %s", question, took)
			}
		}
		want := "The model took longer than 1.5s twice: in this chat notes are searched for the words of the question alone."
		if !slices.Equal(notices, []string{want}) || len(r.model.Requests()) != 5 || len(tool.Calls()) != 3 {
			t.Errorf("said %q, %d requests", notices, len(r.model.Requests()))
		}
	})
	yes, no := func(string) bool { return true }, func(string) bool { return false }
	for name, tt := range map[string]struct {
		first []chaintest.Reply
		stops func(string) bool
		want  string
	}{
		"thinks in any case": {nil, no, "The model always thinks first"},
		"says nothing":       {textReplies(""), yes, "The model does not stop thinking"},
	} {
		r, _ := newWidenSession(t, append(tt.first, textReplies("One.", "Two.")...)...)
		r.begin(func(o *chains.Options) { o.Background.Thinks, o.Background.Stops = yes, tt.stops })
		got := append(r.say("the spade").notices("search"), r.say("the rake").notices("search")...)
		if len(got) != 1 || !strings.HasPrefix(got[0], tt.want) || len(r.model.Requests()) != len(tt.first)+2 {
			t.Errorf("%s: said %q, %d requests", name, got, len(r.model.Requests()))
		}
		if len(tt.first) > 0 && r.model.Requests()[0].Effort != chains.EffortOff {
			t.Errorf("%s: effort %q", name, r.model.Requests()[0].Effort)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := newWidenSession(t, chaintest.Reply{Func: func(chains.Request) chaintest.Reply { cancel(); return chaintest.Reply{} }})
	if _, err := r.session.Begin(ctx, chains.Input{Text: "the spade"}); err == nil || len(r.model.Requests()) != 1 {
		t.Errorf("cancelled: %v", err)
	}
}

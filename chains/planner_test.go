package chains_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// newPlanSession returns a session of plus with a model that writes its calls as text.
func newPlanSession(t testing.TB, replies ...chaintest.Reply) (*rig, *chaintest.Tool) {
	t.Helper()
	r, tool := newVaultSession(t, garden, replies...)
	core(tool)
	return r.inText().in(chains.Plus{}), tool
}

// plan returns the plan in the events of a turn.
func (h turnResult) plan() (all []chains.Planned) {
	for _, e := range h.events {
		if p, ok := e.(chains.Planned); ok {
			all = append(all, p)
		}
	}
	return all
}

// TestPlanner: in plus, a model without a list of tools is asked first what to look
// up; that is found before its request, which has no list and no guide.
func TestPlanner(t *testing.T) {
	r, tool := newPlanSession(t, textReplies(
		"```json\n"+`[{"tool":"localSearch","args":{"query":"spade"}},{"tool":"local_search","args":{"query":"rake"}},{"tool":"localSearch","args":{"query":"spade"}}]`+"\n```",
		"In the shed [^1].")...)
	h := r.send(chains.Input{
		Text: "Where is the spade, and who has the rake?", Active: note("beds.md"),
		Open: note("beds.md"),
	}).ended(chains.FinishStop)
	if got := h.plan(); len(got) != 1 || len(got[0].Calls) != 2 || got[0].Skipped != "" || len(tool.Calls()) != 2 {
		t.Errorf("planned %+v, called %q", got, tool.Calls())
	}
	all := r.model.Requests()
	if len(all) != 2 || all[0].MaxTokens != 300 || all[0].CacheKey == all[1].CacheKey || all[0].Tools != nil ||
		all[1].Tools != nil {
		t.Fatalf("requests %+v", all)
	}
	r.wants(all[0].Messages[1].Content, "Question: Where is the spade, and who has the rake?",
		"- beds.md (beds): # Beds Tulips stand")
	r.lacks(all[1].Messages[0].Content, "use_tool")
	r.wants(all[1].Messages[1].Content, "# Additional context:\n\n<localSearch query=", "Marker: wren",
		"Marker: finch", "[User query]:\nWhere is the spade, and who has the rake?")
	r.wants(r.file(), "In the shed [^1].", "[^1]: [[tools/spade]]")
	r.lacks(r.file(), "You decide what", "```json")
	is(t, len(r.requests()), 1)
}

// TestPlannerIsNotUnderstood: an answer that is no plan costs nothing but what it
// would have found, and the turn goes on.
func TestPlannerIsNotUnderstood(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply chaintest.Reply
		want  string
	}{
		{"prose", reply("I would search."), "planner: not understood"},
		{
			"unknown tool",
			chaintest.Reply{Text: `[{"tool":"rm","args":{}},{"tool":"localSearch","args":{"query":"x"}}]`},
			"planner: not understood",
		},
		{"wrong type", chaintest.Reply{Text: `[{"tool":"localSearch","args":{"query":7}}]`}, "planner: not understood"},
		{"not needed", reply(`[]`), ""},
		{"error", chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "Busy."}}, "planner: Busy."},
	} {
		r, tool := newPlanSession(t, tt.reply, reply("Well."))
		h := r.say("Where is the spade?")
		if got := strings.Join(h.notices("planner"), "\n"); got != tt.want || len(tool.Calls()) != 0 || h.text() != "Well." {
			t.Errorf("%s: notices %q, calls %q\n%s", tt.name, got, tool.Calls(), h)
		}
	}
}

// TestPlannerIsSkipped: where everything that is needed is attached, there is no
// request for a plan.
func TestPlannerIsSkipped(t *testing.T) {
	r, tool := newPlanSession(t, textReplies("North.", "[]", "Well.")...)
	if got := r.say("Where do they stand?", note("beds.md")).plan(); len(got) != 1 ||
		got[0].Skipped != "attached" || len(r.model.Requests()) != 1 {
		t.Errorf("planned %+v, %d requests", got, len(r.model.Requests()))
	}
	r.say("@vault where is the spade?", note("tools/rake.md"))
	if n := len(r.model.Requests()); n != 3 || len(tool.Calls()) != 1 {
		t.Errorf("%d requests, calls %q", n, tool.Calls())
	}
}

// TestPlannerIsSmall: a long note makes the request for a plan no longer than 4,000
// characters, and nothing that is known from before is in it.
func TestPlannerIsSmall(t *testing.T) {
	r, _ := newPlanSession(t, textReplies("North.", "[]", "Well.")...)
	for i := range 12 {
		vaulttest.Write(t, r.vault, vault.Path(fmt.Sprintf("long%d.md", i)),
			strings.Repeat(fmt.Sprintf("line %d of the note\n\n", i), 1000))
	}
	r.begin(func(o *chains.Options) {
		o.Tools.Dated = func(text string) bool { return strings.Contains(text, "last week") }
	})
	r.say("Where do they stand?", note("beds.md"))
	in := chains.Input{Text: "And last week, which line?", Attach: []prompt.Ref{note("beds.md")}}
	for i := range 12 {
		in.Attach = append(in.Attach, note(fmt.Sprintf("long%d.md", i)))
	}
	r.send(in).ended(chains.FinishStop)
	var all string
	sent := r.model.Requests()[1]
	for _, m := range sent.Messages {
		all += m.Content
	}
	if n := utf8.RuneCountInString(all); n >= 4000 || sent.MaxTokens == 0 {
		t.Errorf("%d characters, at most %d tokens", n, sent.MaxTokens)
	}
	r.wants(all, "long3.md", "- beds.md")
	r.lacks(all, "Tulips")
}

// TestPlannerTakesTooLong: a planner that says nothing is waited for ten seconds.
func TestPlannerTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newPlanSession(t, chaintest.Reply{Text: "[]", Delay: time.Minute}, reply("Well."))
		began := time.Now()
		h := r.say("Where is the spade?")
		if got := h.notices("planner"); len(got) != 1 || got[0] != "planner: no answer within 10s" ||
			time.Since(began) > 11*time.Second {
			t.Errorf("after %s: %q", time.Since(began), got)
		}
	})
}

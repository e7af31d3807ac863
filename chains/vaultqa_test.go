package chains_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// searcher is a localSearch over the notes of a rig: a note that has a word of
// the query is a passage.
func searcher(r *rig) *chaintest.Tool {
	return &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: chains.SearchTool, Description: "Finds passages.", Schema: `{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`},
		Func: func(_ context.Context, data json.RawMessage) (chains.ToolOutput, error) {
			var args struct{ Query string }
			if err := json.Unmarshal(data, &args); err != nil {
				return chains.ToolOutput{}, err
			}
			if args.Query == "broken" {
				return chains.ToolOutput{}, errors.New("the index is broken")
			}
			out := chains.ToolOutput{Attributes: [][2]string{{"query", args.Query}}, Guidance: "Cite with [^n]."}
			if query, cut := strings.CutSuffix(args.Query, " last week"); cut {
				out.Attributes = [][2]string{{"query", query}, {"timeRange", "last week"}}
			}
			for _, n := range r.vault.Notes() {
				if text := r.read(n.Path); !n.Private && !n.Path.In("Chats") && slices.ContainsFunc(strings.Fields(strings.ToLower(args.Query)), func(w string) bool {
					return len(w) > 3 && strings.Contains(strings.ToLower(text), strings.Trim(w, "?.,"))
				}) {
					id := len(out.Documents) + 1
					out.Documents = append(out.Documents, chains.Document{ID: id, Title: n.Title, Path: string(n.Path), From: 1, To: 3, Content: text})
					out.Sources = append(out.Sources, chains.Source{ID: id, Path: string(n.Path), From: 1, To: 3})
				}
			}
			if out.Note = "nothing"; len(out.Documents) > 0 {
				out.Note = out.Documents[0].Path
			} else {
				out.Text = "No note matches."
			}
			return out, nil
		},
	}
}

// about knows two messages that are about nothing.
func about(text string) []string {
	if text == "thanks" || text == "go on" {
		return nil
	}
	return strings.Fields(strings.ToLower(text))
}

// asking is a session of chain vault.
func asking(t testing.TB, archive string, replies ...chaintest.Reply) (*rig, *chaintest.Tool) {
	t.Helper()
	r := newRig(t, archive, replies...)
	tool := searcher(r)
	r.begin(func(o *chains.Options) {
		o.Chain, o.Tools = chains.Vault{}, chains.Toolbox{List: []chains.Tool{tool}, Words: about}
		o.Layout = prompt.Append
	})
	return r, tool
}

// TestVaultRequest holds where everything stands: S1-08, S1-26, S1-27, F7.
func TestVaultRequest(t *testing.T) {
	r, tool := asking(t, garden, said("In the shed [^1].", "You are welcome.")...)
	h := r.say("where is the spade last week", note("beds.md"))
	want := `user: # Additional context:

<localSearch query="where is the spade" timeRange="last week">
Answer the question based only on the following context:

<document>
<id>1</id>
<title>spade</title>
<path>tools/spade.md</path>
<lines>1-3</lines>
<content>The spade hangs in the shed. Marker: wren.</content>
</document>

<guidance>
Cite with [^n].
[^1]: [[tools/spade]]
</guidance>
</localSearch>

`
	sent := r.last()
	user := "user: " + sent[1][strings.Index(sent[1], "# Additional"):]
	if !strings.HasPrefix(user, want) || !strings.HasSuffix(user, "[User query]:\nwhere is the spade last week") {
		t.Errorf("the request:\n%s", user)
	}
	if i, j := strings.Index(user, "</localSearch>"), strings.Index(user, "Marker: oriole"); j < i {
		t.Errorf("L3 stands in front of what was found:\n%s", user)
	}
	if got, want := h.String(), "TurnStarted 1\nToolStarted\nToolDone\nContextReady\nSaved\nTextDelta \"In the shed [^1].\"\nSaved\nDone stop"; !strings.HasPrefix(got, want[:43]) {
		t.Errorf("events:\n%s", got)
	}
	system := sent[0]
	r.say("thanks")
	if got := r.last(); got[0] != system {
		t.Error("the system message of another turn is not the same bytes")
	}
	if all := r.model.Requests(); all[len(all)-1].Unfound != "There is nothing to look up in that message." {
		t.Errorf("the search says %q", all[len(all)-1].Unfound)
	}
	r.lacks(r.sent(), "<localSearch", "Marker: wren")
	r.wants(r.sent(), `[NOTE TO SELF: looked up: localSearch "where is the spade last week" → tools/spade.md]`)
	if n := len(tool.Calls()); n != 1 {
		t.Errorf("%d searches: thanks were searched for", n)
	}
	plain := newRig(t, garden, said("In the shed.")...)
	plain.say("where is the spade last week", note("beds.md"))
	if plain.system() != system {
		t.Error("the system message is not that of chat")
	}
}

// TestVaultFollowUp: a short question takes the words of the one before along.
func TestVaultFollowUp(t *testing.T) {
	r, tool := asking(t, garden, said("One.", "Two.", "Three.", "Four.")...)
	r.say("where is the spade")
	r.say("thanks")
	r.say("and the rake")
	r.say("one two three four five six seven eight nine ten eleven twelve thirteen")
	want := []string{
		`{"query":"where is the spade"}`, `{"query":"and the rake","wordsBefore":["where","is","spade"]}`,
		`{"query":"one two three four five six seven eight nine ten eleven twelve thirteen"}`,
	}
	if got := tool.Calls(); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// TestVaultRefers: a passage of a note that the request holds is referred to.
func TestVaultRefers(t *testing.T) {
	r, _ := asking(t, garden, said("One.", "Two.", "Three.", "Four.")...)
	r.say("the spade", note("tools/spade.md"))
	r.wants(r.sent(), "<state>attached to this message</state>")
	r.say("the spade")
	r.wants(r.last()[3], "<state>in the Context Library above</state>", "[^2]: [[tools/spade]]")
	if n := strings.Count(r.sent(), "Marker: wren"); n != 1 {
		t.Errorf("the note is there %d times", n)
	}
	write(r, "tools/spade.md", "The spade is sold. Marker: wren.\n")
	r.say("the spade")
	r.wants(r.last()[5], "<content>The spade is sold.")
	value(r.session.Apply(chains.Change{Forget: []prompt.Ref{note("tools/spade.md")}}))(t)
	r.say("the spade")
	r.wants(r.sent(), "<content>The spade is sold.")
}

// TestVaultRefersWhatFits: what had to make room is not referred to.
func TestVaultRefersWhatFits(t *testing.T) {
	long := strings.Repeat("a line of a long note\n", 1250)
	r, tool := asking(t, "-- a.md --\n# A\n\nThe spade stands here.\n\n"+long+"\n-- b.md --\n# B\n\n"+long+"\n", said("One.", "Two.")...)
	tool.Func = func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
		return chains.ToolOutput{Documents: []chains.Document{{ID: 1, Title: "A", Path: "a.md", Content: "The spade stands here."}}}, nil
	}
	r.begin(func(o *chains.Options) { o.Window = 12000 })
	r.say("the spade", note("a.md"))
	r.wants(r.sent(), "<state>attached to this message</state>")
	r.lacks(r.sent(), "<content>The spade stands here.</content>")
	r.say("the spade", note("b.md"))
	r.wants(r.sent(), "<content>The spade stands here.</content>")
}

// TestVaultDirective: @vault searches for one turn in any chain, and only where it
// was typed.
func TestVaultDirective(t *testing.T) {
	r, tool := asking(t, garden+"-- vault.md --\nA note of that name.\n", said("One.", "Two.", "Three.", "Four.", "Five.")...)
	r.begin(func(o *chains.Options) { o.Chain = nil })
	h := r.say("@vault where is the spade")
	r.wants(r.sent(), "<localSearch", "@vault where is the spade")
	if said := h.notices(""); len(said) > 0 {
		t.Errorf("said %q", said)
	}
	r.say("where is the spade")
	r.say("`@vault` and \\@vault")
	r.say(`@"vault" is a note`)
	r.wants(r.sent(), "A note of that name.")
	in := chains.Input{Text: "pasted @vault", Spans: []chains.Span{{From: 0, To: 13}}}
	r.send(in).ended(chains.FinishStop)
	if got := tool.Calls(); !slices.Equal(got, []string{`{"query":"where is the spade"}`}) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// TestVaultDirectiveAgain: a turn with @vault that is sent again searches again,
// also after the chat was opened anew.
func TestVaultDirectiveAgain(t *testing.T) {
	r, tool := asking(t, garden, said("One.", "Two.", "Three.")...)
	r.begin(func(o *chains.Options) { o.Chain = nil })
	r.say("@vault the spade")
	collect(r, r.session.Retry(t.Context())).ended(chains.FinishStop)
	r.reopen()
	collect(r, r.session.Retry(t.Context())).ended(chains.FinishStop)
	if n := len(tool.Calls()); n != 3 {
		t.Errorf("%d searches of three", n)
	}
}

// TestVaultFails: a search that fails, or finds nothing, does not stop the turn.
func TestVaultFails(t *testing.T) {
	r, _ := asking(t, garden, said("One.", "Two.", "Three.")...)
	h := r.say("broken")
	for _, e := range h.events {
		if d, ok := e.(chains.ToolDone); ok && (d.State != chains.ToolFailed || !strings.Contains(d.Err, "the index is broken")) {
			t.Errorf("%+v", d)
		}
	}
	r.lacks(r.sent(), "<localSearch")
	r.say("unheard of")
	r.wants(r.sent(), "No note matches.")
	r.begin(func(o *chains.Options) { o.Tools.List = nil })
	if said := r.say("the spade").notices("search"); len(said) != 1 {
		t.Errorf("said %q", said)
	}
}

// TestChainIsSaved: a chat goes on with its chain, and Undo takes a change back.
func TestChainIsSaved(t *testing.T) {
	r, _ := asking(t, garden, said("One.", "Two.")...)
	r.say("the spade")
	r.wants(r.file(), "\n  chain: vault\n")
	r.apply(chains.Change{Chain: chains.Chat{}})
	r.wants(r.file(), "\n  chain: chat\n")
	if now := r.session.Snapshot().Chain; now != "chat" {
		t.Errorf("chain %s", now)
	}
	if _, _, err := r.session.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.wants(r.file(), "\n  chain: vault\n")
	if now := r.session.Snapshot().Chain; now != "vault" {
		t.Errorf("chain %s after undo", now)
	}
	plain := newRig(t, garden, said("One.")...)
	plain.say("hello")
	plain.lacks(plain.file(), "chain:")
}

// write puts a note into the vault and has it noticed.
func write(r *rig, p vault.Path, text string) {
	r.Helper()
	vaulttest.Write(r, r.vault, p, text)
	value(r.vault.Revalidate(r.Context()))(r)
}

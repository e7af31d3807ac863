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
)

// searcher returns a localSearch over the notes of a rig: each note with a word of the query is
// a passage.
func searcher(r *rig) *chaintest.Tool {
	return &chaintest.Tool{
		ToolSpec: chains.ToolSpec{
			Name: chains.SearchTool, Description: "Finds passages.",
			Schema: `{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`,
		},
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
				if text := r.read(n.Path); !n.Private && !n.Path.In("Chats") &&
					slices.ContainsFunc(strings.Fields(strings.ToLower(args.Query)), func(w string) bool {
						return len(w) > 3 && strings.Contains(strings.ToLower(text), strings.Trim(w, "?.,"))
					}) {
					id := len(out.Documents) + 1
					out.Documents = append(out.Documents,
						chains.Document{ID: id, Title: n.Title, Path: string(n.Path), From: 1, To: 3, Content: text})
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

// about returns the words to search for; for two messages there are none.
func about(text string) []string {
	if text == "thanks" || text == "go on" {
		return nil
	}
	return strings.Fields(strings.ToLower(text))
}

// newVaultSession returns a session of the chain vault.
func newVaultSession(t testing.TB, archive string, replies ...chaintest.Reply) (*rig, *chaintest.Tool) {
	t.Helper()
	r := newRig(t, archive, replies...)
	tool := searcher(r)
	r.begin(func(o *chains.Options) {
		o.Chain, o.Tools = chains.Vault{}, chains.Toolbox{List: []chains.Tool{tool}, Words: about}
		o.Layout = prompt.Append
	})
	return r, tool
}

// TestVaultRequest compares the whole request: S1-08, S1-26, S1-27, F7.
func TestVaultRequest(t *testing.T) {
	r, tool := newVaultSession(t, garden, textReplies("In the shed [^1].", "You are welcome.")...)
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
	if got, want := h.String(),
		"TurnStarted 1\nToolStarted\nToolDone\nContextReady\nSaved\nTextDelta \"In the shed [^1].\"\nSaved\nDone stop"; !strings.HasPrefix(got, want[:43]) {
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
	is(t, len(tool.Calls()), 1)
	plain := newRig(t, garden, textReplies("In the shed.")...)
	plain.say("where is the spade last week", note("beds.md"))
	is(t, plain.system(), system)
}

// TestVaultRefersWhatFits: an item that was left out to make room is not referred to.
func TestVaultRefersWhatFits(t *testing.T) {
	long := strings.Repeat("a line of a long note\n", 1250)
	r, tool := newVaultSession(t, "-- a.md --\n# A\n\nThe spade stands here.\n\n"+long+"\n-- b.md --\n# B\n\n"+long+"\n",
		textReplies("One.", "Two.")...)
	tool.Func = func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
		return chains.ToolOutput{Documents: []chains.Document{{
			ID: 1, Title: "A", Path: "a.md",
			Content: "The spade stands here.",
		}}}, nil
	}
	r.begin(func(o *chains.Options) { o.Window = 12000 })
	r.say("the spade", note("a.md"))
	r.wants(r.sent(), "<state>attached to this message</state>")
	r.lacks(r.sent(), "<content>The spade stands here.</content>")
	r.say("the spade", note("b.md"))
	r.wants(r.sent(), "<content>The spade stands here.</content>")
}

// TestVaultWithoutSearch: without a search the question is sent as it is, with a notice.
func TestVaultWithoutSearch(t *testing.T) {
	r := newRig(t, garden, textReplies("One.")...).in(chains.Vault{})
	if said := r.say("the spade").notices("search"); len(said) != 1 {
		t.Errorf("said %q", said)
	}
}

package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// differ asks get_note_diff in a conversation.
type differ struct {
	t     *testing.T
	vault *vault.Vault
	opts  chains.Options
	model *chaintest.Script
	s     *chains.Session
}

func newDiffer(t *testing.T) *differ {
	v := vaulttest.New(t, "-- Barn.md --\n"+strings.Repeat("A line of the barn that stays as it is.\n", 4)+
		"The roof is thatched.\n"+strings.Repeat("Another line of the barn that stays.\n", 30)+
		"-- Other.md --\nNot attached.\n-- Secret.md --\n---\nprivate: true\n---\nx\n")
	d := &differ{t: t, vault: v, model: chaintest.New()}
	d.opts = chains.Options{
		Model: d.model, Gather: gather.New(v, gather.Options{}), Chain: chains.Agent{}, Now: today,
		Tools: chains.Toolbox{List: allTools(v, state.State{})},
	}
	d.s = chains.NewSession(d.opts)
	return d
}

// turn sends a message, whose reply makes these calls first, and gives their results.
func (d *differ) turn(attach []string, calls ...string) (results []string) {
	d.t.Helper()
	in := chains.Input{Text: "and now?"}
	for _, id := range attach {
		in.Attach = append(in.Attach, prompt.Ref{Kind: prompt.Note, ID: id})
	}
	reply := chaintest.Reply{}
	for i, args := range calls {
		reply.ToolCalls = append(reply.ToolCalls,
			prompt.ToolCall{ID: fmt.Sprint("c", i), Name: "get_note_diff", Arguments: args})
	}
	if len(calls) > 0 {
		d.model.Add(reply)
	}
	d.model.Add(chaintest.Reply{Text: "Seen."})
	for e, err := range d.s.Send(d.t.Context(), in) {
		check(d.t, err)
		if done, ok := e.(chains.ToolDone); ok {
			for len(results) < done.N {
				results = append(results, "")
			}
			results[done.N-1] = done.Result
		}
	}
	return results
}

func (d *differ) write(old, text string) {
	d.t.Helper()
	now := value(d.vault.Read("Barn.md"))(d.t)
	vaulttest.Write(d.t, d.vault, "Barn.md", strings.Replace(now.Content, old, text, 1))
}

func (d *differ) wants(results []string, want ...string) {
	d.t.Helper()
	for i, w := range want {
		if !strings.Contains(results[i], w) {
			d.t.Errorf("result %d is\n%s\nwant %q", i, results[i], w)
		}
	}
}

// A diff is that of the lines that changed since the model got the note: into the
// library, the last time, or until the end of a turn.
func TestNoteDiff(t *testing.T) {
	d := newDiffer(t)
	d.turn([]string{"Barn.md"})
	d.turn(nil) // now it stands in the library
	d.write("thatched", "of slate")
	slate := "\n-The roof is thatched.\n+The roof is of slate.\n A"
	got := d.turn(nil, `{"reference":"barn"}`, `{"reference":"Barn.md","since":"last_shown"}`,
		`{"reference":"Barn.md","since":"turn:1"}`, `{"reference":"Other"}`, `{"reference":"Secret"}`,
		`{"reference":"Barn","since":"turn:4"}`, `{"reference":"Barn","since":"yesterday"}`)
	d.wants(got, slate, slate, slate, "this conversation does not have the note", "Note not found",
		"there is no turn 4: this is turn 3", "since is library, last_shown or turn:N")
	if want := "Barn.md: +1 -1 lines since turn 2\n@@ -2,7 +2,7 @@\n A line"; !strings.HasPrefix(got[0], want) ||
		strings.Count(got[0], "\n") != 9 {
		t.Errorf("%s", got[0])
	}
	got = d.turn([]string{"Barn.md"}, `{"reference":"Barn","since":"last_shown"}`,
		`{"reference":"Barn","since":"turn:3"}`, `{"reference":"Barn","since":"turn:4"}`, `{"reference":"Barn"}`)
	d.wants(got, "Barn.md: unchanged since turn 4", slate, "unchanged since turn 4", slate)
	d.write("of slate", "of tin")
	d.wants(d.turn(nil, `{"reference":"Barn","since":"turn:2"}`, `{"reference":"Barn","since":"turn:3"}`,
		`{"reference":"Barn","since":"turn:4"}`),
		"-The roof is thatched.\n+The roof is of tin.", "-The roof is thatched.\n+The roof is of tin.",
		"-The roof is of slate.\n+The roof is of tin.")
	d.wants(d.turn([]string{"Other.md"}, `{"reference":"Other"}`), "Other.md: unchanged since turn 6")
}

// What a note was before a chat was opened again is not known, and that is said.
func TestNoteDiffReopened(t *testing.T) {
	d := newDiffer(t)
	d.turn([]string{"Barn.md"})
	d.turn(nil)
	chat, err := d.s.Chat()
	check(t, err)
	d.s, _, err = chains.Reopen(t.Context(), d.opts, chat)
	check(t, err)
	d.write("thatched", "of slate")
	opened := "Barn.md: +1 -1 lines since the chat was opened again after turn 2; what it was before is not known\n@@"
	d.wants(d.turn(nil, `{"reference":"Barn"}`, `{"reference":"Barn","since":"turn:1"}`),
		"Barn.md: unchanged since turn 3", opened)
	d.turn(nil)
	d.wants(d.turn([]string{"Barn.md"}, `{"reference":"Barn","since":"turn:1"}`,
		`{"reference":"Barn","since":"turn:3"}`, `{"reference":"Barn","since":"last_shown"}`), opened,
		"unchanged since turn 3", "unchanged since turn 5")
}

// Of a long diff there is the beginning, and how much it is; without a conversation
// there is none.
func TestLongDiff(t *testing.T) {
	d := newDiffer(t)
	d.turn([]string{"Barn.md"})
	d.write("thatched", strings.Repeat("long and ", 3000))
	got := d.turn(nil, `{"reference":"Barn"}`)
	if n := len([]rune(got[0])); n > 8300 || !strings.HasSuffix(got[0], " characters]") {
		t.Errorf("%d characters: …%s", n, got[0][len(got[0])-200:])
	}
	for _, each := range allTools(d.vault, state.State{}) {
		if each.Spec().Name == "get_note_diff" {
			if out, err := chains.RunTool(t.Context(), each, `{"reference":"Barn"}`); err != nil ||
				!strings.Contains(out.Text, "No conversation") {
				t.Errorf("%s, %v", out.Text, err)
			}
		}
	}
}

package plain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/vault/vaulttest"
)

// toolRig returns a desk whose model calls tools.
func toolRig(t *testing.T, tools []chains.Tool, replies ...chaintest.Reply) *rig {
	r := &rig{t: t}
	v := vaulttest.New(t, notes)
	g := gather.New(v, gather.Options{})
	r.desk = desk.New(desk.Options{
		Vault: v, Gather: g, StateDir: t.TempDir(),
		Session: chains.Options{
			Model: chaintest.New(replies...), ModelName: "test-model", Gather: g, Chain: chains.Agent{},
			Tools: chains.Toolbox{List: tools},
		},
	})
	r.output = &plain.Output{Out: &r.out, Err: &r.err}
	return r
}

func calling(text string, calls ...prompt.ToolCall) chaintest.Reply {
	return chaintest.Reply{Text: text, ToolCalls: calls}
}

func call(name, args string) prompt.ToolCall {
	return prompt.ToolCall{Name: name, Arguments: args}
}

// asking returns a tool that needs approval.
func asking(name string, kind chains.Access) *chaintest.Tool {
	tool := chaintest.Texts(name, "what it says")
	tool.ToolSpec.Ask = kind
	tool.ToolSpec.Schema = `{"type":"object","properties":{"url":{"type":"string"}}}`
	return tool
}

// TestToolLines: what tools do is on standard error; the text of all rounds is the
// reply, and no blank line too many is in it.
func TestToolLines(t *testing.T) {
	r := toolRig(
		t, []chains.Tool{chaintest.Reader("localSearch", "roof.md", "slate")},
		calling("Let me see. ", call("localSearch", `{"query":"barn roof"}`), call("dream", `{}`)),
		chaintest.Reply{Text: "It is slate."},
	)
	out, errs := r.line("What is the roof?")
	if want := "Let me see.\n\nIt is slate.\n"; out != want {
		t.Errorf("standard output is %q, want %q", out, want)
	}
	want := `ibid: tool: Searching for barn roof
ibid: tool: dream
ibid: tool failed: Unknown tool: there is no tool called dream
ibid: tool: 1 note: roof.md
`
	is(t, errs, want, "standard error")
	r = toolRig(
		t, []chains.Tool{chaintest.Reader("localSearch", "roof.md", "slate")},
		calling("Let me see.", call("localSearch", `{"query":"barn roof"}`)), chaintest.Reply{Text: "It is slate."},
	)
	r.output.Labels = true
	if out, _ := r.line("What is the roof?"); out != "Assistant: Let me see.\n\nIt is slate.\n" {
		t.Errorf("with labels: %q", out)
	}
}

// TestHostileTool: what a tool says and is asked for reaches a terminal as text, in
// one line each, and bounded.
func TestHostileTool(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202eevil\u2066"
	huge := strings.Repeat(evil+" line\n", 400_000)
	tool := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "find", Schema: chaintest.QuerySchema},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{Text: huge, Note: huge[:5000]}, nil
		},
	}
	args, _ := json.Marshal(map[string]string{"query": evil + strings.Repeat("x", 100_000)})
	for _, asJSON := range []bool{false, true} {
		r := toolRig(t, []chains.Tool{tool}, calling("", call("find", string(args)), call(evil+"\n", huge[:100_000])),
			chaintest.Reply{Text: "Done."})
		r.output.JSON = asJSON
		out, errs := r.line("Go on")
		if strings.ContainsAny(out+errs, "\x1b\x07\u202e\u2066") {
			t.Errorf("json %v: an escape reached the terminal", asJSON)
		}
		for line := range strings.Lines(out + errs) {
			if len(line) > 20_000 && !strings.Contains(line, `"type":"context"`) {
				t.Errorf("json %v: a line of %d bytes: %.80q", asJSON, len(line), line)
			}
		}
	}
}

// answers is standard input that says the next line when it was asked for, and then
// waits until the test ends.
type answers struct {
	lines []string
	ended <-chan struct{}
}

func (a *answers) Read(p []byte) (int, error) {
	if len(a.lines) == 0 {
		<-a.ended
		return 0, io.EOF
	}
	line := a.lines[0]
	a.lines = a.lines[1:]
	return copy(p, line+"\n"), nil
}

// answer starts a turn, types these lines, and returns all output.
func (r *rig) answer(t *testing.T, lines []string) string {
	ended := make(chan struct{})
	defer close(ended)
	in := &answers{lines: slices.Concat([]string{"Go on"}, lines, []string{"/quit"}), ended: ended}
	plain.Lines(t.Context(), r.desk, in, r.output, "")
	return r.out.String() + r.err.String()
}

// TestAsking asks at a terminal, takes what was allowed for granted, and refuses
// where there is nobody.
func TestAsking(t *testing.T) {
	tests := []struct {
		name    string
		kind    chains.Access
		setup   func(*plain.Output)
		input   []string
		asked   bool
		ran     bool
		refusal string
	}{
		{"yes", chains.AccessWeb, terminal, []string{"y"}, true, true, ""},
		{"what is no answer asks again", chains.AccessWeb, terminal, []string{"", "maybe", "YES"}, true, true, ""},
		{"no", chains.AccessRead, terminal, []string{"n"}, true, false, "refused by the person"},
		{
			"no with a reason", chains.AccessWeb, terminal,
			[]string{"no, use the notes"},
			true, false,
			"refused by the person: use the notes",
		},
		{
			"nobody", chains.AccessWeb, func(*plain.Output) {}, nil, false, false,
			"nobody was there to ask; --approve @web allows it",
		},
		{"nobody to read", chains.AccessRead, func(*plain.Output) {}, nil, false, false, "--approve @read allows it"},
		{"approved", chains.AccessWeb, func(o *plain.Output) { o.Approve = plain.Approvals{"@web"} }, nil, false, true, ""},
		{
			"approved something else", chains.AccessWeb,
			func(o *plain.Output) { o.Approve = plain.Approvals{"@read", "all", "**"} }, nil, false, false,
			"--approve @web allows it",
		},
		{
			"JSON asks nobody", chains.AccessWeb, func(o *plain.Output) { o.JSON, o.Asks = true, true },
			[]string{"y"},
			false, false, "--approve @web allows it",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tool := asking("fetchUrl", tt.kind)
			r := toolRig(t, []chains.Tool{tool}, calling("", call("fetchUrl", `{"url":"https://example.org/a?b=c"}`)),
				chaintest.Reply{Text: "Done."})
			tt.setup(r.output)
			all := r.answer(t, tt.input)
			is(t, strings.Contains(all, `ibid: asks: `) &&
				strings.Contains(all, "fetchUrl https://example.org/a?b=c\nibid: allow? [y/n"), tt.asked, all)
			is(t, len(tool.Calls()) > 0, tt.ran, "it ran", all)
			if !strings.Contains(all, tt.refusal) {
				t.Errorf("%q is not in\n%s", tt.refusal, all)
			}
			if r.output.JSON {
				for _, want := range []string{
					`"type":"approval","call":"fetchUrl https://example.org/a?b=c","decision":"pending"`, `"decision":"refused"`,
				} {
					if !strings.Contains(all, want) {
						t.Errorf("%q is not in\n%s", want, all)
					}
				}
			}
		})
	}
}

func terminal(o *plain.Output) { o.Asks = true }

// TestAskingEnds: an interrupt while a question stands ends the turn and the program.
func TestAskingEnds(t *testing.T) {
	tool := asking("fetchUrl", chains.AccessWeb)
	r := toolRig(t, []chains.Tool{tool}, calling("", call("fetchUrl", `{"url":"https://example.org"}`)))
	terminal(r.output)
	ctx, cancel := context.WithCancel(t.Context())
	asked := &interrupter{Writer: &r.err, at: "allow?", does: cancel}
	r.output.Err = asked
	ended := make(chan struct{})
	defer close(ended)
	done := make(chan int, 1)
	go func() {
		done <- plain.Lines(ctx, r.desk, &answers{lines: []string{"Go on"}, ended: ended}, r.output, "")
	}()
	select {
	case status := <-done:
		if status != plain.ExitInterrupted || len(tool.Calls()) > 0 {
			t.Errorf("status %d, %d calls", status, len(tool.Calls()))
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on asking")
	}
}

// interrupter does something when a text is written.
type interrupter struct {
	io.Writer
	at   string
	does func()
}

func (w *interrupter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.at)) {
		w.does()
	}
	return w.Writer.Write(p)
}

// TestApprovals: what the flag takes.
func TestApprovals(t *testing.T) {
	var a plain.Approvals
	for _, s := range []string{"@read", "@web", "all", "Journal/**", "a.md"} {
		if err := a.Set(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	is(t, fmt.Sprint(a), "[@read @web all Journal/** a.md]")
	for _, s := range []string{"", "@write", "@", "a[b"} {
		if a.Set(s) == nil {
			t.Errorf("%q is taken", s)
		}
	}
}

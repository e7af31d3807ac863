package ui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/ui"
)

// playTools runs a script on a screen whose model may call tools.
func playTools(t *testing.T, w, h int, tools []chains.Tool, replies []chaintest.Reply,
	script func(r *stage),
) {
	t.Helper()
	playOn(t, w, h, rigWith(band, func(g *rig) {
		g.tools = tools
		g.reopen()
	}, replies...), script)
}

func toolCall(name string, n int, query string) prompt.ToolCall {
	args, _ := json.Marshal(map[string]string{"query": query}) // strings always marshal
	return prompt.ToolCall{ID: fmt.Sprintf("call%d", n), Name: name, Arguments: string(args)}
}

// calling returns a reply that calls tools.
func calling(text string, calls ...prompt.ToolCall) chaintest.Reply {
	return chaintest.Reply{Text: text, ToolCalls: calls}
}

// finder finds a note for each query, and takes its time.
func finder(took time.Duration) *chaintest.Tool {
	return &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "localSearch", Schema: chaintest.QuerySchema},
		Func: func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
			var a struct{ Query string }
			if err := json.Unmarshal(args, &a); err != nil {
				return chains.ToolOutput{}, err
			}
			select {
			case <-time.After(took):
			case <-ctx.Done():
				return chains.ToolOutput{}, ctx.Err()
			}
			path := "Band/" + a.Query + ".md"
			return chains.ToolOutput{
				Text: "found " + a.Query + " here", Note: "1 note: " + path,
				Sources: []chains.Source{{Path: path}},
			}, nil
		},
	}
}

// asking returns a tool that needs approval.
func asking() *chaintest.Tool {
	tool := chaintest.Texts("webSearch", "pages")
	tool.ToolSpec.Ask = chains.AccessWeb
	return tool
}

// TestCallsAreSeen: a line a call while it runs and after, the text of each round
// where it came, the step in the last row; reopened, the chat shows the same.
func TestCallsAreSeen(t *testing.T) {
	onSizes(t, []size{{80, 24}, {120, 40}}, func(t *testing.T, w, h int) {
		replies := replies(
			calling("Let me see.", toolCall("localSearch", 1, "Setlist"), toolCall("dream", 2, "of it")),
			calling("And once more.", toolCall("localSearch", 3, "Bass tone")), slow("It is the slow one that comes last."),
		)
		play := func(r *stage) {
			all := ""
			shot := func(moment string) { all += "== " + moment + "\n" + r.Screen() + "\n" }
			r.Begin("what is the encore?", "Searching for Setlist")
			r.Pass(time.Second)
			r.Want("step 1 of 12 · esc stops", "✗ dream", "Unknown tool")
			shot("running")
			r.WaitFor("step 2 of 12")
			r.WaitFor("It is the")
			shot("answering")
			r.WaitFor("comes last.")
			r.Pass(time.Second)
			r.WantNot("step", "esc stop")
			shot("done")
			if !strings.Contains(r.chatText(""), `"n":"localSearch"`) {
				r.Errorf("the file is\n%s", r.chatText(""))
			}
			r.Press("ctrl+n")
			r.Pass(time.Second)
			r.Press("ctrl+s")
			r.Pass(time.Second)
			r.Press("enter")
			r.Pass(time.Second)
			r.Want("✓ Searched for Setlist", "✗ dream", "✓ Searched for Bass tone", "1 note: Band/Bass tone.md · 2 s")
			shot("reopened")
			golden.RequireEqual(r.T, all)
		}
		playTools(t, w, h, []chains.Tool{finder(2 * time.Second)}, replies, play)
	})
}

// TestManyCallsFold: more than four in a row are one line, which keys and the mouse
// open.
func TestManyCallsFold(t *testing.T) {
	var calls []prompt.ToolCall
	for i := range 6 {
		calls = append(calls, toolCall("localSearch", i, fmt.Sprint("n", i)))
	}
	playTools(t, 80, 24, []chains.Tool{finder(300 * time.Millisecond)},
		replies(calling("", calls...), reply("Done.")), func(r *stage) {
			r.Ask("go", "Done.")
			r.Want("▸ 6 steps · 6 notes · 1.8 s")
			r.WantNot("Searched")
			r.Press("tab", "enter")
			r.Want("▾ 6 steps", "for n0", "for n5")
			for y, row := range strings.Split(r.Screen(), "\n") {
				if strings.Contains(row, "for n3") {
					r.Click(10, y)
				}
			}
			r.Want("found n3 here")
			r.WantNot("found n2 here")
		})
}

// TestStopDuringTool: esc ends the model and its tools at once; nothing goes on
// turning, and what came is kept.
func TestStopDuringTool(t *testing.T) {
	deaf := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "deaf", Schema: chaintest.QuerySchema},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			time.Sleep(time.Minute)
			return chains.ToolOutput{}, nil
		},
	}
	playTools(t, 80, 24, []chains.Tool{deaf}, replies(calling("Let me see.", toolCall("deaf", 1, "a"))),
		func(r *stage) {
			r.Begin("go", "deaf")
			r.Pass(time.Second)
			r.Press("esc")
			r.Pass(50 * time.Millisecond)
			r.WantNot("esc stop", "step")
			r.Want("✗ deaf", "enter send")
			if file := r.chatText(""); !strings.Contains(file, "Let me see.") || !strings.Contains(file, `"cancelled"`) {
				r.Errorf("the file is\n%s", file)
			}
		})
}

// TestStopBeforeText gives the message back if tools ran and the model said nothing.
func TestStopBeforeText(t *testing.T) {
	replies := []chaintest.Reply{calling("", toolCall("localSearch", 1, "a")), {Text: "late", Delay: time.Minute}}
	playTools(t, 80, 24, []chains.Tool{finder(0)}, replies, func(r *stage) {
		r.Begin("think about it", "✓ Searched for")
		r.Pass(time.Second)
		r.Press("esc")
		r.Pass(time.Second)
		r.Want("> think about it", "stopped before the answer")
		r.WantNot("Searched")
	})
}

// TestApproval: what a tool asks for is asked over the prompt; what was typed before
// the question answers nothing.
func TestApproval(t *testing.T) {
	replies := replies(
		calling("", toolCall("webSearch", 1, "slate roofs")), reply("First."),
		calling("", toolCall("webSearch", 2, "tiles")), reply("Second."),
	)
	onSizes(t, []size{{80, 24}, {120, 40}, {200, 50}}, func(t *testing.T, w, h int) {
		tool := asking()
		script := func(r *stage) {
			r.Type("go")
			r.Press("enter")
			r.Type("yyy")
			r.WaitFor("May the model use the network?")
			r.Type("nyn")
			r.Paste("pasted")
			r.Want("webSearch slate roofs", "0.4 s of quiet", "> yyynynpasted", "! Searching the web for")
			r.Pass(300 * time.Millisecond)
			r.Type("y")
			r.Pass(300 * time.Millisecond)
			r.Want("0.4 s of quiet", "> yyynynpastedy")
			r.Pass(200 * time.Millisecond)
			golden.RequireEqual(r.T, r.Screen())
			r.Press("x", "pgup")
			r.Wheel(-1)
			r.Want("May the model")
			if len(tool.Calls()) > 0 {
				r.Fatal("it ran unasked")
			}
			r.Press("y")
			r.WaitFor("First.")
			r.Pass(time.Second)
			r.WantNot("May the model")
			r.Want("> yyynynpastedy", "✓ Searched the web for")
			r.Press("ctrl+u")
			r.Ask("again", "Second.") // a yes holds for the chat
		}
		playTools(t, w, h, []chains.Tool{tool}, replies, script)
	})
}

// TestApprovalRefused: a no is told to the model, with the reason that was typed.
func TestApprovalRefused(t *testing.T) {
	replies := replies(
		calling("", toolCall("webSearch", 1, "a"), toolCall("webSearch", 2, "b")), reply("Fine."),
	)
	playTools(t, 80, 24, []chains.Tool{asking()}, replies, func(r *stage) {
		r.Begin("go", "May the model")
		r.Pass(time.Second)
		r.Press("n")
		r.Type("use the notes")
		r.Paste(" instead")
		r.Want("why not? use the notes instead")
		if x, y := r.Cursor(); x < 20 || y < 10 {
			r.Errorf("the cursor stands at %d,%d", x, y)
		}
		r.Press("enter")
		r.WaitFor("webSearch b")
		r.Pass(time.Second)
		r.Press("esc")
		r.WaitFor("Fine.")
		r.Want("✗ Searching the web for", "refused by the person: use the notes instead")
		last := r.model.Requests()[1].Messages
		if got := fmt.Sprint(last[len(last)-2].Content, "|", last[len(last)-1].Content); !strings.Contains(got,
			"use the notes instead|refused by the person") {
			r.Error(got)
		}
	})
}

// TestApprovalWaits: a question waits for the page that is open, comes back after
// ctrl+c, and goes with its turn.
func TestApprovalWaits(t *testing.T) {
	replies := []chaintest.Reply{{
		ToolCalls: []prompt.ToolCall{toolCall("webSearch", 1, "a")}, Text: "Hm.",
		Delay: time.Second,
	}}
	playTools(t, 80, 24, []chains.Tool{asking()}, replies, func(r *stage) {
		r.Type("go")
		r.Press("enter", "f1")
		r.Pass(3 * time.Second)
		r.WantNot("May the model")
		r.Press("esc")
		r.Want("May the model", "0.4 s of quiet")
		r.Pass(time.Second)
		r.Press("ctrl+c")
		r.Want("May the model")
		r.Press("ctrl+c")
		r.WaitQuit()
		r.Close()
		if file := r.chatText(""); !strings.Contains(file, "Hm.") || !strings.Contains(file, `"cancelled"`) {
			r.Errorf("the file is\n%s", file)
		}
	})
}

// TestReasonStays: a reason that is being typed stays with its question while another page
// is open.
func TestReasonStays(t *testing.T) {
	replies := []chaintest.Reply{{ToolCalls: []prompt.ToolCall{toolCall("webSearch", 1, "a")}, Text: "Hm."}}
	playTools(t, 80, 24, []chains.Tool{asking()}, replies, func(r *stage) {
		r.Begin("go", "May the model")
		r.Pass(time.Second)
		r.Press("n")
		r.Type("it is a se")
		r.Press("ctrl+s")
		r.WaitFor("enter open")
		r.WantNot("it is a se")
		r.Press("esc")
		r.WaitFor("why not? it is a se")
		r.Pass(time.Second)
		r.Type("cret")
		r.Want("why not? it is a secret")
		r.Press("ctrl+n")
		r.WaitFor("1 asking you")
		r.Press("ctrl+x", "c")
		r.WaitFor("why not? it is a secret")
	})
}

// TestApprovedBefore: what the command line approved is not asked.
func TestApprovedBefore(t *testing.T) {
	make := rigWith(band, func(g *rig) {
		g.tools = []chains.Tool{asking()}
		g.reopen()
		g.change(func(o *ui.Options) { o.Approved = []chains.Access{chains.AccessWeb} })
	}, calling("", toolCall("webSearch", 1, "a")), reply("Fine."))
	playOn(t, 80, 24, make, func(r *stage) {
		r.Ask("go", "Fine.")
		r.Want("✓ Searched the web for")
	})
}

// TestHostileCalls: whatever a tool says and a model calls, a frame is a frame.
func TestHostileCalls(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202eevil\u2066\t"
	tool := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "find", Schema: chaintest.QuerySchema},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{
				Text: strings.Repeat(strings.Repeat(evil, 40)+"\n", 10_000),
				Note: strings.Repeat(evil, 100),
			}, nil
		},
	}
	web := asking()
	replies := replies(
		calling(evil, toolCall("find", 7, strings.Repeat(evil, 2000)),
			prompt.ToolCall{Name: evil, Arguments: strings.Repeat(evil, 10_000)}),
		calling("", toolCall("webSearch", 1, strings.Repeat("http://evil.example/"+evil, 60))), reply("Done."),
	)
	playTools(t, 80, 24, []chains.Tool{tool, web}, replies, func(r *stage) {
		r.Begin("go", "May the model")
		r.Pass(time.Second)
		r.Want("more lines below, not seen yet", "y yes")
		r.Press("y")
		r.Want("y yes")
		r.Press("y")
		r.WaitFor("Done.")
		r.Pass(time.Second)
		r.Press("tab", "enter", "/")
		r.Type("context shows")
		r.Press("enter")
		r.Want("more lines: /context shows what was sent")
		r.Press("f2")
		r.Pass(time.Second)
		file := r.chatText("")
		if strings.ContainsAny(file[strings.Index(file, "ibid"):], "\x1b\x07") && strings.Count(file, "\x1b") > 2 {
			r.Errorf("escapes are in the file beside the reply's own")
		}
	})
}

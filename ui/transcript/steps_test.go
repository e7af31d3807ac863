package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// withCalls returns a conversation whose model called a tool n times.
func withCalls(n, w, h int) *Transcript {
	tr := New(Options{})
	tr.SetSize(w, h)
	tr.Append(Message{ID: "you", Role: You, Text: "look it up"})
	for i := range n {
		m := Message{ID: fmt.Sprint("c", i), Role: Tool, Text: fmt.Sprintf("result %d", i)}
		m.Call = Call{
			Words: fmt.Sprintf("Searched for barn %d · last week", i), State: ToolDone,
			Note: fmt.Sprintf("2 notes: same.md, n%d.md", i), Took: 450 * time.Millisecond,
			Notes: []string{"same.md", fmt.Sprintf("n%d.md", i)},
		}
		tr.Append(m)
	}
	tr.Append(Message{ID: "reply", Role: Assistant, Text: "Here it is.", At: time.Time{}})
	return tr
}

func rowOf(t *testing.T, tr *Transcript, text string) int {
	t.Helper()
	for i, row := range screen(tr) {
		if strings.Contains(row, text) {
			return i
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, strings.Join(screen(tr), "\n"))
	return -1
}

func shows(t *testing.T, tr *Transcript, want, not []string) {
	t.Helper()
	for _, s := range want {
		if !strings.Contains(strings.Join(screen(tr), "\n"), s) {
			t.Fatalf("%q is not on the screen:\n%s", s, strings.Join(screen(tr), "\n"))
		}
	}
	for _, s := range not {
		if strings.Contains(strings.Join(screen(tr), "\n"), s) {
			t.Fatalf("%q is on the screen:\n%s", s, strings.Join(screen(tr), "\n"))
		}
	}
}

// TestFewCalls: up to four calls have a line each; a key unfolds all of them, a
// click one.
func TestFewCalls(t *testing.T) {
	tr := withCalls(4, 80, 30)
	shows(t, tr, []string{`  ✓ Searched for barn 0 · last week`, `2 notes: same.md, n3.md · 450 ms`},
		[]string{"steps", "result"})
	tr.Toggle()
	shows(t, tr, []string{"result 0", "result 3"}, nil)
	tr.Toggle()
	shows(t, tr, nil, []string{"result"})
	y := rowOf(t, tr, "barn 2")
	tr.Click(10, y)
	shows(t, tr, []string{"result 2"}, []string{"result 0", "result 3"})
	is(t, rowOf(t, tr, "barn 2"), y, "row of what was clicked on")
	tr.Click(10, y)
	shows(t, tr, nil, []string{"result"})
}

// TestManyCalls: more are one line, which unfolds into theirs; those that run or
// wait keep their own.
func TestManyCalls(t *testing.T) {
	tr := withCalls(6, 80, 40)
	shows(t, tr, []string{"▸ 6 steps · 7 notes · 2.7 s"}, []string{"Searched"})
	tr.Update(Message{ID: "c1", Role: Tool, Call: Call{Words: "fetchUrl", State: ToolWaiting}})
	tr.Update(Message{ID: "c2", Role: Tool, Call: Call{Words: "webSearch"}})
	tr.Update(Message{ID: "c3", Role: Tool, Call: Call{Words: "dream", State: ToolFailed, Note: "there is none"}})
	shows(t, tr, []string{"▸ 6 steps · 4 notes · 1.4 s · 1 failure", "! fetchUrl", "webSearch"},
		[]string{"Searched", "dream"})
	tr.Toggle()
	shows(t, tr, []string{"▾ 6 steps", "barn 0", "✗ dream", "barn 5"}, []string{"result"})
	tr.Toggle()
	shows(t, tr, []string{"result 5"}, nil)
	tr.Toggle()
	shows(t, tr, []string{"▸ 6 steps"}, []string{"result", "barn"})
	tr.Click(3, rowOf(t, tr, "6 steps"))
	shows(t, tr, []string{"▾ 6 steps", "barn 5"}, nil)
	tr.Click(3, rowOf(t, tr, "barn 5"))
	shows(t, tr, []string{"result 5"}, []string{"result 0"})
	tr.Click(3, rowOf(t, tr, "6 steps"))
	shows(t, tr, nil, []string{"barn"})
	if tr.Find("result 5") != 1 {
		t.Fatal("a folded result is not found")
	}
	shows(t, tr, []string{"result 5"}, nil)
	tr.Find("")
	tr.ToggleAll()
	shows(t, tr, []string{"▸ 6 steps"}, []string{"barn"})
}

// TestCallsDoNotScroll: who has scrolled up stays there while calls come and end,
// and an empty reply between them goes.
func TestCallsDoNotScroll(t *testing.T) {
	tr := withCalls(3, 60, 8)
	tr.Append(Message{ID: "more", Role: You, Text: strings.Repeat("line\n\n", 30)})
	tr.Top()
	before := screen(tr)[0]
	for i := range 8 {
		id := fmt.Sprint("x", i)
		tr.Append(Message{ID: "empty", Role: Assistant, Status: Streaming})
		tr.Truncate("empty")
		tr.Append(Message{ID: id, Role: Tool, Call: Call{Words: "find"}})
		tr.Tick()
		tr.View()
		tr.Update(Message{ID: id, Role: Tool, Call: Call{Words: "find", State: ToolDone}})
	}
	if got := screen(tr)[0]; got != before || tr.NewLines() == 0 {
		t.Errorf("it scrolled to %q, %d new lines", got, tr.NewLines())
	}
	tr.Truncate("more")
	if tr.NewLines() > 0 {
		t.Errorf("%d new lines", tr.NewLines())
	}
}

// TestWaitingTurns: the sign of a reply turns and its seconds count before any text
// has come.
func TestWaitingTurns(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := begun
	tr := New(Options{Now: func() time.Time { return now }})
	tr.SetSize(60, 10)
	tr.Append(Message{ID: "q", Role: You, Text: "a question"})
	tr.Append(Message{ID: "r", Role: Assistant, Status: Streaming, At: begun})
	before := tr.View()
	now = begun.Add(3 * time.Second)
	tr.Tick()
	after := tr.View()
	if before == after || !strings.Contains(after, "3 s") {
		t.Errorf("after three seconds:\n%s", after)
	}
	is(t, Progress(tr, false), "", "beside the line that says so")
	reply, _ := tr.Stream("r")
	reply.AppendText(strings.Repeat("a line\n\n", 20))
	tr.View()
	if got := Progress(tr, false); !strings.HasSuffix(got, " 3 s") {
		t.Errorf("with that line above the screen: %q", got)
	}
	reply.Finish(Complete)
	tr.View()
	is(t, Progress(tr, false), "", "after the end")
}

// TestClickAbove: a click on the white space above a message is about no link.
func TestClickAbove(t *testing.T) {
	tr := New(Options{})
	tr.SetSize(60, 20)
	tr.Append(Message{Role: You, Text: "one"})
	tr.Append(Message{Role: Assistant, Text: "two"})
	for y := range 20 {
		if arrow, address := tr.Click(4, y); arrow != 0 || address != "" {
			t.Errorf("row %d: %d, %q", y, arrow, address)
		}
	}
}

// TestThinkingSaysHowLong: a model that thinks says for how long, and what it took in the end.
func TestThinkingSaysHowLong(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	tr := New(Options{Now: func() time.Time { return now }})
	tr.SetSize(60, 10)
	tr.Append(Message{ID: "a", Role: Assistant, Status: Streaming, At: now})
	s, _ := tr.Stream("a")
	s.AppendReasoning("Hm.")
	now = now.Add(7500 * time.Millisecond)
	tr.Tick()
	shows(t, tr, []string{"▸ thinking for 7 s"}, nil)
	s.Thought(8*time.Second, 0)
	s.AppendText("Yes.")
	shows(t, tr, []string{"▸ thought for 8 s"}, []string{"thinking"})
}

package chatview

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// TestCallsAndSources: a call is one line that unfolds, and a reply is shown with
// its references numbered once it is whole.
func TestCallsAndSources(t *testing.T) {
	now := time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC)
	tr := transcript.New(transcript.Options{Theme: theme.New(theme.Options{})})
	turn := Turn{Transcript: tr, Now: func() time.Time { return now }}
	turn.ID, turn.runningTurn = 1, runningTurn{Cancel: func() {}, Began: now}
	call := prompt.ToolCall{ID: "c1", Name: "localSearch", Arguments: `{"query":"barn roof"}`}
	for _, e := range []chains.Event{
		chains.TurnStarted{N: 1},
		chains.ToolStarted{Call: call},
		chains.ToolDone{
			Call: call, State: chains.ToolFinished, Note: "1 note: Barn.md", Took: 12 * time.Millisecond,
			Result: "found", Sources: []chains.Source{{ID: 3, Path: "Barn.md", Heading: "Roof"}},
		},
		chains.ContextReady{},
		chains.TextDelta{Text: "Slate [^3"},
		chains.TextDelta{Text: "], as in [[Shed]]."},
	} {
		turn.Apply(e)
	}
	if reply, _ := tr.Message("t1r1"); reply.Text != "Slate [^3], as in [[Shed]]." {
		t.Errorf("while it streams the reply is %q", reply.Text)
	}
	for _, e := range []chains.Event{
		chains.Citations{Drawn: "Slate [1], as in [[Shed]].\n\n#### Sources:\n\n1. [[Barn#Roof]]", Dead: []string{"Shed"}},
	} {
		turn.Apply(e)
	}
	turn.Finish(chains.Done{Finish: chains.FinishStop})
	tool, ok := tr.Message("t1-c1")
	want := transcript.Call{
		Words: "Searched for barn roof", Note: "1 note: Barn.md", Took: 12 * time.Millisecond,
		Notes: []string{"Barn.md"}, State: transcript.ToolDone,
	}
	if !ok || !reflect.DeepEqual(tool.Call, want) || tool.Text != call.Arguments+"\nfound" {
		t.Errorf("the call is %+v", tool)
	}
	reply, ok := tr.Message("t1r1")
	if !ok || reply.Text != "Slate [1], as in [[Shed]].\n\n#### Sources:\n\n1. [[Barn#Roof]]" ||
		!slices.Equal(reply.Dead, []string{"Shed"}) || reply.Status != transcript.Complete {
		t.Errorf("the reply is %+v", reply)
	}
}

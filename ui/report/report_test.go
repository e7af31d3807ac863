package report

import (
	"slices"
	"strings"
	"testing"

	"ibid/context/prompt"
	"ibid/ui/inspector"
)

// TestPassagesInReport: what a search found is listed passage by passage, and what
// earlier turns found is named in one line.
func TestPassagesInReport(t *testing.T) {
	found := []prompt.ToolResult{{
		Name: "localSearch",
		Documents: []prompt.Document{
			{ID: 1, Path: "Barn.md", Heading: "Roof", Content: "Slate."},
			{ID: 2, Path: "Shed.md", State: "in the Context Library above"},
		},
	}}
	env, err := prompt.Conversation{}.Prepare(prompt.Turn{Text: "which roof?", Tools: found})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range Describe(env, nil, inspector.Report{}).Parts {
		got = append(got, strings.TrimSpace(p.Kind+" "+p.Text+" "+p.Note))
	}
	want := []string{"tool localSearch", "passage Barn.md#Roof", "passage Shed.md in the Context Library above"}
	if !slices.Equal(got, want) {
		t.Errorf("parts %q", got)
	}
	past := []prompt.Envelope{env}
	if said := DescribeDropped(past, 2); !strings.HasPrefix(said, "looked up and dropped: turn 1: 2 passages, ") {
		t.Errorf("said %q", said)
	}
	if said := DescribeDropped(past, 1); said != "" {
		t.Errorf("of the turn itself: %q", said)
	}
}

package ui

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// TestCallsAndSources: a call is one line that unfolds, and a reply is shown with
// its references numbered once it is whole.
func TestCallsAndSources(t *testing.T) {
	now := time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC)
	tr := transcript.New(transcript.Options{Theme: theme.New(theme.Options{})})
	turn := turn{transcript: tr, now: func() time.Time { return now }}
	turn.id, turn.runningTurn = 1, runningTurn{cancel: func() {}, began: now}
	call := prompt.ToolCall{ID: "c1", Name: "localSearch", Arguments: `{"query":"barn roof"}`}
	for _, e := range []chains.Event{
		chains.TurnStarted{N: 1},
		chains.ToolStarted{Call: call},
		chains.ToolDone{Call: call, State: chains.ToolFinished, Note: "1 note: Barn.md", Took: 12 * time.Millisecond, Result: "found", Sources: []chains.Source{{ID: 3, Path: "Barn.md", Heading: "Roof"}}},
		chains.ContextReady{},
		chains.TextDelta{Text: "Slate [^3"},
		chains.TextDelta{Text: "], as in [[Shed]]."},
	} {
		turn.apply(e)
	}
	if reply, _ := tr.Message("t1r1"); reply.Text != "Slate [1], as in [[Shed]]." {
		t.Errorf("while it streams the reply is %q", reply.Text)
	}
	for _, e := range []chains.Event{
		chains.Cited{Drawn: "Slate [1], as in [[Shed]].\n\n#### Sources:\n\n1. [[Barn#Roof]]", Dead: []string{"Shed"}},
	} {
		turn.apply(e)
	}
	turn.finish(chains.Done{Finish: chains.FinishStop})
	tool, ok := tr.Message("t1-c1")
	want := transcript.Call{Name: "localSearch", Target: `"barn roof"`, Note: "1 note: Barn.md", Took: 12 * time.Millisecond, Notes: []string{"Barn.md"}, State: transcript.ToolDone}
	if !ok || !reflect.DeepEqual(tool.Call, want) || tool.Text != call.Arguments+"\nfound" {
		t.Errorf("the call is %+v", tool)
	}
	reply, ok := tr.Message("t1r1")
	if !ok || reply.Text != "Slate [1], as in [[Shed]].\n\n#### Sources:\n\n1. [[Barn#Roof]]" || !slices.Equal(reply.Dead, []string{"Shed"}) || reply.Status != transcript.Complete {
		t.Errorf("the reply is %+v", reply)
	}
}

// TestFootnotesStream: at any split of a reply its references have the numbers that
// they keep; what turns out to be none is shown as it came.
func TestFootnotesStream(t *testing.T) {
	const reply = "a[0] [^12] and [^7][^12], [^9] or [^13], [^4"
	for split := range len(reply) + 1 {
		var f footnotes
		f.found([]chains.Source{{ID: 7, Path: "B.md"}, {ID: 12, Path: "A.md"}, {ID: 13, Path: "A.md"}})
		got := f.add(reply[:split]) + f.add(reply[split:])
		held, raw := f.end()
		if got += held; got != "a[0] [1] and [2][1], [^9] or [1], [^4" || raw != reply {
			t.Errorf("cut at %d: %q, raw %q", split, got, raw)
		}
	}
	tr := transcript.New(transcript.Options{Theme: theme.New(theme.Options{})})
	turn := turn{transcript: tr, now: time.Now, id: 1}
	turn.runningTurn = runningTurn{cancel: func() {}}
	for _, e := range []chains.Event{
		chains.ToolDone{Sources: []chains.Source{{ID: 1, Path: "A.md"}}},
		chains.ContextReady{},
		chains.TextDelta{Text: "write `[^1]` and ["},
	} {
		turn.apply(e)
	}
	turn.finish(chains.Done{Finish: chains.FinishStop})
	if reply, _ := tr.Message("t1r1"); reply.Text != "write `[^1]` and [" {
		t.Errorf("the reply is %q", reply.Text)
	}
}

// TestNotesOfMessage: sources come first, by their numbers, then what went with the
// message, then what it links to; a section that was listed is not listed again.
func TestNotesOfMessage(t *testing.T) {
	v := vaulttest.New(t, "-- Projects/Barn.md --\n# Roof\n-- Odd [1].md --\nx\n-- Shed.md --\nx\n")
	reply := "From [[Barn#Roof]] [1], [[Shed]] [2], [[Gone]].\n\n#### Sources:\n\n1. [[Projects/Barn#Roof]]\n2. [Odd \\[1\\]](Odd%20%5B1%5D.md)"
	own := transcript.Message{Text: "compare [[Barn]]", Chips: []transcript.Chip{
		{Label: "Barn", Link: linkOf(prompt.Ref{Kind: prompt.Note, ID: "Projects/Barn.md"})},
		{Label: "#tag", Link: linkOf(prompt.Ref{Kind: prompt.Tag, ID: "#tag"})},
	}}
	for _, tt := range []struct {
		msg  transcript.Message
		want []string
	}{
		{transcript.Message{Text: reply}, []string{"[1] Projects/Barn#Roof > Projects/Barn#Roof", "[2] Odd [1].md > Odd [1].md", "Shed > Shed", "Gone > Gone"}},
		{own, []string{"Barn > Projects/Barn.md"}},
		{transcript.Message{Text: "nothing"}, nil},
	} {
		var got []string
		for _, link := range linksOf(v, &tt.msg) {
			got = append(got, link.Label+" > "+link.ID)
			if _, _, _, _, err := target(v, link.ID); (err != nil) != (link.Meta == "no such note") {
				t.Errorf("%s: %s, %v", link.ID, link.Meta, err)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q\nwant %q", tt.msg.Text, got, tt.want)
		}
	}
	tr := transcript.New(transcript.Options{Theme: theme.New(theme.Options{})})
	tr.Reset([]transcript.Message{{Role: transcript.Assistant, Text: reply}, {Role: transcript.Notice, Text: "links: 1 of 2 leads nowhere"}})
	for footnote, want := range map[string]string{"^1": "Projects/Barn#Roof", "[^2]": "Odd [1].md", "^3": "", "1": "", "^x": ""} {
		if link, ok := sourceAt(tr, footnote); link != want || ok != (want != "") {
			t.Errorf("%s is %q", footnote, link)
		}
	}
}

// TestLinkOpensSection: a link to a section is opened at its line.
func TestLinkOpensSection(t *testing.T) {
	v := vaulttest.New(t, "-- Projects/Barn.md --\n# Barn\n\n## Roof: new\nSlate.\n")
	for target, line := range map[string]int{"Projects/Barn#Roof new": 3, "Barn": 0, "Barn#Gone": 0} {
		msg, err := followLink{v, target}.run(t.Context(), nil)
		if want := (page.EditFile{Path: "Projects/Barn.md", Line: line, Via: string(state.Wikilink)}); err != nil || msg != want {
			t.Errorf("%s: %v, %v", target, msg, err)
		}
	}
}

// TestObsidianURL: the address names vault, note and heading.
func TestObsidianURL(t *testing.T) {
	got := obsidianURL("/home/p/My notes", vault.Found{Path: "Projects/A & B.md", Subpath: "Roof"})
	if want := "obsidian://open?vault=My%20notes&file=Projects%2FA%20%26%20B.md%23Roof"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestObsidianNeedsAnOpener: where nothing opens an address, the person gets it.
func TestObsidianNeedsAnOpener(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	v := vaulttest.New(t, "-- Barn.md --\n# Barn\n")
	if said, ok := openInObsidian(v, nil, "Gone")(t.Context()).(page.Toast); !ok || !said.Bad || !strings.Contains(said.Text, "there is no such note") {
		t.Errorf("no note: %+v", said)
	}
	copied, ok := openInObsidian(v, nil, "Barn")(t.Context()).(page.Copy)
	if !ok || !strings.HasPrefix(copied.Text, "obsidian://open?vault=") || !strings.Contains(copied.What, "is not installed") {
		t.Errorf("no opener: %+v", copied)
	}
}

// TestPassagesInReport: what a search found is listed passage by passage, and what
// earlier turns found is named in one line.
func TestPassagesInReport(t *testing.T) {
	found := []prompt.ToolResult{{
		Name:      "localSearch",
		Documents: []prompt.Document{{ID: 1, Path: "Barn.md", Heading: "Roof", Content: "Slate."}, {ID: 2, Path: "Shed.md", State: "in the Context Library above"}},
	}}
	env, err := prompt.Conversation{}.Prepare(prompt.Turn{Text: "which roof?", Tools: found})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range newReport(env, nil, inspector.Report{}).Parts {
		got = append(got, strings.TrimSpace(p.Kind+" "+p.Text+" "+p.Note))
	}
	want := []string{"tool localSearch", "passage Barn.md#Roof", "passage Shed.md in the Context Library above"}
	if !slices.Equal(got, want) {
		t.Errorf("parts %q", got)
	}
	past := []prompt.Envelope{env}
	if said := dropped(past, 2); !strings.HasPrefix(said, "looked up and dropped: turn 1: 2 passages, ") {
		t.Errorf("said %q", said)
	}
	if said := dropped(past, 1); said != "" {
		t.Errorf("of the turn itself: %q", said)
	}
}

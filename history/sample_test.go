package history

import (
	"regexp"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/context/prompt"
)

var blockPattern = regexp.MustCompile(`(?s)<!-- ibid .*?-->`)

// sample returns a chat with every feature of the format.
func sample() Chat {
	at := func(s int) time.Time { return time.Date(2025, 3, 1, 9, 0, s, 0, time.UTC) }
	note := func(id string) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: id} }
	return Chat{
		Epoch: 1740819600000, Title: `The "wall" bed`, Model: "gpt-x", ModelKey: "gpt-x|openai", Layout: "strict",
		Tags: []string{chatTag, "garden"},
		Totals: []Total{
			{Month: "2025-03", Model: "gpt-x", Turns: 2, Usage: Usage{Prompt: 1800, Cached: 1024, Completion: 4, Cost: 0.002}},
		},
		Choices: Choices{Active: "follow"}, Muted: []prompt.Ref{note("Old -- notes.md")},
		Messages: []Message{
			{
				Role: User, Text: "How often do I water?", Time: at(0),
				Context: Context{Notes: []string{"Garden/Beds.md"}, Tags: []string{"#garden"}, Active: "Log/Today.md"},
				Meta: Meta{
					Refs: []prompt.Ref{note("Log/Today.md"), {Kind: prompt.Tag, ID: "#garden"}, note("Garden/Beds.md")},
					Items: []Item{
						{Ref: note("Log/Today.md"), Revision: "00112233aabbccdd"},
						{Ref: note("Garden/Beds.md"), Revision: "ffeeddcc99887766"},
					},
				},
			},
			{
				Role: Assistant, Text: "Twice a week.", Time: at(5),
				Notes: []string{"I said **twice** a week -- check the [[Beds]] --> later."},
			},
			{
				Role: User, Text: "And this?\n\n[Context: not metadata]", Time: at(60),
				Context: Context{
					Selections: []string{"Garden/Beds.md#L3-L9"}, URLs: []string{"https://example.org/a"},
					Pins: []string{"Rota, spring.md"},
				},
				Meta: Meta{Items: []Item{{Ref: prompt.Lines("Garden/Beds.md", 3, 9), Revision: "0123456789abcdef"}}},
			},
			{
				Role: Assistant, Text: "**ai**: starts like a header,\nand then", Time: at(66), Status: StatusCut,
				After: "Ask again in April.",
			},
		},
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check ends the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read returns the chat in a file.
func read[T string | []byte](t rapid.TB, file T) Chat {
	t.Helper()
	c, _, err := decode([]byte(file), time.UTC)
	check(t, err)
	return c
}

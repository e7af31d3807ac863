package offline_test

import (
	"testing"

	"ibid/chains/offline"
	"ibid/context/prompt"
)

func TestTitle(t *testing.T) {
	plan := []prompt.Item{prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "Garden plan.md"}, "Garden plan", "Garden plan.md", "Tomatoes.")}
	for question, want := range map[string]string{
		"what does @Garden plan say about tomatoes?": "Garden plan tomatoes",
		"Who waters the beds in August?":             "Waters beds August",
		"hello":                                      "Garden plan",
		"":                                           "Garden plan",
		"one pear two pears three plums four figs five apples six": "Pear two pears three plums",
	} {
		if got := offline.Title(question, plan); got != want {
			t.Errorf("%q is called %q, want %q", question, got, want)
		}
	}
	if got := offline.Title("why?", nil); got != "" {
		t.Errorf("nothing is called %q", got)
	}
}

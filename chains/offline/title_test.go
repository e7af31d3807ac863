package offline

import (
	"testing"

	"ibid/context/prompt"
)

func TestTitle(t *testing.T) {
	plan := []prompt.Item{prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "Garden plan.md"}, "Garden plan",
		"Garden plan.md", "Tomatoes.")}
	for question, want := range map[string]string{
		"what does @Garden plan say about tomatoes?": "Garden plan tomatoes",
		"Who waters the beds in August?":             "Waters beds August",
		"hello":                                      "Garden plan",
		"":                                           "Garden plan",
		"one pear two pears three plums four figs five apples six": "Pear two pears three plums",
	} {
		is(t, Title(question, plan), want, question)
	}
	is(t, Title("why?", nil), "")
}

package offline_test

import (
	"context"
	"fmt"

	"ibid/chains"
	"ibid/chains/offline"
	"ibid/context/prompt"
)

func ExampleModel_Stream() {
	lighthouse := prompt.NewItem(
		prompt.Ref{Kind: prompt.Note, ID: "Coast/Lighthouse.md"}, "Lighthouse", "Coast/Lighthouse.md",
		"# Lighthouse\n\n## Lamp\n\nThe lamp turns once in ten seconds. It was lit with rapeseed oil until 1880.\n\n## Tower\n\nThe tower has 93 steps.")
	m := offline.New(offline.Options{})
	request := chains.Request{
		Documents: []prompt.Item{lighthouse},
		Question:  "how many steps does the tower have?",
	}
	for delta, err := range m.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(delta.Text)
	}
	// Output:
	// From [[Coast/Lighthouse#Tower]]:
	//
	// > The tower has 93 steps.
}

package cli

import (
	"context"

	"ibid/chains/desk"
)

// promptJSON is the JSON row of a saved prompt.
type promptJSON struct {
	desk.Prompt
	Command string `json:"command"` // that runs it in line mode and on the screen
}

func listPrompts(_ context.Context, p *parts, _ []string) error {
	all := p.desk.Prompts().List()
	for i := range all {
		saved := &all[i]
		saved.Used = saved.Used.UTC()
		p.printLine(promptJSON{*saved, saved.Command()}, "%-24s %s", saved.Name, saved.Path)
	}
	if len(all) == 0 {
		p.hint("there are no prompts yet: a note in %s/ is one", p.desk.Prompts().Folder())
	}
	return nil
}

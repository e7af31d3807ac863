package cli

import (
	"context"
	"math"

	"ibid/chains/desk"
)

// promptJSON is the JSON row of a saved prompt. Order shadows the field that is infinite without a place in the menu,
// which JSON cannot hold.
type promptJSON struct {
	desk.Prompt
	Command string   `json:"command"` // that runs it in line mode and on the screen
	Order   *float64 `json:"order,omitempty"`
}

func listPrompts(_ context.Context, p *parts, _ []string) error {
	all := p.desk.Prompts().List()
	for i := range all {
		saved := &all[i]
		saved.Used = saved.Used.UTC()
		row := promptJSON{Prompt: *saved, Command: saved.Command()}
		if !math.IsInf(saved.Order, 0) {
			row.Order = &saved.Order
		}
		p.printLine(row, "%-24s %s", saved.Name, saved.Path)
	}
	if len(all) == 0 {
		p.hint("there are no prompts yet: a note in %s/ is one", p.desk.Prompts().Folder())
	}
	return nil
}

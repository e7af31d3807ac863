package cli

import (
	"context"
	"math"

	"ibid/chains/desk"
)

// promptsFile is the file of the state folder that says when prompts were used last.
const promptsFile = "prompts.json"

// promptOptions say where prompts are saved: in a folder, "" for the usual ones.
func (a *app) promptOptions(folder string) desk.PromptOptions {
	hints := a.hints()
	return desk.PromptOptions{
		Folder: folder,
		Last:   func() map[string]string { return hints.Read(promptsFile) },
		Keep:   func(file, used string) { hints.Set(promptsFile, file, used) },
	}
}

// promptJSON is a saved prompt of a list.
type promptJSON struct {
	desk.Prompt
	Command string   `json:"command"` // in line mode and on the screen
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

package cli

import (
	"context"
	"math"
	"time"

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

// savedPrompt is one line of `ibid prompts --json`.
type savedPrompt struct {
	Name    string     `json:"name"`
	Path    string     `json:"path"`
	Command string     `json:"command"` // in line mode and on the screen
	Model   string     `json:"model,omitempty"`
	Order   *float64   `json:"order,omitempty"`
	Used    *time.Time `json:"used,omitempty"` // last
	Private bool       `json:"private"`
}

func listPrompts(_ context.Context, p *parts, _ []string) error {
	all := p.desk.Prompts().List()
	for i := range all {
		p.printLine(promptJSON(&all[i]), "%-24s %s", all[i].Name, all[i].Path)
	}
	if len(all) == 0 {
		p.hint("there are no prompts in %s/", p.desk.Prompts().Folder())
	}
	return nil
}

func promptJSON(p *desk.Prompt) savedPrompt {
	out := savedPrompt{Name: p.Name, Path: string(p.Path), Command: p.Command(), Model: p.Model, Private: p.Private}
	if !math.IsInf(p.Order, 0) {
		out.Order = &p.Order
	}
	if !p.Used.IsZero() {
		used := p.Used.UTC()
		out.Used = &used
	}
	return out
}

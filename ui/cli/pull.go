package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/ui/theme"
)

// pullCommand has Ollama fetch a model.
func pullCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "pull NAME",
		Short:   "Have Ollama pull a model",
		Long:    "Pull has Ollama fetch a model from its library and says how far it is. What came stays when it is interrupted, and another pull goes on there. ollama.com/library lists what there is.",
		Example: "  ibid models pull qwen3:8b",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return pullModel(c.Context(), a, args[0]) },
	}
}

// pullJSON is how far a pull is, for --json.
type pullJSON struct {
	Type  string `json:"type"` // pull
	Model string `json:"model"`
	Text  string `json:"text"`
	Done  int64  `json:"done"` // bytes
	Total int64  `json:"total"`
}

// pullModel pulls a model at the server that was named, else at the Ollama of this
// machine.
func pullModel(ctx context.Context, a *app, name string) error {
	from, err := a.configured()
	if err != nil {
		return err
	}
	far := make(chan string, 1)
	now := ""
	err = a.live(func() string {
		select {
		case now = <-far:
		default:
		}
		return "pulling " + oneLine(name) + ": " + oneLine(now)
	}, func() error {
		steps := from.Pull(ctx, name)
		if a.flags.JSON {
			steps = chains.Tenths(steps)
		}
		for step, err := range steps {
			if err != nil {
				return err
			}
			select { // the newest is what is shown
			case <-far:
			default:
			}
			far <- step.String()
			if a.flags.JSON {
				a.print(theme.JSONLine(pullJSON{"pull", name, step.Doing, step.Done, step.Total}))
			}
		}
		return nil
	})
	if err == nil && !a.flags.JSON {
		a.print(fmt.Sprintf("%s is pulled\n", oneLine(name)))
	}
	return err
}

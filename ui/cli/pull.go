package cli

import (
	"context"
	"fmt"
	"sync/atomic"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/ui/theme"
)

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
func (a commands) pullModel(ctx context.Context, from *connect.Providers, args []string) error {
	var now atomic.Value
	name := oneLine(args[0])
	now.Store("")
	err := a.live(func() string { return fmt.Sprintf("pulling %s: %s", name, now.Load()) }, func() error {
		steps := from.Pull(ctx, args[0])
		if a.flags.JSON {
			steps = chains.Tenths(steps)
		}
		for step, err := range steps {
			if err != nil {
				return err
			}
			now.Store(oneLine(step.String()))
			if a.flags.JSON {
				a.print(theme.JSONLine(pullJSON{"pull", args[0], step.Doing, step.Done, step.Total}))
			}
		}
		return nil
	})
	return a.report(keptJSON{"type": "pulled", "model": args[0]}, name+" is pulled", err)
}

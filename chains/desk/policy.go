package desk

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
)

// policy shows or sets how changes that the model proposes in this chat are treated.
func policy(_ context.Context, c *Place, arg string) (Result, error) {
	p := c.session.Policy()
	switch strings.ToLower(arg) {
	case "":
	case string(chains.ModeAsk):
		p.Set(false)
	case string(chains.ModeReadOnly):
		p.Set(true)
	default:
		return Result{}, fmt.Errorf("/policy takes ask or readonly; alone, it says what holds")
	}
	switch mode := p.Mode(); mode {
	case chains.ModeReadOnly:
		return Result{Text: "readonly: changes that the model proposes in this chat are refused (/policy ask)"}, nil
	case chains.ModeNote:
		return Result{Text: "note: you are asked about changes, but for those of " + strings.Join(p.Notes(), ", ") +
			" (/policy ask takes that back)"}, nil
	default:
		return Result{Text: "ask: you are asked about each change that the model proposes; every chat begins like this"}, nil
	}
}

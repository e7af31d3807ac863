package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"ibid/chains"
)

// Suggest adds the names of list that are most like model to an error that says
// that there is no such model; other errors stay as they are.
func (c *Client) Suggest(e *chains.ProviderError, model string, list []chains.ModelInfo) {
	if near := nearest(model, list); e.Code == NoSuchModel && len(near) > 0 {
		said := ""
		if e.Err != nil {
			said = detail(e.Err.Error())
		}
		e.Message = c.noModelLine(model, near) + said
	}
}

// noModelLine says that there is no such model, and which one may be meant.
func (c *Client) noModelLine(model string, near []string) string {
	what := fmt.Sprintf("Model %q not found at %s.", c.redact.line(model), c.name)
	if len(near) == 0 {
		return what + " Choose another one with /model or --model; `ibid models` lists them."
	}
	for i := range near {
		near[i] = fmt.Sprintf("%q", c.redact.line(near[i]))
	}
	return what + " Did you mean " + strings.Join(near, " or ") + "? Choose with /model or --model."
}

// nearest is the chat models whose names are most like model, the nearest first,
// three at most; the model itself is none of them.
func nearest(model string, list []chains.ModelInfo) []string {
	const longest = 100 // bytes of what may be a name
	if len(model) > longest {
		return nil
	}
	type scored struct {
		name  string
		score int
	}
	want := strings.ToLower(model)
	var found []scored
	for _, m := range list {
		have := strings.ToLower(m.ID)
		d := levenshtein.ComputeDistance(want, have)
		switch {
		case !m.Chat, m.ID == model:
		case d <= 1+len(want)/4:
			found = append(found, scored{m.ID, 1000 - d})
		case len(want) >= 3 && strings.Contains(have, want), len(have) >= 3 && strings.Contains(want, have):
			found = append(found, scored{m.ID, 500 - len(have)})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	var names []string
	for _, f := range found[:min(len(found), 3)] {
		names = append(names, f.name)
	}
	return names
}

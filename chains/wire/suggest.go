package wire

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"ibid/chains"
)

// NoSuchModel in ProviderError.Code says that the model does not exist.
const NoSuchModel = "model_not_found"

// anyModel is the advice where no model is like the one that was asked for.
const anyModel = "Choose another one with /model or --model; `ibid models` lists them."

// Suggest adds the names of list that are most like model to an error that says
// that there is no such model; other errors stay as they are.
func (c *Client) Suggest(e *chains.ProviderError, model string, list []chains.ModelInfo) {
	if near := nearest(model, list); e.Code == NoSuchModel && len(near) > 0 {
		names := c.redact.line(strings.Join(near, `" or "`))
		e.Message = strings.Replace(e.Message, anyModel, `Did you mean "`+names+`"? Choose with /model or --model.`, 1)
	}
}

// nearest is the chat models whose names are most like model, the nearest first,
// three at most; the model itself is none of them.
func nearest(model string, list []chains.ModelInfo) (names []string) {
	const longest = 100 // bytes of what may be a name
	if len(model) > longest {
		return nil
	}
	want := strings.ToLower(model)
	score := map[string]int{}
	for _, m := range list {
		have := strings.ToLower(m.ID)
		d := levenshtein.ComputeDistance(want, have)
		switch {
		case !m.Chat, m.ID == model:
			continue
		case d <= 1+len(want)/4:
			score[m.ID] = 1000 - d
		case len(want) >= 3 && strings.Contains(have, want), len(have) >= 3 && strings.Contains(want, have):
			score[m.ID] = 500 - len(have)
		default:
			continue
		}
		names = append(names, m.ID)
	}
	slices.SortStableFunc(names, func(a, b string) int { return score[b] - score[a] })
	return names[:min(len(names), 3)]
}

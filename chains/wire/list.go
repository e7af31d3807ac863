package wire

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"ibid/chains"
)

// NoSuchModel as ProviderError.Code says that the model does not exist.
const NoSuchModel = "model_not_found"

const (
	listTime    = 15 * time.Second
	suggestTime = 5 * time.Second // for a list that is requested because of an error
)

// anyModel is the advice if no model has a similar name.
const anyModel = "Choose another one with /model or --model; `ibid models` lists them."

// lister requests the list of models of a server. The error is a *chains.ProviderError, or that of ctx.
type lister func(ctx context.Context) ([]chains.ModelInfo, error)

// Models requests the list of models: chat models first, else in the server's order. It waits 15 s at most. The
// error is a *chains.ProviderError, or ctx.Err().
func (c *Client) Models(ctx context.Context) ([]chains.ModelInfo, error) {
	limited, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	list, err := c.Ask(limited)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	slices.SortStableFunc(list, chains.ChatFirst)
	c.list.Store(&list)
	if c.opts.Lists.Keep != nil && len(list) > 0 {
		c.opts.Lists.Keep(list)
	}
	return slices.Clone(list), nil
}

// Known returns what the server said about model in its last list, in this run or an earlier one. ok is false if
// there is no list or the model is not in it. The model "" is the chosen one.
func (c *Client) Known(model string) (info chains.ModelInfo, ok bool) {
	if model == "" {
		return chains.ModelInfo{ID: c.Chosen, Chat: true}, c.Chosen != ""
	}
	list := *c.list.Load()
	if list == nil && c.opts.Lists.Last != nil {
		list = c.opts.Lists.Last()
	}
	for _, m := range list {
		if m.ID == model {
			return m, true
		}
	}
	return info, false
}

// Suggest adds the most similar names to an error that says that the model does not exist. It requests the list if
// there is none, for 5 s at most; without a list it adds nothing.
func (c *Client) Suggest(ctx context.Context, e *chains.ProviderError, model string) {
	if e.Code != NoSuchModel || !strings.Contains(e.Message, anyModel) {
		return
	}
	list := *c.list.Load()
	if list == nil {
		short, cancel := context.WithTimeout(ctx, suggestTime)
		defer cancel()
		list, _ = c.Models(short)
	}
	if near := nearestModels(model, list); len(near) > 0 {
		names := c.Line(strings.Join(near, `" or "`))
		e.Message = strings.Replace(e.Message, anyModel, `Did you mean "`+names+`"? Choose with /model or --model.`, 1)
	}
}

// nearestModels returns the chat models with the names most similar to model, at most three, the nearest first,
// without model itself.
func nearestModels(model string, list []chains.ModelInfo) (names []string) {
	const longest = 100 // bytes of a plausible name
	if len(model) > longest {
		return nil
	}
	distance := map[string]int{}
	for _, m := range list {
		d := levenshtein.ComputeDistance(strings.ToLower(model), strings.ToLower(m.ID))
		if m.Chat && m.ID != model && d <= 1+len(model)/4 {
			distance[m.ID] = d
			names = append(names, m.ID)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return distance[a] - distance[b] })
	return names[:min(len(names), 3)]
}

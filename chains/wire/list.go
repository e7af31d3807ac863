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

// NoSuchModel in ProviderError.Code says that the model does not exist.
const NoSuchModel = "model_not_found"

const (
	listTime    = 15 * time.Second
	suggestTime = 5 * time.Second // for a list that an error asks for
)

// anyModel is the advice where no model is like the one that was asked for.
const anyModel = "Choose another one with /model or --model; `ibid models` lists them."

// lister asks a server for its models. The error is a *chains.ProviderError, or that of ctx.
type lister func(ctx context.Context) ([]chains.ModelInfo, error)

// Models asks the server for its models: chat models first, else in its order. It waits
// 15 s at most; the error is a *chains.ProviderError, or ctx.Err().
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

// NoList is the error for an answer that is no list of models.
func (c *Client) NoList() *chains.ProviderError {
	return c.NewError(chains.ErrBadReply,
		"{name} answers with something that is no list of models. Check base_url, which usually ends in /v1.")
}

// Known is what the server said about model when it was last asked for a list, in this run
// or in one before; ok is false if it was not, or did not list it. The model "" is the
// chosen one.
func (c *Client) Known(model string) (info chains.ModelInfo, ok bool) {
	if model == "" {
		return chains.ModelInfo{ID: c.Chosen, Chat: true}, c.Chosen != ""
	}
	list := c.listed()
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

// listed is the list that the server gave last.
func (c *Client) listed() []chains.ModelInfo {
	if list := c.list.Load(); list != nil {
		return *list
	}
	return nil
}

// Suggest adds the names that are most like model to an error that says that there is
// no such model. The list is asked for if it was not yet, for 5 s at most; of one that
// cannot be had nothing is added.
func (c *Client) Suggest(ctx context.Context, e *chains.ProviderError, model string) {
	if e.Code != NoSuchModel || !strings.Contains(e.Message, anyModel) {
		return
	}
	list := c.listed()
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

// nearestModels is the chat models whose names are most like model, the nearest first,
// three at most; the model itself is none of them.
func nearestModels(model string, list []chains.ModelInfo) (names []string) {
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

package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ibid/vault"
	"ibid/vault/md"
)

// Spending is the cost of a chat in a month with a model.
type Spending struct {
	Path  vault.Path `json:"path"`
	Title string     `json:"title"`
	Epoch int64      `json:"epoch"`
	Total
}

// Spent returns the costs of the chats in the folder: one row per chat, month and model, newest month first. Copies
// do not count.
func (s *Store) Spent(ctx context.Context) ([]Spending, error) {
	sums, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	found := make([][]Total, len(sums))
	if err := parallel(ctx, len(sums), func(i int) { found[i] = s.totalsIn(&sums[i]) }); err != nil {
		return nil, fmt.Errorf("add up the chats in %s: %w", s.folder, err)
	}
	var all []Spending
	counted := map[int64]bool{}
	for i, totals := range found {
		sum := &sums[i]
		if len(totals) == 0 || counted[sum.Epoch] {
			continue
		}
		counted[sum.Epoch] = true
		for _, t := range totals {
			all = append(all, Spending{Path: sum.Path, Title: sum.Title, Epoch: sum.Epoch, Total: t})
		}
	}
	slices.SortStableFunc(all, func(a, b Spending) int {
		return cmp.Or(cmp.Compare(b.Month, a.Month), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Provider, b.Provider))
	})
	return all, nil
}

// totalsIn returns the costs of one chat, nil if its file has none or is a copy.
func (s *chatDir) totalsIn(sum *Summary) []Total {
	data, err := s.read(sum.Path)
	if sum.Copy != "" || err != nil || !bytes.Contains(data, []byte(md.HiddenOpen)) {
		return nil
	}
	c, _, _ := decode(data, s.opts.Zone) // the only error is that it is no chat
	return c.Totals
}

// fields returns the total in the form of the hidden block; those of old chats end with the usage.
func (t *Total) fields() []any {
	return slices.Concat([]any{&t.Month, &t.Model, &t.Turns}, t.Usage.fields(),
		[]any{&t.Provider, &t.Requests, &t.Predicted})
}

func (u *Usage) fields() []any {
	return []any{&u.Prompt, &u.Cached, &u.CacheWrite, &u.Completion, &u.Reasoning, &u.Cost}
}

// readTotals reads the costs of the chat from the block.
func (blk *block) readTotals(c *Chat) {
	for _, raw := range blk.Totals {
		var t Total
		fields := t.fields()
		if json.Unmarshal(raw, &fields) == nil {
			c.Totals = append(c.Totals, t)
		}
	}
}

// ByModel returns the sums for each provider and model, in the order of their first occurrence.
func ByModel(all []Total) (models []Total) {
	for _, t := range all {
		t.Month = ""
		models = addTotal(models, t)
	}
	return models
}

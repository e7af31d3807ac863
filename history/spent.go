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

// Spent returns the costs of the chats in the folder since a month such as 2025-03, or all if since is "": one
// row per chat, month and model, newest month first. A chat and its copies count once.
func (s *Store) Spent(ctx context.Context, since string) ([]Spending, error) {
	files, err := s.filesIn(s.folder, ctx.Err)
	found := make([][]Spending, len(files))
	if err == nil {
		slices.SortFunc(files, func(a, b chatFile) int { return cmp.Compare(a.path, b.path) })
		err = parallel(ctx, len(files), func(i int) { found[i] = s.spentIn(files[i].path) })
	}
	if err != nil {
		return nil, fmt.Errorf("add up the chats in %s: %w", s.folder, err)
	}
	type key struct {
		epoch                  int64
		month, provider, model string
	}
	at := map[key]int{}
	var all []Spending
	for _, one := range slices.Concat(found...) {
		k := key{one.Epoch, one.Month, one.Provider, one.Model}
		i, copied := at[k]
		switch {
		case one.Month < since:
			continue
		case !copied:
			at[k] = len(all)
			all = append(all, one)
			continue
		case one.Turns > all[i].Turns:
			all[i].Total = one.Total
		}
		if _, ok := syncedFrom(all[i].Path, []vault.Path{one.Path}); ok {
			all[i].Path, all[i].Title = one.Path, one.Title
		}
	}
	slices.SortStableFunc(all, func(a, b Spending) int {
		return cmp.Or(cmp.Compare(b.Month, a.Month), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Provider, b.Provider))
	})
	return all, nil
}

// spentIn returns the costs of one chat, nil if the file has none.
func (s *chatDir) spentIn(p vault.Path) (all []Spending) {
	data, err := s.read(p)
	if err != nil || !bytes.Contains(data, []byte(md.HiddenOpen)) {
		return nil
	}
	c, _, err := decode(data, s.opts.Zone)
	if err != nil {
		return nil
	}
	c.Path = p
	for _, t := range c.Totals {
		all = append(all, Spending{Path: p, Epoch: c.Epoch, Title: c.Name(), Total: t})
	}
	return all
}

// row returns the total in the form of the hidden block.
func (t *Total) row() json.RawMessage {
	row := t.fields()
	if t.Provider == "" && t.Requests == 0 && t.Predicted == 0 { // totals of old chats keep their old form
		row = row[:oldFields]
	}
	return marshal(row)
}

// oldFields is the number of fields that a total had in its first form.
const oldFields = 9

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

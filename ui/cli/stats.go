package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// mostDear limits the chats in the statistics to the most expensive ones.
const mostDear = 10

// printSpent prints the costs of chats.
func printSpent(ctx context.Context, p *parts, _ []string) error {
	all, err := p.store.Spent(ctx)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		for _, s := range all {
			p.print(theme.JSONLine(spentJSON{s, share(s.Usage)}))
		}
		return nil
	}
	if len(all) == 0 {
		p.remark("no chat says what it has cost: no provider has reported that")
		return nil
	}
	p.printStats(all)
	return nil
}

// spentJSON is the JSON row of a chat, a month and a model.
type spentJSON struct {
	history.Spending
	CachedShare float64 `json:"cached_share"` // of the prompt
}

// printStats prints the totals of months, models, the most expensive chats, and of all.
func (a *app) printStats(all []history.Spending) {
	rows := [][]string{{"turns", "in", "cached", "out", "cost", ""}}
	for _, totals := range [][]history.Total{
		history.SumBy(all, func(s history.Spending) string { return s.Month }),
		history.SumBy(all, func(s history.Spending) string { return strings.TrimPrefix(s.Provider+"/"+s.Model, "/") }),
		history.MostExpensive(history.SumBy(all, func(s history.Spending) string {
			return s.Title + " (" + string(s.Path) + ")"
		}), mostDear),
		history.SumBy(all, func(history.Spending) string { return "all" }),
	} {
		for _, t := range totals {
			u := t.Usage
			cached := "–" // 0 may also mean that the provider does not report it
			if u.Cached > 0 {
				cached = fmt.Sprintf("%.0f %%", 100*share(u))
			}
			rows = append(rows, []string{
				fmt.Sprint(t.Turns), theme.ShortCount(u.Prompt), cached, theme.ShortCount(u.Completion),
				cmp.Or(chains.Dollars(u.Cost), "–"), " " + oneLine(t.Model),
			})
		}
		rows = append(rows, make([]string, 6))
	}
	a.print(strings.Join(md.Columns(rows[:len(rows)-1], true), "\n") + "\n")
}

// share returns the part of the prompts that came from a cache, between 0 and 1.
func share(u history.Usage) float64 {
	if u.Prompt <= 0 {
		return 0
	}
	return min(float64(u.Cached)/float64(u.Prompt), 1)
}

package desk

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"ibid/chains"
	"ibid/history"
)

// stats says what the chat has cost.
func stats(_ context.Context, c *Chat, _ string) (Result, error) {
	now, o := c.session.Snapshot(), c.session.Options()
	price := ""
	if p := o.Price(); p.Known {
		price = now.Model + " costs " + p.PerMillion()
	}
	if len(now.Totals) == 0 {
		return Result{Text: strings.TrimPrefix(price+"\n", "\n") + "no provider has reported yet what this chat has cost"}, nil
	}
	return Result{Text: strings.TrimSuffix(spent(now.Totals)+price, "\n")}, nil
}

// spent is a table of what was reported by month and model, with a sum below several.
func spent(all []history.Total) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	put := func(t history.Total, name string) {
		u := t.Usage
		cached := "–"
		if u.Cached > 0 && u.Prompt > 0 {
			cached = fmt.Sprintf("%d %%", min(100*u.Cached/u.Prompt, 100))
		}
		_, _ = fmt.Fprintf(w, "%d\t%d\t%s\t%d\t%s\t  %s\n", t.Turns, u.Prompt, cached, u.Completion, cmp.Or(chains.Dollars(u.Cost), "–"), name) // to memory
	}
	_, _ = fmt.Fprint(w, "turns\tin\tcached\tout\tcost\t\n")
	var sum history.Total
	for _, t := range all {
		put(t, t.Month+" "+t.Model)
		sum = sum.Plus(t)
	}
	if len(all) > 1 {
		put(sum, "all")
	}
	_ = w.Flush()
	return b.String()
}

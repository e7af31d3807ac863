package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/vault/md"
)

// stats shows what the chat, and all chats since the program began, have cost.
func stats(_ context.Context, c *Place, _ string) (Result, error) {
	now, o := c.session.Snapshot(), c.session.Options()
	var b strings.Builder
	session, chat, heading := history.ByModel(o.Process.Spent()), history.ByModel(now.Totals), "this session"
	same := slices.Equal(session, chat) // nothing was asked in another chat, nor in this one before
	if same {
		heading += ", all of it in this chat"
	}
	if len(session) > 0 {
		b.WriteString(formatSpending(heading, session))
	}
	switch {
	case len(chat) == 0:
		b.WriteString("no provider has reported yet what this chat has cost\n")
	case !same:
		b.WriteString(formatSpending("this chat", chat))
	}
	if p := o.Price(); p.Known {
		b.WriteString(now.Model + " costs " + p.PerMillion())
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

// formatSpending formats the reported numbers of each model as a table under a heading, with a sum if there are
// several. Names stand above their rows.
func formatSpending(heading string, all []history.Total) string {
	names := []string{heading}
	rows := [][]string{{"requests", "prompt", "cached", "predicted", "written", "reply", "thinking", "cost", ""}}
	var sum history.Total
	for _, t := range all {
		names = append(names, strings.TrimPrefix(t.Provider+"/"+t.Model, "/"))
		rows = append(rows, totalRow(t))
		sum = sum.Plus(t)
	}
	if len(all) > 1 {
		names, rows = append(names, "all"), append(rows, totalRow(sum))
	}
	out := ""
	for i, line := range md.Columns(rows, true) {
		out += names[i] + "\n" + line + "\n"
	}
	return out + "\n"
}

// totalRow returns a total as a row of the table, with a dash for a number that was not reported. Chats of earlier
// versions counted turns only, and no requests.
func totalRow(t history.Total) []string {
	u := t.Usage
	count := func(n int) string {
		if n == 0 {
			return "–"
		}
		return md.Thousands(n)
	}
	share := func(n int) string {
		if n == 0 || u.Prompt <= 0 {
			return "–"
		}
		return fmt.Sprintf("%d %%", min(100*n/u.Prompt, 100))
	}
	return []string{
		count(max(t.Requests, t.Turns)), count(u.Prompt), share(u.Cached), share(t.Predicted), count(u.CacheWrite),
		count(u.Completion), count(u.Reasoning), cmp.Or(chains.Dollars(u.Cost), "–"), "",
	}
}

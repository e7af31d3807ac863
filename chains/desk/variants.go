package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/vault/md"
)

// editLast takes the last turn back; with a text it sends that in its place.
func editLast(ctx context.Context, c *Place, arg string) (Result, error) {
	u, err := c.session.TakeBack(ctx)
	if err != nil {
		return Result{}, err
	}
	r := c.undoneResult(u)
	if arg == "" {
		return r, nil
	}
	r.Prompt = arg
	in := c.Input(arg)
	in.Typed = false // which parts were pasted is not known here
	r.Turn = c.Counted(ctx, c.session.Send(ctx, in))
	return r, nil
}

// variants lists the variants of all turns, or shows another one of the last turn.
func variants(_ context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		return c.listVariants()
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		return Result{}, fmt.Errorf("/variants takes the number of a variant: not %q", arg)
	}
	return c.ShowVariant(n)
}

// ShowVariant shows the n-th variant of the last turn, counted from 1. Nothing is sent.
func (c *Place) ShowVariant(n int) (Result, error) {
	err := c.session.ShowVariant(n)
	return Result{Text: fmt.Sprintf("variant %d is shown; nothing is sent (/undo takes it back)", n), Opened: true}, err
}

// ComparedReplies returns the variants of the last turn. It fails if there is only one.
func (c *Chat) ComparedReplies() (all []chains.ComparedReply, err error) {
	chat, err := c.session.Chat()
	if err != nil {
		return nil, err
	}
	if at := chat.LastTurn(); at >= 0 {
		ends, shown := chat.Ends(at)
		for k, end := range ends {
			text, _ := end.Reply()
			title := fmt.Sprintf("%d · %s", k+1, cmp.Or(end.Model, "unknown model"))
			if u := end.Usage; u != nil && u.Cost >= 0 {
				title += " · " + chains.Dollars(u.Cost)
			}
			all = append(all, chains.ComparedReply{N: k + 1, Title: title, Shown: k == shown, Text: text})
		}
	}
	if len(all) < 2 {
		err = errors.New("the last turn has one reply: /compare MODEL asks another model the same")
	}
	return all, err
}

// compare asks another model the last question, or shows the existing replies.
func compare(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		all, err := c.ComparedReplies()
		var b strings.Builder
		for _, r := range all {
			fmt.Fprintf(&b, "**%s**\n\n%s\n\n", r.Title, r.Text)
		}
		return Result{Text: b.String() + "/variants N goes on from another one", Table: true}, err
	}
	other, err := c.ModelOf(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	turn, _ := c.Retry(ctx, other)
	return Result{Turn: func(yield func(chains.Event, error) bool) {
		for e, err := range turn {
			if !yield(e, err) {
				return
			}
		}
		all, err := c.ComparedReplies()
		if err != nil {
			return // the other model did not answer
		}
		var titles []string
		for _, r := range all {
			titles = append(titles, r.Title)
		}
		yield(chains.Notice{Kind: "compared", Text: strings.Join(titles, "; ") +
			": /variants N goes on from another one"}, nil)
	}}, nil
}

// listVariants lists the variants of all turns that have several, and the turns that were taken back.
func (c *Chat) listVariants() (Result, error) {
	chat, err := c.session.Chat()
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for turn, at := range chat.Questions() {
		if ends, shown := chat.Ends(at); len(ends) > 1 {
			fmt.Fprintf(&b, "turn %d: %s\n", turn, briefLine(chat.Messages[at].Text))
			for k := range ends {
				fmt.Fprintf(&b, "%s %d  %s\n", markOf(k == shown), k+1, describe(&ends[k]))
			}
		}
	}
	for _, ends := range chat.Undone {
		for k := range ends {
			fmt.Fprintf(&b, "taken back: %s\n", briefLine(ends[k].Messages[0].Text))
		}
	}
	if b.Len() == 0 {
		return Result{Text: "every turn has one reply so far; /retry and /edit add to them"}, nil
	}
	return Result{Text: b.String() + "/variants N shows another one of the last turn and sends nothing"}, nil
}

// describe describes a variant in one line.
func describe(v *history.Variant) string {
	text, _ := v.Reply()
	return strings.TrimSpace(v.Model + "  " + cmp.Or(briefLine(text), "(no text)"))
}

// briefLine returns the beginning of a text, on one line.
func briefLine(text string) string { return md.Clip(md.OneLine(text), 70) }

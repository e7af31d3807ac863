package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
)

func model(ctx context.Context, c *Chat, arg string) (Result, error) {
	if arg == "" {
		if c.desk.opts.Models == nil {
			return Result{Text: "the offline model answers; `ibid doctor` says how to connect one"}, nil
		}
		names, err := c.desk.opts.Models(ctx)
		return Result{Text: strings.Join(names, "\n")}, err
	}
	if c.desk.opts.Model == nil {
		return Result{}, fmt.Errorf("no server is connected, so there is no model to choose; `ibid doctor` says how to connect one")
	}
	o, err := c.desk.opts.Model(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	r, err := c.lasting(ctx, chains.Change{Model: &o}, "model: "+arg)
	if err == nil {
		c.desk.opts.Session = c.session.Options()
	}
	return r, err
}

func chain(ctx context.Context, c *Chat, arg string) (Result, error) {
	all, now := chains.Chains(), c.session.Snapshot().Chain
	at := slices.IndexFunc(all, func(o chains.Choice) bool { return o.Name() == now })
	switch {
	case arg == "":
		var b strings.Builder
		for i, o := range all {
			mark := " "
			if i == at {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s %-6s %s\n", mark, o.Name(), o.Sends)
		}
		return Result{Text: b.String() + "/chain NAME takes another for this chat; @vault in a message searches for that one alone"}, nil
	case strings.EqualFold(arg, "next"):
		at = (at + 1) % len(all)
	default:
		at = slices.IndexFunc(all, func(o chains.Choice) bool { return strings.EqualFold(o.Name(), arg) })
	}
	if at < 0 {
		return Result{}, fmt.Errorf("%q is not a chain; /chain lists them", arg)
	}
	r, err := c.change(ctx, chains.Change{Chain: all[at].Chain}, "chain "+all[at].Name()+": "+all[at].Sends)
	if err == nil {
		c.desk.opts.Session.Chain = all[at].Chain
	}
	return r, err
}

// SetChain has the chat answered by another chain from now on.
func (c *Chat) SetChain(chain chains.Chain) error {
	if c.session.Snapshot().Chain == chain.Name() {
		return nil
	}
	_, err := c.session.Apply(chains.Change{Chain: chain})
	return err
}

// chainOf is the chain that a saved chat goes on with, the given one if the file
// names none, and what there is to say about it.
func chainOf(saved string, now chains.Chain) (chains.Chain, []chains.Notice) {
	say := func(text string) []chains.Notice { return []chains.Notice{{Kind: "chain", Text: text}} }
	known, name := chains.ChainNamed(saved), chains.Chat{}.Name()
	if now != nil {
		name = now.Name()
	}
	switch {
	case known != nil:
		return known, nil
	case saved != "":
		return now, say(fmt.Sprintf("this chat was answered by the chain %s, which is not here: it goes on with %s", saved, name))
	case name == (chains.Chat{}).Name():
		return now, nil
	}
	return now, say(fmt.Sprintf("this chat goes on with the chain %s, which looks for passages of the vault; /chain chat does without", name))
}

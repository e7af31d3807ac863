package desk

import (
	"context"
	"fmt"
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

func chain(_ context.Context, _ *Chat, arg string) (Result, error) {
	if strings.EqualFold(arg, "chat") {
		return Result{Text: "chain: chat"}, nil
	}
	return Result{}, fmt.Errorf("%q is not a chain: there is one so far, chat", arg)
}

package desk

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
)

func model(ctx context.Context, d *Desk, arg string) (Result, error) {
	if arg == "" {
		if d.opts.Models == nil {
			return Result{Text: "the offline model answers; `ibid doctor` says how to connect one"}, nil
		}
		names, err := d.opts.Models(ctx)
		return Result{Text: strings.Join(names, "\n")}, err
	}
	if d.opts.Model == nil {
		return Result{}, fmt.Errorf("no server is connected, so there is no model to choose; `ibid doctor` says how to connect one")
	}
	o, err := d.opts.Model(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	r, err := d.change(ctx, chains.Change{Model: &o}, "model: "+arg)
	if err == nil {
		d.opts.Session = d.session.Options()
	}
	return r, err
}

func chain(_ context.Context, _ *Desk, arg string) (Result, error) {
	if arg == "chat" {
		return Result{Text: "chain: chat"}, nil
	}
	return Result{}, fmt.Errorf("%q is not a chain: there is one so far, chat", arg)
}

package desk

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"ibid/context/prompt"
	"ibid/vault/md"
)

func showContext(ctx context.Context, c *Place, arg string) (Result, error) {
	env, missing, err := c.session.Preview(ctx, c.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Report: &env, Missing: missing, Text: Describe(env, missing, c.Pages())}, nil
}

func dump(ctx context.Context, c *Place, arg string) (Result, error) {
	env, _, err := c.session.Preview(ctx, c.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requests(_ context.Context, c *Place, arg string) (Result, error) {
	sent, err := c.session.Requests()
	if err != nil {
		return Result{}, err
	}
	if arg == "" {
		var b strings.Builder
		for i, env := range sent {
			fmt.Fprintf(&b, "%3d  turn %d  about %s tokens, %s cached  %s\n", i+1, env.Turn,
				md.Thousands(env.Predicted.Prompt), md.Thousands(env.Predicted.Cached), env.Epoch.Words())
		}
		if b.Len() == 0 {
			return Result{Text: "nothing was sent yet"}, nil
		}
		return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
	}
	env, err := requestAt(sent, arg)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requestAt(sent []prompt.Envelope, arg string) (prompt.Envelope, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(sent) {
		return prompt.Envelope{}, fmt.Errorf("%q is not a request: there are %d so far", arg, len(sent))
	}
	return sent[n-1], nil
}

func diff(_ context.Context, c *Place, arg string) (Result, error) {
	sent, err := c.session.Requests()
	if err != nil {
		return Result{}, err
	}
	words := strings.Fields(arg)
	if len(words) == 0 && len(sent) > 1 {
		words = []string{strconv.Itoa(len(sent) - 1), strconv.Itoa(len(sent))}
	}
	if len(words) != 2 {
		return Result{}, fmt.Errorf("/diff takes the numbers of two requests; there are %d so far", len(sent))
	}
	a, errA := requestAt(sent, words[0])
	b, errB := requestAt(sent, words[1])
	if err := cmp.Or(errA, errB); err != nil {
		return Result{}, err
	}
	text := prompt.DiffRequests(a, b, "request "+words[0], "request "+words[1])
	if text == "" {
		text = "the same, byte for byte"
	}
	return Result{Text: text}, nil
}

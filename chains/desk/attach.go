package desk

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

// refs reads a reference for a command.
func (c *Chat) refs(ctx context.Context, arg string) ([]prompt.Ref, error) {
	refs, missing := c.desk.opts.Gather.Reference(ctx, arg)
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s", missing[0].Reason)
	}
	return refs, nil
}

func add(ctx context.Context, c *Chat, arg string) (Result, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	before := c.Input("")
	c.Attach(refs...)
	return Result{Text: "attached: " + ids(refs) + c.weight(ctx, before)}, nil
}

// weight says what the next turn carries more than it did with the input before:
// nothing has been sent yet, and /drop takes it off again. It is "" when the
// turn that runs does not let us ask.
func (c *Chat) weight(ctx context.Context, before chains.Input) string {
	was, _, err := c.session.Preview(ctx, before)
	if err != nil {
		return ""
	}
	now, _, err := c.session.Preview(ctx, c.Input(""))
	if err != nil {
		return ""
	}
	fresh := func(p prompt.Prediction) int { return p.Prompt - p.Cached }
	return fmt.Sprintf(" (about %d tokens more with the next turn)", max(0, fresh(now.Predicted)-fresh(was.Predicted)))
}

func drop(ctx context.Context, c *Chat, arg string) (Result, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	for _, r := range refs {
		if !c.Drop(r) {
			return Result{}, fmt.Errorf("%s is not attached", r.ID)
		}
	}
	return Result{Text: "dropped: " + ids(refs)}, nil
}

func ids(refs []prompt.Ref) string {
	names := make([]string, len(refs))
	for i, r := range refs {
		names[i] = r.ID
	}
	return strings.Join(names, ", ")
}

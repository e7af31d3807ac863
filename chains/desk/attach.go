package desk

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/md"
)

// refs returns the references that the argument of a command names. An error says why it names none.
func (c *Chat) refs(ctx context.Context, arg string) ([]prompt.Ref, error) {
	refs, missing := c.desk.opts.Gather.Reference(ctx, arg)
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s", missing[0].Reason)
	}
	return refs, nil
}

// Agree records that the person, who knows that the rules for excluded files cannot be read, wants these references
// to be sent.
func (d *Desk) Agree(chosen []prompt.MissingRef) {
	refs := make([]prompt.Ref, len(chosen))
	for i, m := range chosen {
		refs[i] = m.Ref
	}
	d.opts.Gather.Agree(refs)
}

// RulesWarning returns a line for the person about rules for excluded files that cannot be read, "" if they can.
func (d *Desk) RulesWarning() string { return d.opts.Vault.RulesWarning() }

// DescribeUnchecked tells the person why it has to be asked whether references are sent, with the rule that cannot be
// read.
func (d *Desk) DescribeUnchecked(chosen []prompt.MissingRef) string {
	names := make([]string, len(chosen))
	for i, m := range chosen {
		names[i] = m.Ref.ID
	}
	why := vault.ErrRules
	if err := d.opts.Vault.Withheld(); err != nil {
		why = err
	}
	return fmt.Sprintf("it is not known whether %s may be sent, since %v", strings.Join(names, ", "), why)
}

func add(ctx context.Context, c *Place, arg string) (Result, error) {
	if number, ok := strings.CutPrefix(strings.Trim(arg, "[]"), "^"); ok {
		source, err := c.footnoteSource(number)
		if err != nil {
			return Result{}, err
		}
		arg = `"/` + source.Target() + `"` // its path, which no other note has
	}
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	weights, _ := c.session.Weigh(ctx, c.Input(""), refs) // fails while a turn runs; the next one tells what is wrong
	for _, w := range weights {
		if missing := (prompt.MissingRef{Ref: w.Ref, State: w.Why}); missing.Unread() {
			return Result{}, fmt.Errorf("%s; it is not attached", w.Reason)
		}
	}
	c.Attach(refs...)
	return Result{Text: "attached: " + prompt.JoinIDs(refs) + describeWeights(weights)}, nil
}

// footnoteSource returns the source of a footnote by its number in the chat file.
func (c *Chat) footnoteSource(number string) (chains.Source, error) {
	chat, err := c.session.Chat()
	if err != nil {
		return chains.Source{}, err
	}
	n, _ := strconv.Atoi(number) // 0 for anything else, which no source has
	source, ok := chat.Source(n, len(chat.Messages))
	if !ok {
		return chains.Source{}, fmt.Errorf("^%s: no reply of this chat cites that", number)
	}
	return source, nil
}

// describeWeight returns a text that says how many tokens the references add to the next turn. Nothing is sent
// until then, and /drop removes them. It is "" if a running turn prevents the estimate.
func (c *Chat) describeWeight(ctx context.Context, refs ...prompt.Ref) string {
	all, _ := c.session.Weigh(ctx, c.Input(""), refs)
	return describeWeights(all)
}

func describeWeights(all []chains.Weight) string {
	tokens, later := 0, false
	for _, w := range all {
		tokens += w.Tokens
		later = later || w.State == "later"
	}
	switch {
	case len(all) == 0:
		return ""
	case later:
		return " (fetched when the turn is sent)"
	}
	return fmt.Sprintf(" (about %s tokens more with the next turn)", md.Thousands(tokens))
}

func drop(ctx context.Context, c *Place, arg string) (Result, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	for _, r := range refs {
		if !c.Drop(r) {
			return Result{}, fmt.Errorf("%s is not attached", r.ID)
		}
	}
	return Result{Text: "dropped: " + prompt.JoinIDs(refs)}, nil
}

// storeAttachments stores the attachments of a chat that is closed, until the chat is opened again.
func storeAttachments(c *Chat) {
	d, epoch := c.desk, c.Session().Snapshot().Epoch
	if all := c.Attached(); len(all) > 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.unsent[epoch] = all
	}
}

// restoreAttachments restores the attachments that a chat had when it was closed.
func restoreAttachments(c *Chat) {
	d, epoch := c.desk, c.Session().Snapshot().Epoch
	d.mu.Lock()
	again := d.unsent[epoch]
	delete(d.unsent, epoch)
	d.mu.Unlock()
	c.Attach(again...)
}

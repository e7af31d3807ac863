package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ibid/context/prompt"
)

// maxQueryRows limits the rows of an answer to /query.
const maxQueryRows = 200

// query runs a query as if it were in the open note.
func query(ctx context.Context, c *Place, arg string) (Result, error) {
	note, _ := c.ActiveNote()
	found, err := c.opts.Gather.Ask(ctx, arg, note.Path)
	if err != nil {
		return Result{}, err
	}
	text := strings.TrimSuffix(found.Markdown(maxQueryRows), "\n")
	if left := c.Desk.opts.Vault.LeftOut(""); found.Len() == 0 && left.ForPerson() != "" {
		text += "\n" + left.ForPerson()
	}
	return Result{Text: text, Table: strings.Contains(text, "\n") || strings.HasPrefix(text, "- ")}, nil
}

// Read returns the current item of a reference.
func Read(ctx context.Context, d *Place, ref prompt.Ref) (prompt.Item, error) {
	items, missing, err := d.opts.Gather.Gather(ctx, []prompt.Ref{ref})
	switch {
	case err != nil:
		return prompt.Item{}, err
	case len(items) == 0 && len(missing) > 0:
		return prompt.Item{}, errors.New(missing[0].Reason)
	case len(items) == 0:
		return prompt.Item{}, fmt.Errorf("%s: there is no such thing", ref.ID)
	}
	return items[0], nil
}

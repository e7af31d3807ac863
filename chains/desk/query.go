package desk

import (
	"context"
	"strings"
)

// query answers a query as if it stood in the note that is open.
func query(ctx context.Context, c *Chat, arg string) (Result, error) {
	note, _ := c.ActiveNote()
	text, err := c.desk.opts.Gather.Result(ctx, arg, note.Path)
	return Result{Text: strings.TrimSuffix(text, "\n")}, err
}

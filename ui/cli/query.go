package cli

import (
	"context"
	"strings"

	"ibid/context/gather"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault/query"
)

// queryRows are the rows of an answer that are shown by default.
const queryRows = 200

// answer prints the answer to a query, or to the base in a file. A view of a base that
// is not supported is said on the way; the status is 1 then.
func (p *parts) answer(ctx context.Context, f *noteFlags) error {
	from, err := p.from(f)
	if err != nil {
		return err
	}
	tables, err := gather.AskText(ctx, p.gather, f.Query, from)
	if err != nil {
		return err
	}
	status := plain.ExitDone
	for _, t := range tables {
		out := tableJSON{Name: t.Name, Result: t.Result}
		if t.Err != nil {
			out.Error, status = t.Err.Error(), plain.ExitFailed
		}
		if p.flags.JSON {
			p.print(theme.JSONLine(out))
		}
	}
	if !p.flags.JSON {
		rows := queryRows
		if f.limitGiven {
			rows = f.Limit
		}
		for line := range strings.Lines(query.Markdown(tables, rows)) {
			p.print(theme.OneLine(strings.TrimRight(line, "\n")) + "\n")
		}
	}
	return statusError(status)
}

// tableJSON is the answer to a query, or to one view of a base.
type tableJSON struct {
	Name   string        `json:"name,omitempty"`
	Result *query.Result `json:"result"`
	Error  string        `json:"error,omitempty"`
}

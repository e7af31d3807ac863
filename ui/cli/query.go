package cli

import (
	"context"
	"strings"

	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/query"
)

// queryRows are the rows of an answer that are shown by default.
const queryRows = 200

// answer prints the answer to a query, or to the base in a file. A view of a base that
// is not supported is said on the way; the status is 1 then.
func (a notes) answer(ctx context.Context, p *parts, f *noteFlags) error {
	b, from, err := a.block(p, f)
	if err != nil {
		return err
	}
	tables, err := p.gather.Ask(ctx, b, from)
	if err != nil {
		return err
	}
	failed := false
	for _, t := range tables {
		failed = failed || t.Err != nil
	}
	switch {
	case a.flags.JSON:
		for _, t := range tables {
			out := tableJSON{Name: t.Name, Result: t.Result}
			if t.Err != nil {
				out.Error = t.Err.Error()
			}
			a.print(theme.JSONLine(out))
		}
	default:
		rows := queryRows
		if f.limitGiven {
			rows = f.Limit
		}
		for line := range strings.Lines(query.Markdown(tables, rows)) {
			a.print(theme.OneLine(strings.TrimRight(line, "\n")) + "\n")
		}
	}
	if failed {
		return exit(plain.ExitFailed)
	}
	return nil
}

// tableJSON is the answer to a query, or to one view of a base.
type tableJSON struct {
	Name   string        `json:"name,omitempty"`
	Result *query.Result `json:"result"`
	Error  string        `json:"error,omitempty"`
}

// block is what is asked, and the note in which it is to stand.
func (a notes) block(p *parts, f *noteFlags) (query.Block, vault.Path, error) {
	var from vault.Path
	if f.From != "" {
		n, err := oneNote(p.vault, f.From)
		if err != nil {
			return query.Block{}, "", err
		}
		from = n.Path
	}
	if !strings.HasSuffix(strings.ToLower(f.Query), ".base") {
		return query.Block{Text: f.Query}, from, nil
	}
	file, err := vault.ParsePath(f.Query)
	if err != nil {
		return query.Block{}, "", err
	}
	t, err := p.vault.Read(file)
	if from == "" {
		from = file
	}
	return query.Block{Base: true, Text: t.Content}, from, err
}

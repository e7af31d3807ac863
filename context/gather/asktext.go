package gather

import (
	"cmp"
	"context"
	"strings"

	"ibid/vault"
	"ibid/vault/query"
)

// AskText is Ask for the text of a dataview query, or for the base in a file whose name ends in .base.
func AskText(ctx context.Context, g *Gatherer, text string, from vault.Path) ([]query.Table, error) {
	b := query.Block{Text: text}
	if strings.HasSuffix(strings.ToLower(text), ".base") {
		file, err := vault.ParsePath(text)
		if err != nil {
			return nil, err
		}
		t, err := g.vault.Read(file)
		if err != nil {
			return nil, err
		}
		b, from = query.Block{Base: true, Text: t.Content}, cmp.Or(from, file)
	}
	return g.Ask(ctx, b, from)
}

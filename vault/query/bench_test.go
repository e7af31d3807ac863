package query_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/query"
	"ibid/vault/vaulttest"
)

// vaulttestPatience limits the time of a query in the fuzz test.
const vaulttestPatience = 5 * time.Second

// block is a query and its note.
type block struct {
	query.Block
	from vault.Path
}

func (b block) run(e *query.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), vaulttestPatience)
	defer cancel()
	ask := query.Ask{Now: now(), Origin: b.from}
	_, err := e.Answer(ctx, b.Block, ask)
	return err
}

// blocksOf lists the queries of a vault, and its bases.
func blocksOf(t testing.TB, v *vault.Vault) []block {
	t.Helper()
	var all []block
	for _, n := range v.Notes() {
		text, err := v.Read(n.Path)
		if err != nil {
			continue
		}
		for _, b := range query.Blocks(text.Content) {
			all = append(all, block{b, n.Path})
		}
	}
	for _, f := range v.Files() {
		if strings.HasSuffix(string(f), ".base") {
			text, err := v.Read(f)
			check(t, err)
			all = append(all, block{query.Block{Base: true, Text: text.Content}, f})
		}
	}
	return all
}

func BenchmarkQuery(b *testing.B) {
	v := vaulttest.Open(b, vaulttest.Generate(b, 10_000), vault.Options{})
	e := query.New(v)
	for _, c := range []struct{ name, text string }{
		{"list", `LIST FROM #copper`},
		{"first", `TABLE length(rows) AS n, sum(rows.rank) WHERE rank > 10 GROUP BY created`},
		{"group", `TABLE length(rows) AS n, sum(rows.rank) WHERE rank > 10 GROUP BY created`},
		{"sort", `TABLE file.name, rank SORT file.name DESC LIMIT 50`},
		{"inlinks", `LIST FROM [[Note 7]]`},
		{"tasks", `TASK WHERE !completed`},
	} {
		b.Run(c.name, func(b *testing.B) {
			q, err := query.Parse(c.text)
			check(b, err)
			for b.Loop() {
				_, err := e.Run(context.Background(), q, query.Ask{Now: now()})
				check(b, err)
			}
		})
	}
}

package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// BenchmarkRetrieval measures localSearch in large vaults on disk: the 50th and the 95th
// percentile.
func BenchmarkRetrieval(b *testing.B) {
	for _, size := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			if size > 1000 && testing.Short() {
				b.SkipNow()
			}
			benchmarkRetrieval(b, size)
		})
	}
}

func benchmarkRetrieval(b *testing.B, size int) {
	search := largeVault(b, size)
	var all []time.Duration
	for _, kind := range []struct{ name, query string }{
		{"rare words", "what do I know of w%d and w1%[1]d"},
		{"common words", "where is the kettle by the harbour? %d"},
		{"title", "what does [[Note %d]] say of the lantern"},
		{"tag", "#quartz in part %d"},
		{"time", "what did I read about w%d in March 2024"},
		{"time alone", "what did I do on March %[2]d 2024"},
		{"slip", "the orchrad and the rivre near w%d"},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var took []time.Duration
			n := 0
			for b.Loop() {
				for range 20 {
					n++
					args, _ := json.Marshal(map[string]string{"query": fmt.Sprintf(kind.query, n*37%size, 1+n%28)})
					start := time.Now()
					value(search.Call(b.Context(), args))(b)
					took = append(took, time.Since(start))
				}
			}
			report(b, took)
			all = append(all, took...)
		})
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
		}
		report(b, all)
	})
}

// largeVault returns localSearch over a generated vault with an index.
func largeVault(b *testing.B, size int) chains.Tool {
	dir := vaulttest.Generate(b, size)
	v := vaulttest.Open(b, dir, vault.Options{})
	check(b, v.Scan(b.Context()))
	x, err := index.Open(b.Context(), index.Options{Dir: b.TempDir(), Vault: dir})
	check(b, err)
	b.Cleanup(func() {
		if err := x.Close(); err != nil {
			b.Error(err)
		}
	})
	check(b, x.Sync(b.Context(), v))
	tools := tool.New(tool.Options{
		Vault: v, Revision: gather.New(v, gather.Options{}).Revision,
		Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: v, Index: x} },
		Now:      func() time.Time { return time.Date(2025, 1, 15, 12, 0, 0, 0, time.Local) },
	})
	return tools[slices.IndexFunc(tools, func(t chains.Tool) bool { return t.Spec().Name == chains.SearchTool })]
}

func report(b *testing.B, took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
}

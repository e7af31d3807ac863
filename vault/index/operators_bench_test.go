package index_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// BenchmarkOperators searches 10,000 notes on disk, with an index and without, next
// to reading every file with as many goroutines: "×floor" is how many times as long
// a search takes.
func BenchmarkOperators(b *testing.B) {
	dir := b.TempDir()
	m := generated(10_000)
	old := time.Now().Add(-time.Hour)
	for _, n := range m.Notes() {
		text, err := m.Read(n.Path)
		if err != nil {
			b.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(string(n.Path)))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text.Content), 0o644); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			b.Fatal(err)
		}
	}
	v := vaulttest.Open(b, dir, vault.Options{})
	x := indexOf(b, v)
	floor := func() time.Duration {
		start := time.Now()
		readFiles(b, v)
		return time.Since(start)
	}
	floor()
	for _, text := range []string{"ba be", `"ba be"`, "ba -be", "/dukal.*ka/", "/z+z/", "line:(duka li)", "section:(duka li)", "block:(duka li)", "task:duka", "path:a duka", "on:yesterday"} {
		q, _, err := index.ParseQuery(text, time.Now())
		if err != nil {
			b.Fatal(err)
		}
		for name, s := range map[string]index.Searcher{"index": {Source: v, Index: x}, "scan": {Source: v}} {
			b.Run(name+"/"+text, func(b *testing.B) {
				var all, least time.Duration
				for b.Loop() {
					start := time.Now()
					if _, err := s.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
					all += time.Since(start)
					b.StopTimer()
					least += floor()
					b.StartTimer()
				}
				b.ReportMetric(float64(all)/float64(least), "×floor")
			})
		}
	}
}

// readFiles reads the file of every note.
func readFiles(b *testing.B, v *vault.Vault) {
	notes := v.Notes()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(notes); i = int(next.Add(1)) - 1 {
				if _, err := os.ReadFile(filepath.Join(v.Dir(), filepath.FromSlash(string(notes[i].Path)))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

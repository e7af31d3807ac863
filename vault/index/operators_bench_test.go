package index_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// BenchmarkOperators searches 10,000 notes on disk, with an index and without, next
// to reading the files that may fit: "×floor" is how much more processor time a
// search takes.
func BenchmarkOperators(b *testing.B) {
	v := written(b, generated(usualSize()))
	x := indexOf(b, v)
	for _, kind := range []struct{ query, words string }{ // words: those that the index finds notes by
		{"ba be", ""},
		{"whad ba dukz", ""}, // slips: no note has them
		{`"ba be"`, ""},
		{`"ba be" duka`, ""},
		{"ba -be", ""},
		{"/dukal.*ka/", ""},
		{"/z+z/", ""},
		{"/(dukz|zzz|lakv)ka/", ""},
		{"/[xyz]/", ""},
		{"line:(duka li)", "duka li"},
		{"section:(duka li)", "duka li"},
		{"block:(duka li)", "duka li"},
		{"task:duka", "duka"},
		{"path:a duka", ""},
		{"on:yesterday", ""},
	} {
		for name, s := range map[string]index.Searcher{"index": {Source: v, Index: x}, "scan": {Source: v}} {
			files := v.Notes()
			if name == "index" && kind.words != "" {
				files = thatHold(b, v, kind.words)
			}
			b.Run(name+"/"+kind.query, func(b *testing.B) {
				readFiles(b, v, files)
				var all, least time.Duration
				for b.Loop() {
					start := vaulttest.CPU()
					q, _, err := index.ParseQuery(kind.query, time.Now())
					if err != nil {
						b.Fatal(err)
					}
					if _, err := s.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
					all += vaulttest.CPU() - start
					b.StopTimer()
					start = vaulttest.CPU()
					readFiles(b, v, files)
					least += vaulttest.CPU() - start
					b.StartTimer()
				}
				b.ReportMetric(float64(all.Microseconds())/float64(b.N)/1000, "cpu-ms")
				b.ReportMetric(float64(least.Microseconds())/float64(b.N)/1000, "floor-ms")
				b.ReportMetric(float64(len(files)), "floor-files")
				b.ReportMetric(float64(all)/float64(least), "×floor")
			})
		}
	}
}

// written is the vault of some notes on disk.
func written(b *testing.B, m *memory) *vault.Vault {
	dir := b.TempDir()
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
	return vaulttest.Open(b, dir, vault.Options{})
}

// thatHold are the notes that hold all of some words, in their names or text.
func thatHold(b *testing.B, v *vault.Vault, words string) (list []*vault.Note) {
	for _, n := range v.Notes() {
		text, err := v.Read(n.Path)
		if err != nil {
			b.Fatal(err)
		}
		in := strings.FieldsFunc(strings.ToLower(n.Title+" "+text.Content), func(r rune) bool { return r < 'a' || r > 'z' })
		if !slices.ContainsFunc(strings.Fields(words), func(w string) bool {
			return !slices.ContainsFunc(in, func(has string) bool { return strings.HasPrefix(has, w) })
		}) {
			list = append(list, n)
		}
	}
	return list
}

// readFiles reads the files of notes, with as many goroutines as a search has.
func readFiles(b *testing.B, v *vault.Vault, notes []*vault.Note) {
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

package index_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
)

// generateCommonWords generates n notes, with words that are in every title and every tag.
func generateCommonWords(n int) *memory {
	m := generateNotes(n)
	all := newMemory(nil)
	for p, text := range m.texts {
		all.put(strings.TrimSuffix(string(p), ".md")+" journal entry.md", "tags: journal entry "+strings.TrimPrefix(text, "tags: "))
	}
	return all
}

// constantSource is a Source that never changes and takes as little time as possible.
type constantSource struct {
	list  []*vault.Note
	notes map[vault.Path]*vault.Note
	texts map[vault.Path]vault.Text
}

func newConstantSource(m *memory) *constantSource {
	s := &constantSource{list: m.Notes(), notes: m.notes, texts: map[vault.Path]vault.Text{}}
	for p := range m.notes {
		s.texts[p], _ = m.Read(p)
	}
	return s
}

func (s *constantSource) Notes() []*vault.Note { return s.list }

func (s *constantSource) Note(p vault.Path) (*vault.Note, bool) {
	n, ok := s.notes[p]
	return n, ok
}

func (s *constantSource) Read(p vault.Path) (vault.Text, error) { return s.texts[p], nil }

// BenchmarkLatency measures the time of several kinds of searches in large vaults: the 50th and
// the 95th percentile. The notes are in memory.
func BenchmarkLatency(b *testing.B) {
	for _, size := range []int{usualSize(), 10 * usualSize()} {
		if size > usualSize() && testing.Short() {
			continue
		}
		src := newConstantSource(generateCommonWords(size))
		x := synced(b, src)
		s := index.Searcher{Source: src, Index: x}
		notes := src.Notes()
		kinds := map[string]func(i int) index.Query{
			"in every title": func(int) index.Query { return index.Query{Text: "journal entry"} },
			"title":          func(i int) index.Query { return index.Query{Text: notes[i*37%size].Title} },
			"heading":        func(i int) index.Query { return index.Query{Text: notes[i*37%size].Headings[i%3].Text} },
			"common words":   func(int) index.Query { return index.Query{Text: "babe bube bibe"} },
			"question": func(i int) index.Query {
				return index.Query{Text: "what journal babe bube " + notes[i*37%size].Headings[0].Text}
			},
			"typo": func(i int) index.Query { return index.Query{Text: "x" + notes[i*37%size].Headings[0].Text} },
			"typing": func(i int) index.Query {
				return index.Query{Text: notes[i*37%size].Headings[0].Text[:3+i%3], Partial: true}
			},
			"tag": func(int) index.Query { return index.Query{Text: "#journal babe"} },
		}
		var all []time.Duration
		for name, query := range kinds {
			b.Run(fmt.Sprintf("%d/%s", size, name), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					for i := range 40 {
						start := time.Now()
						search(b, s, query(i))
						took = append(took, time.Since(start))
					}
				}
				all = append(all, took...)
				report(b, took)
			})
		}
		b.Run(fmt.Sprintf("%d/all", size), func(b *testing.B) {
			for b.Loop() {
			}
			report(b, all)
		})
	}
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

// usualSize returns the number of notes in a measured vault: 10,000, and a tenth of that with
// -short, which only checks that the benchmarks run.
func usualSize() int {
	if testing.Short() {
		return 1_000
	}
	return 10_000
}

// BenchmarkBuild compares building an index with building three plain FTS5 tables of the same
// notes at once: notes with stems, notes without, and sections with stems.
func BenchmarkBuild(b *testing.B) {
	src := newConstantSource(generateNotes(usualSize()))
	for b.Loop() {
		start := time.Now()
		plainTables(b, src)
		plain := time.Since(start)
		start = time.Now()
		synced(b, src)
		own := time.Since(start)
		b.ReportMetric(plain.Seconds(), "plain-s")
		b.ReportMetric(own.Seconds(), "ibid-s")
		b.ReportMetric(own.Seconds()/plain.Seconds(), "ratio")
	}
}

// plainTables builds the three tables, with sections that begin at lines with #.
func plainTables(b *testing.B, src index.Source) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(b.TempDir(), "plain.sqlite"))+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	check(b, err)
	defer db.Close()
	ctx := context.WithoutCancel(b.Context())
	for table, stemmer := range map[string]string{"notes": "porter ", "exact": "", "sections": "porter "} {
		if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE "+table+" USING fts5(title, heads, body, content='', tokenize='"+stemmer+"unicode61 remove_diacritics 2')"); err != nil {
			b.Fatal(err)
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	check(b, err)
	insert := func(table string, values ...any) {
		if _, err := tx.ExecContext(ctx, "INSERT INTO "+table+" (title, heads, body) VALUES (?, ?, ?)", values...); err != nil {
			b.Fatal(err)
		}
	}
	for _, n := range src.Notes() {
		text, err := src.Read(n.Path)
		check(b, err)
		heads := ""
		for _, h := range n.Headings {
			heads += h.Text + " "
		}
		insert("notes", n.Title, heads, text.Content)
		insert("exact", n.Title, heads, text.Content)
		for i, section := range strings.Split("\n"+text.Content, "\n#") {
			if heading, body, _ := strings.Cut(section, "\n"); i > 0 || body != "" {
				insert("sections", n.Title, heading, body)
			}
		}
	}
	check(b, tx.Commit())
}

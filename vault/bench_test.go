package vault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const benchNotes = 10_000

// makeNote writes the i-th note of a vault as people have them: properties,
// some headings, lists, code, tags and links; 2 KB on average.
func makeNote(i int) string {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	words := []string{
		"kettle", "harbour", "ledger", "quartz", "meadow", "signal", "copper", "lantern", "orchard", "river", "stone",
		"winter",
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		"---\ntitle: Note %d\ncreated: 2024-03-%02d\ntags:\n  - area/%s\n  - %s\naliases: [N%d, \"Number %d\"]\nrank: %d\n---\n",
		i, 1+i%28, words[r.IntN(12)], words[r.IntN(12)], i, i, r.IntN(100))
	for h := range 2 + r.IntN(4) {
		fmt.Fprintf(&b, "\n## Part %d of %s\n\n", h, words[r.IntN(12)])
		for range 20 + r.IntN(100) {
			b.WriteString(words[r.IntN(12)])
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "see [[Note %d]] and [[Note %d|that one]] #%s\n\n- first\n- [second](Note%%20%d.md) ^b%d\n",
			r.IntN(benchNotes), r.IntN(benchNotes), words[r.IntN(12)], r.IntN(benchNotes), h)
		if r.IntN(3) == 0 {
			b.WriteString("\n```go\nfor i := range n { // #notatag [[nolink]]\n}\n```\n")
		}
	}
	return b.String()
}

func benchPath(i int) Path { return Path(fmt.Sprintf("area%d/topic%d/Note %d.md", i%10, i/10%20, i)) }

// benchDir writes benchNotes notes into a temporary folder.
func benchDir(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	for i := range benchNotes {
		name := filepath.Join(dir, benchPath(i).Native())
		if i < 200 {
			check(b, os.MkdirAll(filepath.Dir(name), 0o755))
		}
		check(b, os.WriteFile(name, []byte(makeNote(i)), 0o644))
	}
	return dir
}

func benchVault(b *testing.B) *Vault {
	b.Helper()
	v, err := Open(benchDir(b), Options{})
	check(b, err)
	b.Cleanup(func() { _ = v.Close() })
	check(b, v.Scan(context.Background()))
	return v
}

func BenchmarkParse(b *testing.B) {
	texts := make([]string, 500)
	size := 0
	for i := range texts {
		texts[i] = makeNote(i)
		size += len(texts[i])
	}
	b.ReportAllocs()
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			parseNote("n.md", text)
		}
	}
}

// BenchmarkScan is opening a vault of 10,000 notes whose files are in memory.
func BenchmarkScan(b *testing.B) {
	dir := benchDir(b)
	b.ReportAllocs()
	for b.Loop() {
		v, err := Open(dir, Options{})
		check(b, err)
		if err := v.Scan(context.Background()); err != nil || len(v.Notes()) != benchNotes {
			b.Fatal(len(v.Notes()), err)
		}
		_ = v.Close()
	}
}

// BenchmarkRevalidate measures the check of the vault before every turn.
func BenchmarkRevalidate(b *testing.B) {
	v := benchVault(b)
	run := func(name string, change func(i int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				change(i)
				_, err := v.Revalidate(context.Background())
				check(b, err)
			}
		})
	}
	write := func(i int) {
		check(b, os.WriteFile(filepath.Join(v.Dir(), "area0", "topic0", "Note 0.md"),
			[]byte(makeNote(0)+strings.Repeat("x", i%50)), 0o644))
	}
	run("unchanged", func(int) {})
	every := max(defaultPoll, pollShare*v.Cost())
	b.Logf("where nothing can be watched, such looks come every %v and take %.1f %% of a processor", every,
		100*v.Cost().Seconds()/every.Seconds())
	run("one-changed", write)
	b.Run("scan-again", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v.disk = newDiskState()
			check(b, v.Scan(context.Background()))
		}
	})
	b.Run("update-of-one", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			write(i)
			_, err := v.Update(context.Background(), []Path{benchPath(0)})
			check(b, err)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	v := benchVault(b)
	b.Run("map", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if v.Resolve(fmt.Sprintf("note %d", i%benchNotes), "x.md").State != OK {
				b.Fatal(i)
			}
		}
	})
	b.Run("find-missing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if v.Find("Note 12x4", ToRead).State != Missing {
				b.Fatal("found")
			}
		}
	})
}

// BenchmarkRead compares the second read of a note with the first.
func BenchmarkRead(b *testing.B) {
	v := benchVault(b)
	b.Run("from-memory", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := v.Read(benchPath(1))
			check(b, err)
		}
	})
	b.Run("from-disk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v.cache = textCache{}
			_, err := v.Read(benchPath(1))
			check(b, err)
		}
	})
}

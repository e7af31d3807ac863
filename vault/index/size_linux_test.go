package index_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// hugeVault names the vault that a child process indexes and searches, for the test of its memory and time.
const hugeVault = "IBID_TEST_HUGE_VAULT"

const limit = 4 << 20 // files.max_note

// hugeNotes are notes of almost 4 MB, of forms that multiply: what is repeated, and what it is repeated for. Each ends
// with a word of its own.
func hugeNotes() map[string]string {
	lines := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	sections := lines("## h%d\n\nSome words that stand below it.\n\n", 40_000)
	return map[string]string{
		"text":          lines("river stone %d and a larch in the wood\n", 95_000),
		"title":         "---\ntitle: " + strings.Repeat("long title ", 120_000) + "\n---\n" + sections,
		"alias":         "---\naliases: [\"" + strings.Repeat("x y ", 500_000) + "\"]\n---\n" + sections,
		"aliases":       "---\naliases:\n" + lines("  - al%d\n", 150_000) + "---\n" + sections,
		"heading":       "# " + strings.Repeat("head ing ", 150_000) + "\n\n" + sections,
		"headings":      strings.Repeat("# a\n", 1_000_000),
		"no headings":   strings.Repeat("#\n", 1_500_000),
		"nested":        strings.Repeat("# "+strings.Repeat("word ", 300)+"\n## "+strings.Repeat("other ", 300)+"\n### c\nx\n", 1000),
		"tags":          "---\ntags: [" + lines("t%d,", 450_000) + "]\n---\n",
		"inline tags":   lines("#t%d ", 400_000),
		"properties":    "---\n" + lines("k%[1]d: v%[1]d\n", 230_000) + "---\n",
		"flow":          "---\na: " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n---\n",
		"mappings":      "---\na: " + strings.Repeat("{a: ", 100_000) + strings.Repeat("}", 100_000) + "\n---\n",
		"open links":    strings.Repeat("[[", 1_000_000),
		"open targets":  strings.Repeat("](", 1_000_000),
		"links":         lines("[[n%d|x]] ", 250_000),
		"addresses":     lines("[a](https://example.com/%d) ", 110_000),
		"quotes":        strings.Repeat(">", 2_000_000),
		"blocks":        lines("x ^b%d\n\n", 300_000),
		"dense":         strings.Repeat("漢字", 650_000),
		"dense heading": "# " + strings.Repeat("漢字", 200_000) + "\n" + lines("## h%d\n\nx\n\n", 60_000),
	}
}

// init runs the child process: TestMain would look for leaks.
func init() {
	dir := os.Getenv(hugeVault)
	if dir == "" {
		return
	}
	os.Exit(searchHuge(dir))
}

func searchHuge(dir string) int {
	ctx := context.Background()
	v, err := vault.Open(dir, vault.Options{MaxNote: limit})
	if err == nil {
		err = v.Scan(ctx)
	}
	var x *index.Index
	if err == nil {
		x, err = index.Open(ctx, index.Options{Dir: filepath.Join(dir, "..", "index"), Vault: dir})
	}
	if err == nil {
		err = x.Sync(ctx, v)
	}
	var hits []index.Hit
	if err == nil {
		hits, err = index.Searcher{Source: v, Index: x}.Search(ctx, index.Query{Text: "wombat"})
	}
	if err != nil || len(hits) != 1 || hits[0].Path != "Huge.md" {
		fmt.Fprintln(os.Stderr, hits, err)
		return 1
	}
	return 0
}

// TestHugeNotes: a vault of 1,000 notes, one of them as large as may be and of a hostile form, is indexed and searched
// in bounded memory and time, the index is not many times as large as the notes, and the last word is found.
func TestHugeNotes(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, text := range hugeNotes() {
		t.Run(name, func(t *testing.T) {
			text += "\n\nThe last word is wombat.\n"
			if len(text) > limit {
				t.Fatal("it is too large to be read:", len(text))
			}
			dir := filepath.Join(t.TempDir(), "vault")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range 1000 {
				writeFile(t, filepath.Join(dir, fmt.Sprint(i, ".md")), fmt.Sprintf("# Note %d\n\nSome text about larch %d.\n", i, i))
			}
			writeFile(t, filepath.Join(dir, "Huge.md"), text)
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), hugeVault+"="+dir, "GOMEMLIMIT=200MiB")
			said, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, said[:min(len(said), 2000)])
			}
			used := child.ProcessState.UserTime() + child.ProcessState.SystemTime()
			peak := child.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
			files, err := filepath.Glob(filepath.Join(dir, "..", "index", "*.sqlite"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			info, err := os.Stat(files[0])
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, %d MB in memory, %d MB of index", used, peak, info.Size()>>20)
			if used > 10*time.Second || peak > 300 || info.Size() > 16*limit {
				t.Error("it is too much: 10 s, 300 MB and 64 MB are allowed")
			}
		})
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

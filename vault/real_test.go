package vault_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// Real vaults load without losing a note, and every line number that is known
// about one lies in its file.
func TestRealVaults(t *testing.T) {
	for _, name := range []string{"kepano", "knowledge-garden"} {
		t.Run(name, func(t *testing.T) {
			src := filepath.Join("..", "..", "shared", "vaults", name)
			if _, err := os.Stat(src); err != nil {
				t.Skip("no real vaults here")
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(src)); err != nil {
				t.Fatal(err)
			}
			v := vaulttest.Open(t, dir, vault.Options{})
			files := 0
			err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
				if d.IsDir() && strings.HasPrefix(d.Name(), ".") {
					return filepath.SkipDir
				}
				if strings.EqualFold(filepath.Ext(p), ".md") && !strings.HasPrefix(d.Name(), ".") {
					files++
				}
				return err
			})
			if err != nil || files != len(v.Notes()) || files == 0 {
				t.Errorf("%d notes of %d files, %v", len(v.Notes()), files, err)
			}
			warned := 0
			for _, n := range v.Notes() {
				text, err := v.ReadLocal(n.Path)
				if err != nil {
					t.Errorf("%s: %v", n.Path, err)
					continue
				}
				if n.Warning != "" {
					warned++
				}
				for _, h := range n.Headings {
					// An underlined heading may go over several lines.
					line := strings.Join(strings.Fields(text.Lines(h.Line, h.Line)), " ")
					want := strings.Join(strings.Fields(h.Text), " ")
					if !strings.Contains(line, want) && !strings.HasPrefix(want, line) {
						t.Errorf("%s:%d: heading %q is not in %q", n.Path, h.Line, h.Text, line)
					}
				}
				for _, l := range n.Links {
					if line := text.Lines(l.Line, l.Line); l.Kind != vault.Markdown && !strings.Contains(line, "[") {
						t.Errorf("%s:%d: link %q is not in %q", n.Path, l.Line, l.Target, line)
					}
				}
				if f := v.Find(string(n.Path)); f.Path != n.Path {
					t.Errorf("Find(%s) = %+v", n.Path, f)
				}
			}
			t.Logf("%d notes, %d with warnings, %d tags", len(v.Notes()), warned, len(v.Tags()))
			if changes := revalidate(t, v); len(changes) != 0 {
				t.Errorf("changes on a vault that nobody touched: %v", changes)
			}
		})
	}
}

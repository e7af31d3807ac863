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

// oldVaultFolders returns the folders of old vaults: the garden, and copies of the shared ones,
// if there are any.
func oldVaultFolders(t *testing.T) map[string]string {
	dirs := map[string]string{"garden": vaulttest.Dir(t, vaulttest.Garden)}
	if root := vaulttest.Shared(t, "vaults"); root != "" {
		for _, name := range []string{"kepano", "knowledge-garden"} {
			dir := t.TempDir()
			check(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, name))))
			dirs[name] = dir
		}
	}
	return dirs
}

// Vaults load without losing a note, and every line number that is known about a
// note lies in its file.
func TestGrownVaults(t *testing.T) {
	for name, dir := range oldVaultFolders(t) {
		t.Run(name, func(t *testing.T) {
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
				text, err := v.Read(n.Path)
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
				for l := range n.Links() {
					if line := text.Lines(l.Line, l.Line); l.Kind != vault.Markdown && !strings.Contains(line, "[") {
						t.Errorf("%s:%d: link %q is not in %q", n.Path, l.Line, l.Target, line)
					}
				}
				if f := v.Find(string(n.Path), vault.ToWrite); f.Path != n.Path {
					t.Errorf("Find(%s) = %+v", n.Path, f)
				}
			}
			t.Logf("%d notes, %d with warnings", len(v.Notes()), warned)
			if name != "garden" {
				t.Logf("shared: %d notes of %s", len(v.Notes()), name)
			}
			wantChanges(t, revalidate(t, v), "")
		})
	}
}

// The active pane is a note in the main area that the panes at the sides speak of
// too, and one of five tabs is pinned.
func TestReadWorkspaceGrown(t *testing.T) {
	dirs := oldVaultFolders(t)
	for name, active := range map[string]vault.Path{
		"garden":           "Cards/陶土/干燥 笔记.md",
		"knowledge-garden": "Cards/永久笔记/gitignore 语法.md",
	} {
		dir, here := dirs[name]
		if !here {
			continue
		}
		ws, err := vault.ReadWorkspace(os.DirFS(dir))
		if err != nil || ws.Active != active || len(ws.Pins) != 1 || len(ws.Tabs) != 4 {
			t.Errorf("%s: active %q, pins %q, tabs %q, %v; want %q, 1 and 4 (one note is open twice)", name, ws.Active,
				ws.Pins, ws.Tabs, err, active)
		}
	}
}

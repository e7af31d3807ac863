package mdview

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Real notes, where they are at hand: streamed in small pieces they must look as
// they do rendered at once.
func TestNotesStreamAsTheyRender(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "vaults")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no vaults beside the repository")
	}
	r, seen := plain(), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" || seen >= 150 {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) > 20<<10 {
			return err
		}
		seen++
		doc := string(b)
		v := New(r, Options{Width: 60, Now: stopped})
		for rest := doc; rest != ""; {
			n := min(150, len(rest))
			v.Append(rest[:n])
			v.Lines()
			rest = rest[n:]
		}
		if v.Finish() && !strings.Contains(doc, "]: ") {
			t.Errorf("%s: a closed block changed at the end", path)
		}
		want := r.Render(doc, 60)
		if !slices.Equal(v.Lines(), want) {
			t.Errorf("%s: streamed and direct rendering differ", path)
		}
		if err := checkSafe(want, 60); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d notes read: %v", seen, err)
	}
}

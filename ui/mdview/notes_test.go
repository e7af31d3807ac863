package mdview

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ibid/ui/theme"
	"ibid/vault/vaulttest"
)

// Whole notes, streamed in small pieces, must look as they do rendered at once.
func TestNotesStreamAsTheyRender(t *testing.T) {
	if n := streamNotes(t, vaulttest.Dir(t, vaulttest.Garden)); n < 10 {
		t.Errorf("only %d notes were read", n)
	}
	if root := vaulttest.Shared(t, "vaults"); root != "" {
		t.Logf("shared: %d notes streamed", streamNotes(t, root))
	}
}

// streamNotes checks the first notes below a folder and tells how many there were.
func streamNotes(t *testing.T, root string) int {
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
		checkStreamed(t, r, path, string(b))
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%s: %d notes read: %v", root, seen, err)
	}
	return seen
}

func checkStreamed(t *testing.T, r *Renderer, path, doc string) {
	v := New(r, Options{Width: 60, Now: stopped})
	for rest := doc; rest != ""; {
		n := min(150, len(rest))
		v.Append(rest[:n])
		v.Lines()
		rest = rest[n:]
	}
	closed := slices.Clone(v.lines[:v.stable])
	if v.Finish(); !slices.Equal(v.Lines()[:len(closed)], closed) && !strings.Contains(doc, "]: ") {
		t.Errorf("%s: a closed block changed at the end", path)
	}
	want := r.Render(doc, 60)
	is(t, v.Lines(), want, path)
	if err := checkSafe(want, 60); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// TestDeadLinks: a wikilink that leads nowhere is told from one that leads to a
// note, in every form of it.
func TestDeadLinks(t *testing.T) {
	th := theme.New(theme.Options{})
	v := New(NewRenderer(th), Options{Links: Links{Dead: []string{"Shed", "Barn#Loft"}}})
	v.Append("See [[Shed|the shed]], [[Barn]], ![[Barn#Loft]] and `[[Shed]]`.\n\n- [[Shed]]\n\nnot done [[Sh")
	v.Append("ed]]")
	for _, finish := range []bool{false, true} {
		if finish {
			v.Finish()
		}
		got := strings.Join(v.Lines(), "\n")
		for link, style := range map[string]theme.Ink{
			"the shed": th.Styles.Dead, "Barn": th.Styles.Link, "Barn › Loft": th.Styles.Dead, "Shed": th.Styles.Dead,
		} {
			if !strings.Contains(got, style.Render(link)) {
				t.Errorf("%s (finished %v): %q", link, finish, got)
			}
		}
		is(t, strings.Count(got, th.Styles.Dead.Render("Shed")), 2, got)
	}
}

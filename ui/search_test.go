package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/ui/uitest"
	"ibid/vault"
)

// look types a query into the page behind ctrl+o, in place of what stands there, and
// waits for the answer.
func look(r *uitest.Robot, query, shown string) {
	r.Press("ctrl+u")
	r.Paste(query)
	r.Pass(time.Second)
	r.WaitFor(shown)
}

// TestSearchOperators: the language of searches works, what is wrong with a query
// stands under it, and a slip is one key from what was meant.
func TestSearchOperators(t *testing.T) {
	indexed := rigWith(band, func(g *rig) {
		g.watched()
		g.index = g.t.TempDir()
		g.reopen()
		g.t.Cleanup(func() { _ = g.desk.Close() })
	})
	playOn(t, 80, 24, indexed, func(r *stage) {
		r.Press("ctrl+o")
		look(r.Robot, "tag:garden stems", "Water in the morning")
		r.WantNot("name", "Setlist")
		look(r.Robot, "path:band /slow|cable/", "2 by text")
		r.Want("One slow one", "bring the spare cable")
		look(r.Robot, "/(/", "! /(/ is no regular expression")
		r.Want("no note, tag or folder matches")
		look(r.Robot, "tga:garden", "there is no operator tga:, there is tag:")
		look(r.Robot, "comprssor", "did you mean compressor? tab takes it")
		r.Press("tab")
		r.WaitFor("> compressor")
		r.Pass(time.Second)
		r.Want("Roll the highs off", "1 by text")
		r.WantNot("did you mean")
		look(r.Robot, "xyzzy", "0 by text")
		for _, query := range []string{strings.Repeat("(very long -", 850), `((("`, "[", "line:(", "-", `"`, "OR OR )"} {
			look(r.Robot, query, "Notes")
			r.WantNot("searching")
		}
	})
}

// TestSearchOpensAtLine opens a hit in the editor where it stands.
func TestSearchOpensAtLine(t *testing.T) {
	var seen []string
	playOn(t, 100, 30, editing(t, &seen, func(s string) (string, error) {
		return s, nil
	}), func(r *stage) {
		r.Press("ctrl+o")
		look(r.Robot, "spare", "bring the spare cable")
		r.Press("ctrl+o")
		r.Pass(time.Second)
		if len(seen) != 1 || !strings.Contains(seen[0], "vi -f +3 ") {
			r.Errorf("opened with %q", seen)
		}
	})
}

// TestSearchFollowsVault: what changes while the page is open is found, or no longer.
func TestSearchFollowsVault(t *testing.T) {
	playOn(t, 100, 30, rigWith(band, (*rig).watched), func(r *stage) {
		r.Press("ctrl+o")
		look(r.Robot, "marmalade", "0 by text")
		file := filepath.Join(r.dir, "Garden", "Soil.md")
		check(r, os.WriteFile(file, []byte("# Soil\n\nNo marmalade.\n"), 0o600))
		r.batch <- vault.Batch{Paths: []vault.Path{"Garden/Soil.md"}}
		r.WaitFor("No marmalade.")
		check(r, os.Remove(file))
		r.batch <- vault.Batch{Paths: []vault.Path{"Garden/Soil.md"}}
		r.WaitFor("0 by text")
		r.WantNot("No marmalade.")
	})
}

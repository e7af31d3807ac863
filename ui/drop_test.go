package ui_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/uitest"
)

// TestDroppedFile: what a terminal pastes for a file that is dropped on it becomes a
// mention of a note or an image of the vault; of one outside, the status says so.
func TestDroppedFile(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "my plan.png")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	playOn(t, 120, 30, withFiles(map[string][]byte{"my plan.png": drawing(t, 64, 48)}, nil), func(t *testing.T, r *uitest.Robot, g *rig) {
		inside := filepath.Join(g.dir, "my plan.png")
		for _, spelled := range []string{inside, "'" + inside + "' ", `"` + inside + `"`, strings.ReplaceAll(inside, " ", `\ `), (&url.URL{Scheme: "file", Path: filepath.ToSlash(inside)}).String() + "\r\n"} {
			if filepath.Separator != '/' && spelled != inside {
				continue
			}
			r.Send(tea.PasteMsg{Content: spelled})
			r.WaitFor("> [[my plan.png]]")
			r.Press("ctrl+u")
		}
		for _, text := range []string{"/nowhere/at all.png", "see " + inside, dir} {
			r.Send(tea.PasteMsg{Content: text})
			want(t, r, "> ", text[:10])
			wantNot(t, r, "outside the vault", "> [[")
			r.Press("ctrl+u")
		}
		r.Send(tea.PasteMsg{Content: outside})
		r.WaitFor("outside the vault: ")
		want(t, r, "> "+outside[:20], "my plan.png stays text")
	})
}

package welcome

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/page"
	"ibid/ui/theme"
)

// TestRows: on screens of all sizes the page has all of its rows and none is too wide; what
// can be asked comes before what was found where there is little room, and a click on a row
// asks for what stands there.
func TestRows(t *testing.T) {
	env := page.NewEnv(theme.Options{ASCII: true})
	p := Page{
		Env: env,
		Findings: []Finding{
			{
				Name: "Vault", What: "/home/ada/documents/notes/band", Detail: "9 notes", Mark: "found", Good: true,
				Does: page.Open{ID: page.Vaults},
			},
			{Name: "Model", What: "none found", Detail: "ctrl+l chooses one", Mark: "none", Does: page.Open{ID: page.Models}},
		},
		Starters: []Starter{
			{Key: "alt+1", Label: "How many songs?", Text: "How many songs?"},
			{Key: "@", Label: "what does [[Setlist]] say?", About: "changed 2 hours ago", Text: "x"},
		},
		Notices: []string{"No language model is connected."},
	}
	for p.W = 38; p.W <= 120; p.W += 6 {
		for p.H = 6; p.H <= 40; p.H += 2 {
			rows := p.Rows()
			var all []string
			for _, row := range rows {
				text := ansi.Strip(theme.StripMarks(row.Text))
				if all = append(all, text); ansi.StringWidth(text) > p.W {
					t.Errorf("%dx%d: too wide: %q", p.W, p.H, text)
				}
				for label, want := range map[string]page.Request{
					"How many": page.Post{Msg: Choose(0)},
					"Setlist":  page.Post{Msg: Choose(1)}, "Vault ": page.Open{ID: page.Vaults}, "Model ": page.Open{ID: page.Models},
				} {
					if strings.Contains(text, label) && row.Does != want {
						t.Errorf("%dx%d: a click on %q asks for %v", p.W, p.H, text, row.Does)
					}
				}
			}
			screen := strings.Join(all, "\n")
			if len(rows) != p.H || p.H > 6 && (!strings.Contains(screen, "@ ") ||
				!strings.Contains(screen, "How many songs?")) {
				t.Errorf("%dx%d:\n%s", p.W, p.H, screen)
			}
		}
	}
}

package ui_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/ui"
	"ibid/ui/theme"
	"ibid/ui/uitest"
)

// TestPictures: images of the vault that a reply embeds are drawn below it, or named
// with their size where there are no colours; others are named, and nothing is
// fetched.
func TestPictures(t *testing.T) {
	const said = "Look: ![[plan.png|300]], ![it](plan.png), ![[Gone.png]] and ![web](https://example.org/x.png)."
	for name, look := range map[string]func(*ui.Options){
		"drawn":      nil,
		"bare":       func(o *ui.Options) { o.Theme = theme.Options{NoColor: true} },
		"turned off": func(o *ui.Options) { o.Terminal.NoImages = true },
	} {
		t.Run(name, func(t *testing.T) {
			make := func(t *testing.T) *rig {
				g := newRig(t, band, reply(said))
				g.change = look
				var b bytes.Buffer
				if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 6))); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(g.dir, "plan.png"), b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				return g
			}
			playOn(t, 80, 30, make, func(t *testing.T, r *uitest.Robot, _ *rig) {
				ask(r, "go", "Gone.png")
				if name == "turned off" {
					wantNot(t, r, "8 × 6", "▀")
					return
				}
				r.WaitFor("8 × 6, ")
				if drawn := strings.Contains(r.Screen(), "▀▀▀▀▀▀▀▀"); drawn != (name == "drawn") {
					t.Errorf("drawn: %v\n%s", drawn, r.Screen())
				}
				if n := strings.Count(strings.Join(strings.Fields(r.Screen()), " "), "8 × 6"); n != 2 {
					t.Errorf("%d images have a size:\n%s", n, r.Screen())
				}
			})
		})
	}
}

package ui_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/picture"
	"ibid/ui/theme"
	"ibid/ui/uitest"
)

// drawing returns an image file of a size.
func drawing(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	check(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))))
	return b.Bytes()
}

// withFiles returns a function that makes a rig whose vault also has these files.
func withFiles(files map[string][]byte, look func(*ui.Options), replies ...chaintest.Reply) func(t *testing.T) *rig {
	return rigWith(band, func(g *rig) {
		g.change(look)
		for name, data := range files {
			name = filepath.Join(g.dir, filepath.FromSlash(name))
			check(g.t, os.MkdirAll(filepath.Dir(name), 0o700))
			check(g.t, os.WriteFile(name, data, 0o600))
		}
	}, replies...)
}

// TestPictureChip: the chip of an attached image says why it is not sent.
func TestPictureChip(t *testing.T) {
	playOn(t, 120, 30, withFiles(map[string][]byte{
		"plan.png": drawing(t, 640, 480),
		"half.png": drawing(t, 640, 480)[:99],
	}, nil), func(r *stage) {
		r.Begin("@plan.png", "! plan.png not sent: text-only model")
		r.seeImages()
		r.Begin("@stage.png", "plan.png +")
		r.Want("! stage.png not sent: unknown format")
		r.Begin("@half.png", "! half.png not sent: broken")
		r.Press("enter")
		r.WaitFor("half.png is not sent: it is broken")
	})
}

// seeImages changes to a model that reads images.
func (r *stage) seeImages() {
	r.Helper()
	check(r, r.desk.Session().Apply(chains.Change{Model: &chains.Options{Model: r.model, ModelName: "eyes", Vision: true}}))
}

// words returns the words on the screen, separated by single spaces instead of line breaks.
func words(r *uitest.Robot) string { return strings.Join(strings.Fields(r.Screen()), " ") }

// TestPictures: images of the vault that a reply embeds are drawn below it, or named with their
// size where there are no colours; images that are turned off are only named. For those that cannot be drawn the
// reason is shown. Nothing is fetched.
func TestPictures(t *testing.T) {
	const said = "Look: ![[plan.png|300]], ![it](plan.png), ![[Gone.png]], ![[stage.png]] and ![web](https://example.org/x.png)."
	for name, look := range map[string]func(*ui.Options){
		"drawn":      nil,
		"bare":       func(o *ui.Options) { o.Theme = theme.Options{NoColor: true} },
		"turned off": func(o *ui.Options) { o.Terminal.NoImages = true },
	} {
		t.Run(name, func(t *testing.T) {
			make := withFiles(map[string][]byte{"plan.png": drawing(t, 8, 6)}, look, reply(said))
			playOn(t, 80, 30, make, func(r *stage) {
				r.Ask("go", "https://example.org/x.png")
				if name != "turned off" {
					r.WaitFor("no such")
				}
				is(r, strings.Contains(r.Screen(), "▀▀▀▀▀▀▀▀"), name == "drawn", r.Screen())
				wants := []string{
					"image · plan.png · 8×6,", "image · it · 8×6,", "[image · Gone.png · no such file],",
					"[image · stage.png · broken image] and", "image · web · https://example.org/x.png.",
				}
				if name == "turned off" {
					wants = []string{"image · plan.png, image · it, image · Gone.png, image · stage.png and image · web ·"}
				}
				for _, want := range wants {
					if !strings.Contains(words(r.Robot), want) {
						r.Errorf("%q is not on the screen:\n%s", want, r.Screen())
					}
				}
			})
		})
	}
}

// TestPicturesAreFound: images are found by the rules of Obsidian: by name anywhere in the
// vault, relative to the attached note, percent-encoded, and never outside of the vault.
func TestPicturesAreFound(t *testing.T) {
	const said = "![[deep.png]]\n\n![a](./beside.png)\n\n![b](my%20plan.png)\n\n![c](Files/Old/deep.png)\n\n![[my%20plan.png|d]]\n\n![e](../../../outside.png)\n\n![f](<odd (1).png>)\n\n![[Files/poster.png]]\n\n![[Files/blob.png]]\n\nend"
	files := map[string][]byte{
		"Files/Deep/deep.png": drawing(t, 9, 4), "Garden/beside.png": drawing(t, 8, 4),
		"Files/my plan.png": drawing(t, 7, 4), "Files/odd (1).png": drawing(t, 6, 4),
		"Files/poster.png": append(drawing(t, 640, 480), make([]byte, picture.MaxBytes)...),
		"Files/blob.png":   make([]byte, picture.MaxBytes+1),
	}
	prepare := withFiles(files, func(o *ui.Options) { o.Theme = theme.Options{NoColor: true} }, reply(said))
	playOn(t, 80, 40, prepare, func(r *stage) {
		check(r, os.WriteFile(filepath.Join(filepath.Dir(r.dir), "outside.png"), drawing(r.T, 5, 4), 0o600))
		r.Type("see @Soil")
		r.Press("enter")
		r.Ask("go", "no such file")
		for _, want := range []string{
			"deep.png · 9×4", "a · 8×4", "b · 7×4", "c · 9×4", "d · 7×4", "e · no such file",
			"f · 6×4", "poster.png · too large to be drawn", "blob.png · too large to be drawn",
		} {
			want = "image · " + want
			if !strings.Contains(words(r.Robot), want) {
				r.Errorf("%q is not on the screen:\n%s", want, r.Screen())
			}
		}
	})
}

// TestAttachedPictures: attached images are listed below the message.
func TestAttachedPictures(t *testing.T) {
	make := withFiles(map[string][]byte{"Files/plan.png": drawing(t, 640, 480)}, nil, reply("I see."))
	playOn(t, 80, 24, make, func(r *stage) {
		r.seeImages()
		r.Type("look at @plan")
		r.Press("enter")
		r.Ask("please", "I see.")
		r.WaitFor("+ plan.png")
	})
}

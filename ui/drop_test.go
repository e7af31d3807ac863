package ui_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui"
	"ibid/vault"
)

// TestDroppedFile: what a terminal pastes for a file that is dropped on it becomes a
// mention of a note or an image of the vault; the path of one outside stays text.
func TestDroppedFile(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "my plan.png")
	check(t, os.WriteFile(outside, []byte("x"), 0o600))
	playOn(t, 120, 30, withFiles(map[string][]byte{"my plan.png": drawing(t, 64, 48)}, nil),
		func(r *stage) {
			inside := filepath.Join(r.dir, "my plan.png")
			for _, spelled := range []string{
				inside, "'" + inside + "' ", `"` + inside + `"`,
				strings.ReplaceAll(inside, " ", `\ `), (&url.URL{
					Scheme: "file",
					Path:   filepath.ToSlash(inside),
				}).String() + "\r\n",
			} {
				if filepath.Separator != '/' && spelled != inside {
					continue
				}
				r.Send(tea.PasteMsg{Content: spelled})
				r.WaitFor("> [[my plan.png]]")
				r.Press("ctrl+u")
			}
			for _, text := range []string{"/nowhere/at all.png", "see " + inside, dir} {
				r.Send(tea.PasteMsg{Content: text})
				r.Want("> ", text[:10])
				r.WantNot("> [[")
				r.Press("ctrl+u")
			}
			r.Send(tea.PasteMsg{Content: outside})
			r.WaitFor("> " + outside[:20])
		})
}

// TestPasteImage: the image on the clipboard goes into the vault and into the prompt; that
// there is none is said.
func TestPasteImage(t *testing.T) {
	var fails error
	playOn(t, 80, 24, rigWithOptions(band, func(o *ui.Options) {
		v := o.Vault
		o.Terminal.PasteImage = func(ctx context.Context, _ vault.Path, now time.Time) (vault.Path, error) {
			file := vault.Path("Pasted image " + now.Format("150405") + ".png")
			err := errors.Join(fails, v.WriteFile(file, drawing(t, 64, 48), vault.WriteOptions{}))
			_, seen := v.Update(ctx, []vault.Path{file})
			return file, errors.Join(err, seen)
		}
	}, reply("I see.")), func(r *stage) {
		r.Type("what is ")
		r.Press("ctrl+v")
		r.WaitFor("Pasted image")
		r.Type("?")
		r.Press("enter")
		r.WaitFor("I see.")
		r.Want("[[Pasted image 103000.png]]?", "103000.png: images are not sent, since test-model") // it is attached
		fails = errors.New("there is no image on the clipboard")
		r.Ask("/paste", "paste an image: there is no image on the clipboard")
	})
}

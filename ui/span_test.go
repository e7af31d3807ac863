package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// lastSent returns the last message of the last request.
func lastSent(g *rig) string {
	all := g.model.Requests()
	ms := all[len(all)-1].Messages
	return ms[len(ms)-1].Content
}

func wantSent(t *testing.T, g *rig, text, not string) {
	t.Helper()
	if last := lastSent(g); !strings.Contains(last, text) || not != "" && strings.Contains(last, not) {
		t.Errorf("want %q and not %q in\n%s", text, not, last)
	}
}

// secondNote adds a note, so that a name means two notes.
func secondNote(r *stage) {
	r.Helper()
	vaulttest.Write(r.T, r.vault, "Garden/Bass tone.md", "# Bass tone\n\nThe hum of the pond pump.\n")
	r.batch <- vault.Batch{Paths: []vault.Path{"Garden/Bass tone.md"}}
	r.Pass(time.Second)
}

// TestSpansThroughEditor: what was pasted and what was picked stay that where
// they still stand in what comes back from the editor.
func TestSpansThroughEditor(t *testing.T) {
	var seen []string
	edit := func(s string) (string, error) { return "Well. " + s + " and [[Soil]]\n", nil }
	playOn(t, 100, 30, func(t *testing.T) *rig {
		g := editing(t, &seen, edit, reply("ok"))(t)
		g.watched()
		return g
	}, func(r *stage) {
		r.Pass(time.Second)
		r.Paste("he said @Setlist here, ")
		r.Type("and @bass")
		r.Press("enter")
		r.Press("ctrl+g")
		r.WaitFor("Well.")
		secondNote(r)
		r.Want("+ Bass tone", "+ Soil")
		r.WantNot("+ Setlist")
		r.Ask("", "ok")
		wantSent(r.T, r.rig, "Roll the highs off", "pond pump")
		wantSent(r.T, r.rig, "Compost", "Three fast ones")
	})
}

// TestTypedReferenceGetsChip shows what was typed in full as what goes along, as
// soon as it is known, at every width; and no longer than it stands there.
func TestTypedReferenceGetsChip(t *testing.T) {
	onSizes(t, sizes, func(t *testing.T, w, h int) {
		chip := "+ Soil"
		if w < 80 {
			chip = "1 note"
		}
		playAt(t, w, h, replies(slow("one two three four five six")),
			func(r *stage) {
				r.Type("[[Soil]]")
				r.Pass(time.Second)
				r.Want(chip)
				r.Press("backspace", "backspace", "backspace")
				r.Pass(time.Second)
				r.WantNot(chip)
				r.Press("esc", "ctrl+u")
				r.Begin("wait", "one")
				r.Type("[[Soil]]") // while a reply streams
				r.Pass(300 * time.Millisecond)
				r.Want(chip)
			})
	})
	playAt(t, 99, 30, nil, func(r *stage) {
		r.Type("@Garden/ and #gig and [[Nowhere]] ")
		r.Pass(time.Second)
		r.Want("+ Garden/", "+ #gig")
		r.WantNot("+ Nowhere", "+ Soil")
	})
}

package ui_test

import (
	"testing"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// hostileRuns is the number of runs, each with other hostile texts.
const hostileRuns = 4

// TestNothingForeignLeaves: no frame and no printed line contains an escape sequence from a
// streaming reply, an opened chat, a note, a tool or a question. The robot checks each frame.
func TestNothingForeignLeaves(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, inline := range map[string]bool{"alternate screen": false, "inline": true} {
		for seed := range hostileRuns {
			t.Run(name, func(t *testing.T) { playHostile(t, inline, seed) })
		}
	}
}

func playHostile(t *testing.T, inline bool, seed int) {
	doc := rapid.Custom(uitest.AllHostile).Example(seed)
	word := rapid.Custom(uitest.Spell).Example(seed)
	playOn(t, 80, 30, rigWith(band, func(g *rig) {
		g.tools = []chains.Tool{chaintest.Texts("localSearch", doc), asking()}
		g.reopen()
		g.change(func(o *ui.Options) { o.Terminal.Inline = inline })
		vaulttest.Write(g.t, g.vault, "Band/Odd.md", doc)
		vaulttest.Write(g.t, g.vault, "Chats/Odd talk.md",
			"---\nepoch: 1727129880000\ntags:\n  - copilot-conversation\n---\n\n**user**: "+doc+
				"\n[Timestamp: 2024/09/23 22:18:00]\n\n**ai**: "+doc+"\n[Timestamp: 2024/09/23 22:18:05]\n")
	}, calling(doc, toolCall("localSearch", 1, word), toolCall("webSearch", 2, doc)),
		slow(doc), reply("Fine.")), func(r *stage) {
		r.Paste(doc)
		r.Type("what does [[Odd]] say? " + word + " now")
		r.Press("enter")
		r.WaitFor("May the model")
		r.Pass(printTime)
		r.Press("y")
		r.WaitFor("Ask your vault")
		r.Pass(printTime)
		r.Press("tab", "g", "enter", "j", "enter", "j", "enter", "tab", "f2", "enter", "esc", "esc")
		r.Type("@Odd")
		r.Press("ctrl+o", "esc", "esc", "ctrl+u")
		r.Type("/open Odd talk")
		r.Press("enter")
		r.WaitFor("Ask your vault")
		r.Pass(printTime)
		for range 30 {
			r.Press("pgup")
		}
		r.Press("end", "f2", "esc")
		r.Pass(printTime)
	})
}

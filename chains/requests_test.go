package chains_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// TestRequests holds the third request of a conversation, byte for byte, in each
// chain: with nothing attached, with much, with a list of tools, with images.
func TestRequests(t *testing.T) {
	const notes = garden + "-- gate.md --\n# Gate\n\nThe gate is green. ![[gate.png]]\n"
	spade, rake, beds := note("tools/spade.md"), note("tools/rake.md"), note("beds.md")
	for _, chain := range []chains.Chain{chains.Chat{}, chains.Vault{}} {
		for name, in := range map[string]func(n int, in *chains.Input){
			"none": func(int, *chains.Input) {},
			"heavy": func(n int, in *chains.Input) {
				in.Active, in.Open, in.Pins, in.Pinned = beds, beds, []prompt.Ref{rake}, []prompt.Ref{rake}
				in.Attach = []prompt.Ref{{Kind: prompt.Folder, ID: "tools/"}, prompt.Lines("beds.md", 3, 3), spade}[:n]
			},
			"tools":  func(int, *chains.Input) {},
			"images": func(_ int, in *chains.Input) { in.Active, in.Open = note("gate.md"), note("gate.md") },
		} {
			t.Run(chain.Name()+"-"+name, func(t *testing.T) {
				r, _ := asking(t, notes, chaintest.Reply{Text: "In the shed [^1]."}, chaintest.Reply{Text: "Lent out."}, chaintest.Reply{Text: "North."})
				vaulttest.Write(t, r.vault, "gate.png", picture('g'))
				r.begin(func(o *chains.Options) {
					o.Vision, o.Layout = true, prompt.Auto
					o.Now = func() time.Time { return time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC) }
					if o.Chain = chain; name == "tools" {
						o.Chain = chaintest.Looping{}
					}
				})
				for n, text := range []string{"where is the spade?", "and the rake?", "where do the tulips stand?"} {
					if n == 1 {
						r.apply(chains.Change{Chain: chain}) // the list of tools stays
					}
					ask := chains.Input{Text: text}
					in(n+1, &ask)
					r.send(ask).ended(chains.FinishStop)
				}
				requests, err := r.session.Requests()
				if err != nil {
					t.Fatal(err)
				}
				sent := r.model.Requests()[2]
				text := requests[2].Dump() + "\n\n=== BESIDE IT ===\n\n"
				for _, tool := range sent.Tools {
					text += fmt.Sprintf("tool %s: %s %s\n", tool.Name, tool.Description, tool.Schema)
				}
				for i, m := range sent.Messages {
					for _, im := range m.Images {
						text += fmt.Sprintf("image of message %d: %s, %d bytes\n", i, im.Name, len(im.Data))
					}
				}
				golden.RequireEqual(t, text)
			})
		}
	}
}

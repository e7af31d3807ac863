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

// scenes are the inputs of the conversations whose requests are compared: without attachments,
// with many, with calls of tools (in chains that have them), with images.
var scenes = map[string]func(n int, in *chains.Input){
	"none": func(int, *chains.Input) {},
	"heavy": func(n int, in *chains.Input) {
		spade, rake, beds := note("tools/spade.md"), note("tools/rake.md"), note("beds.md")
		in.Active, in.Open, in.Pins, in.Pinned = beds, beds, []prompt.Ref{rake}, []prompt.Ref{rake}
		in.Attach = []prompt.Ref{{Kind: prompt.Folder, ID: "tools/"}, prompt.Lines("beds.md", 3, 3), spade}[:n]
	},
	"tools":  func(int, *chains.Input) {},
	"images": func(_ int, in *chains.Input) { in.Active, in.Open = note("gate.md"), note("gate.md") },
}

// third plays three turns in a chain, and returns the last request.
func third(t *testing.T, chain chains.Chain, scene string, project bool) (prompt.Envelope, chains.Request) {
	t.Helper()
	const notes = garages + "-- gate.md --\n# Gate\n\nThe gate is green. ![[gate.png]]\n"
	r, _ := newVaultSession(t, notes, reply("In the shed [^1]."), reply("Lent out."))
	if calls := chain.Name() != "chat" && chain.Name() != "vault"; calls && scene == "tools" {
		r.model.Add(chaintest.Reply{
			Text: "I look.",
			ToolCalls: []prompt.ToolCall{
				call("localSearch", `{"query":"tulips"}`, 1),
				call("localSearch", `{"query":"beds and rakes"}`, 2),
			},
		})
	}
	r.model.Add(reply("North."))
	vaulttest.Write(t, r.vault, "gate.png", picture('g'))
	r.begin(func(o *chains.Options) {
		o.Vision, o.Layout = true, prompt.Auto
		o.Now = func() time.Time { return time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC) }
		if o.Chain = chain; scene == "tools" {
			o.Chain = chains.Agent{}
		}
		if project {
			o.Instructions = yard(r, "Yard")
		}
	})
	for n, text := range []string{"where is the spade?", "and the rake?", "where do the tulips stand?"} {
		if n == 1 {
			r.apply(chains.Change{Chain: chain}) // the list of tools stays
		}
		ask := chains.Input{Text: text}
		scenes[scene](n+1, &ask)
		r.send(ask).ended(chains.FinishStop)
	}
	requests := value(r.session.Requests())(t)
	all := r.model.Requests()
	return requests[len(requests)-1], all[len(all)-1]
}

// TestRequests compares the last request of a conversation, byte for byte, in each chain and
// scene.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, chain := range chains.Chains() {
		for scene := range scenes {
			t.Run(chain.Name()+"-"+scene, func(t *testing.T) {
				env, sent := third(t, chain.Chain, scene, chain.Name() == "project")
				text := env.Dump() + "\n\n=== BESIDE IT ===\n\n"
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

// TestSystemMessage: the system message is the same in every chain, in a first turn and after
// another chain.
func TestSystemMessage(t *testing.T) {
	t.Parallel()
	for scene := range scenes {
		var first [4]string
		for _, chain := range chains.Chains() {
			r, _ := newVaultSession(t, garages, textReplies("1.", "2.", "3.", "4.")...)
			vaulttest.Write(t, r.vault, "gate.md", "![[gate.png]]")
			vaulttest.Write(t, r.vault, "gate.png", picture('g'))
			for n := range first {
				if n < 2 { // a conversation in this chain, and one that goes on in it
					r.begin(func(o *chains.Options) {
						o.Vision, o.Layout, o.Instructions = true, prompt.Auto, yard(r, "Yard")
						o.Chain = []chains.Chain{chain.Chain, chains.Agent{}}[n]
					})
				}
				ask := chains.Input{Text: "go on"}
				scenes[scene](max(n, 1), &ask)
				r.send(ask).ended(chains.FinishStop)
				if first[n] == "" {
					first[n] = r.system()
				}
				is(t, r.system(), first[n], scene, chain.Name(), n)
				if n == 1 {
					r.apply(chains.Change{Chain: chain.Chain})
				}
			}
		}
	}
}

package ui_test

import (
	"testing"
	"time"

	"ibid/chains/desk"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// writePrompts saves prompts in the vault, which is looked at anew.
func writePrompts(t *testing.T, g *rig) {
	t.Helper()
	for name, text := range map[string]string{
		"Plan the gig": "Plan it from {[[Setlist]]} and {garden}, not [[Rehearsal]].\n\nMind {tone}.",
		"Rewrite":      "Rewrite this: {}",
		"chats":        "Nothing to fill in.",
		"Secret":       "---\nprivate: true\n---\nNobody reads this.",
	} {
		vaulttest.Write(t, g.vault, vault.Path("Prompts/"+name+".md"), text)
	}
	_, err := g.vault.Revalidate(t.Context())
	check(t, err)
}

// TestPromptModel: the model that a prompt asks for answers that message alone, and can be
// taken off it.
func TestPromptModel(t *testing.T) {
	archive := band + "-- Prompts/Deep.md --\n---\ncopilot-command-model-key: deep-model|openai\n---\nThink hard.\n"
	playOn(t, 100, 24, rigWith(archive, func(g *rig) {
		g.deskWith(func(o *desk.Options) { o.Prompts.Model = g.named })
	}, reply("fine"), reply("good"), reply("well")), func(r *stage) {
		r.Ask("/deep", "> Think hard.")
		r.Want("to deep-model", "which answers this")
		r.Press("enter")
		r.WaitFor("fine")
		r.Pass(time.Second)
		r.WantNot("to deep-model")
		r.Ask("And now?", "good")
		r.Ask("/deep", "> Think hard.")
		r.Press("ctrl+a", "ctrl+k")
		r.Pass(time.Second)
		r.WantNot("to deep-model")
		r.Ask("And then?", "well")
		var asked []string
		for _, q := range r.model.Requests() {
			asked = append(asked, q.Model)
		}
		is(r, asked, []string{"deep-model", "test-model", "test-model"})
	})
}

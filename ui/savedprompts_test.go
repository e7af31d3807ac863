package ui_test

import (
	"context"
	"testing"
	"time"

	"ibid/chains"
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
	playOn(t, 100, 24, func(t *testing.T) *rig {
		g := newRig(t, band+"-- Prompts/Deep.md --\n---\ncopilot-command-model-key: deep-model|openai\n---\nThink hard.\n",
			reply("fine"), reply("good"), reply("well"))
		named := func(_ context.Context, _, name string) (chains.Options, error) {
			return g.session(g.store, g.model, name), nil
		}
		g.desk = desk.New(desk.Options{
			Vault: g.vault, Gather: g.gather, Store: g.store, StateDir: g.state,
			Session: g.session(g.store, g.model, "test-model"), Prompts: desk.PromptOptions{Model: named},
		})
		return g
	}, func(r *stage) {
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

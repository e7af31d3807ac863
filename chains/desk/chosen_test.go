package desk_test

import (
	"context"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
)

// TestChosenModel: chats that begin later take the model that one has chosen with what
// belongs to the model, and nothing of what was chosen for that chat alone.
func TestChosenModel(t *testing.T) {
	const strict = notes + `
-- Chats/Strict.md --
---
epoch: 1773000000000
topic: "Strict"
tags:
  - copilot-conversation
ibid:
  v: 1
  chain: vault
  layout: strict
---

**user**: Where do I start?
[Timestamp: 2026/03/01 09:00:00]

**ai**: Begin.
[Timestamp: 2026/03/01 09:00:05]
`
	for _, line := range []string{"/model big", "/effort high"} {
		m := chaintest.New()
		r := newRig(t, strict, m)
		r.equip(m, nil, func(o *desk.Options) {
			o.Model = func(context.Context, string, string) (chains.Options, error) {
				return chains.Options{Model: m, ModelName: "big", Window: 9000}, nil
			}
			o.Effort = func(string, string, string) (chains.Effort, error) {
				return chains.Effort{
					Options: chains.Options{Model: m, ModelName: "big", Window: 9000}, Now: "high",
					Levels: []string{"high"},
				}, nil
			}
		})
		check(t, r.desk.Open(t.Context(), "Strict"))
		said := r.line(line)
		r.desk.Begin(t.Context())
		o := r.desk.Session().Options()
		if o.ModelName != "big" || o.Window != 9000 || o.Layout != "" || o.Chain != (chains.Agent{}) {
			t.Errorf("%s: %s: a new chat has %q, window %d, layout %q, chain %T", line, said, o.ModelName, o.Window,
				o.Layout, o.Chain)
		}
	}
}

// TestFoundModel: chats that begin after a model was found take it with all that comes
// with it, while the turn runs, after it, and when the chat it was found for is closed.
func TestFoundModel(t *testing.T) {
	m := chaintest.New()
	m.Add(chaintest.Reply{Text: "One.", Model: &chains.Options{Model: m, ModelName: "found", Window: 9000}})
	r := newRig(t, notes, m)
	r.equip(m, nil, func(o *desk.Options) { o.Session.ModelName = "" })
	first := r.desk.Chat
	wants := func(when string) {
		t.Helper()
		r.desk.Begin(t.Context())
		if o := r.desk.Session().Options(); o.ModelName != "found" || o.Window != 9000 || o.Chain != (chains.Agent{}) {
			t.Errorf("%s, a new chat has %q, window %d, chain %T", when, o.ModelName, o.Window, o.Chain)
		}
	}
	for e, err := range first.Counted(t.Context(), first.Session().Send(t.Context(), first.Input("hello"))) {
		check(t, err)
		if _, ok := e.(chains.TextDelta); ok {
			wants("while it answers")
		}
	}
	check(t, first.Close())
	wants("once that chat is closed")
	for _, c := range r.desk.Chats() {
		check(t, c.Close())
	}
	is(t, r.desk.Session().Options().ModelName, "found")
}

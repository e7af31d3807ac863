package ui_test

import (
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
)

// pricedModel is a model that is known to cost something.
type pricedModel struct {
	*chaintest.Script
	price chains.Price
}

func (m *pricedModel) Price() chains.Price { return m.price }

// TestCost: what sending costs stands at the prompt before enter, what the chat has
// cost in the header and in F2, and nothing stands where no price is known.
func TestCost(t *testing.T) {
	model := &pricedModel{price: chains.Price{Known: true, Input: 300, Cached: 30, Written: 300, Output: 1500}}
	var g *rig
	uitest.Play(t, 120, 40, func(t *testing.T) ui.Options {
		g = newRig(t, band)
		model.Script = chaintest.New(
			chaintest.Reply{Text: "Roll it off.", Usage: &chains.Usage{Prompt: 1000, Cached: 0, Completion: 100, Cost: 0.45}},
			chaintest.Reply{Text: "Again.", Usage: &chains.Usage{Prompt: 1000, Cached: 0, Completion: 100, Cost: -1}},
		)
		g.store, g.desk = g.open(t, model, "test-model")
		return g.options()
	}, func(t *testing.T, r *uitest.Robot) {
		r.Type("tone?")
		r.WaitFor("sends 135 tokens, ≈ $0.041")
		r.Press("enter")
		r.WaitFor("· $0.450")
		r.Press("f2")
		r.WaitFor("$0.450 of $0.450")
		r.Press("esc")
		model.price = chains.Price{} // another model
		r.Type("and?")
		r.Pass(time.Second)
		if r.Has("≈ $") {
			t.Errorf("a price that is not known:\n%s", r.Screen())
		}
		r.Press("enter")
		r.WaitFor("Again.")
		r.WaitFor("· $0.450")
		model.price = chains.Price{Known: true}
		r.Type("free?")
		r.WaitFor("139 cached, free")
		r.WantNot("this session") // it was all of it in this chat
		r.Press("ctrl+n")
		r.WaitFor("· $0.450 this session")
	})
}

package chains_test

import (
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// TestSpent: what requests have cost is added up for the chat, which keeps it, and for
// all chats of the process (S0-52), with what was predicted to be cached.
func TestSpent(t *testing.T) {
	r := newRig(t, garden)
	process := &chains.Process{}
	r.begin(func(o *chains.Options) {
		o.Process = process
		o.Cache = chains.CacheRule{At: "shop", Cache: prompt.Cache{Kind: prompt.CacheSteps, Read: 0.1}}
	})
	predicted := 0
	turn := func(prompt, cached int) {
		t.Helper()
		r.model.Add(chaintest.Reply{
			Text:  "Yes.",
			Usage: &chains.Usage{Prompt: prompt, Cached: cached, CacheWrite: -1, Completion: 7, Reasoning: 2, Cost: -1},
		})
		for _, e := range r.say("Is it?").events {
			if u, ok := e.(chains.UsageReported); ok && !u.Turn && cached >= 0 {
				predicted += u.Predicted.Cached
			}
		}
	}
	turn(100, 0)
	turn(200, 150)
	turn(300, -1) // this server does not always say
	r.reopen(func(o *chains.Options) { o.Process = process })
	chat := r.session.Snapshot().Totals
	if len(chat) != 1 || predicted == 0 {
		t.Fatalf("%+v, %d predicted", chat, predicted)
	}
	got := chat[0]
	if got.Provider != "shop" || got.Turns != 3 || got.Requests != 3 || got.Predicted != predicted ||
		got.Usage.Prompt != 600 || got.Usage.Cached != 150 || got.Usage.Reasoning != 6 {
		t.Errorf("the chat has spent %+v, %d predicted", got, predicted)
	}
	if all := process.Spent(); len(all) != 1 || all[0] != got {
		t.Errorf("the process has spent %+v", all)
	}
	r.session = chains.NewSession(r.opts)
	turn(50, 0)
	if all, chat := process.Spent(), r.session.Snapshot().Totals; all[0].Turns != 4 || len(chat) != 1 ||
		chat[0].Turns != 1 {
		t.Errorf("with another chat the process has spent %+v, that %+v", all, chat)
	}
}

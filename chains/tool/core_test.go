package tool

import (
	"testing"

	"ibid/chains/calltext"
	"ibid/context/tokens"
	"ibid/vault/undo"
)

// TestCore: the core of the tools is what a model on a small window needs, and what
// one that calls tools in text is told of it stays small.
func TestCore(t *testing.T) {
	var core []calltext.Tool
	var names []string
	for _, tool := range New(Options{Journal: undo.New(nil, undo.Options{})}) {
		if s := tool.Spec(); s.Core {
			core = append(core, calltext.Tool{Name: s.Name, Description: s.Description, Schema: s.Schema})
			names = append(names, s.Name)
		}
	}
	if len(names) < 6 || len(names) > 8 {
		t.Errorf("the core is %q", names)
	}
	count := tokens.NewCounter()
	if n := count.Count(calltext.Guide(core)); n > 1600 {
		t.Errorf("the guide has %d tokens, want 1,600 at most", n)
	} else {
		t.Logf("%d tokens for %q", n, names)
	}
}

// TestBlockGuide: what @composer adds to a turn stays small.
func TestBlockGuide(t *testing.T) {
	count := tokens.NewCounter()
	if n := count.Count(calltext.BlockGuide); n > 120 {
		t.Errorf("the guide to blocks has %d tokens, want 120 at most", n)
	}
}

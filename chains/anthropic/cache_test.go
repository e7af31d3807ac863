package anthropic_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/chaintest"
	"ibid/chains/wire"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// A chat of twelve turns, with notes that come and come again: a server that
// counts by the rules of this cache finds most of each prompt, and the prediction
// says so before.
func TestCachedShare(t *testing.T) {
	var archive strings.Builder
	for i := range 6 {
		fmt.Fprintf(&archive, "-- Bed %d.md --\n# Bed %d\n\n%s\n", i, i,
			strings.Repeat(fmt.Sprintf("Row %d of the bed holds tulips, leeks and a label. ", i), 120))
	}
	cache := prompt.Cache{Kind: prompt.CacheBlocks, Min: 1024, Read: 0.1, Write: 1.25, Marks: "cache_control"}
	srv := chaintest.NewServer(t, chaintest.Options{Key: "sk-ant-12345678", Cache: cache})
	c := client(t, anthropic.Options{Marks: true, Options: wire.Options{BaseURL: srv.Host(), Key: "sk-ant-12345678"}})
	s := chains.NewSession(chains.Options{
		Model: c.Model("claude-test"), ModelName: "claude-test",
		Gather: gather.New(vaulttest.New(t, archive.String()), gather.Options{}),
		Cache:  chains.CacheRule{Cache: cache}, Window: 200_000,
	})
	var all, cached, predicted int
	for turn := range 12 {
		in := chains.Input{Text: fmt.Sprintf("Question %d: what grows there, and what should be moved before winter?", turn)}
		if turn%2 == 0 {
			in.Attach = []prompt.Ref{{Kind: prompt.Note, ID: fmt.Sprintf("Bed %d.md", turn/2)}}
		} else if turn > 2 {
			in.Attach = []prompt.Ref{{Kind: prompt.Note, ID: "Bed 0.md"}}
		}
		for e, err := range s.Send(t.Context(), in) {
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case chains.ContextReady:
				predicted += e.Envelope.Predicted.Cached
			case chains.UsageReported:
				if e.Turn {
					continue
				}
				all, cached = all+e.Usage.Prompt, cached+e.Usage.Cached
			case chains.Done:
				if e.Err != nil {
					t.Fatal(e.Err)
				}
			}
		}
	}
	share, said := float64(cached)/float64(all), float64(predicted)/float64(all)
	t.Logf("%d of %d tokens were cached (%.1f %%), %.1f %% were predicted", cached, all, 100*share, 100*said)
	if share < 0.8 || share-said > 0.1 || said-share > 0.1 {
		t.Error("less than promised")
	}
}

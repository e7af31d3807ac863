package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// onePixel is a picture.
const onePixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"

// TestPredictedOverResponses: of each request of a chat with notes, a picture, an effort and
// rounds of tools, the share that the server counts as cached is within ten points of
// what was predicted before it was sent: with marks and without.
func TestPredictedOverResponses(t *testing.T) {
	efforts := []string{"low", "medium", "high"}
	for name, row := range map[string]struct {
		cache prompt.Cache
		marks string
		least float64 // of the whole chat
	}{
		"with marks": {prompt.Cache{
			Kind: prompt.CacheBoundaries, Min: 1024, Read: 0.1, Write: 1.25,
			Marks: "cache_control",
		}, openai.MarkBreakpoint, 0.7},
		"without marks": {
			prompt.Cache{Kind: prompt.CacheSteps, Min: 1024, Step: 128, Read: 0.1, Write: 1},
			openai.MarkNone, 0.7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var archive strings.Builder
			for i := range 5 {
				fmt.Fprintf(&archive, "-- Bed %d.md --\n# Bed %d\n\n%s\n", i, i,
					strings.Repeat(fmt.Sprintf("Row %d of the bed holds tulips, leeks and a label. ", i), 120))
			}
			fmt.Fprintf(&archive, "-- plan.png --\n%s\n-- Plan.md --\nThe plan: ![[plan.png]]\n", onePixel)
			var answers []chaintest.Answer
			for turn := range 10 {
				if turn%2 == 1 {
					for round := range 2 {
						id := fmt.Sprintf("call_%d_%d", turn, round)
						answers = append(answers,
							chaintest.Answer{
								Reasoning: "Look.",
								ToolCalls: []prompt.ToolCall{{ID: id, Name: "says", Arguments: fmt.Sprintf(`{"query":"q%d"}`, round)}},
							})
					}
				}
				answers = append(answers,
					chaintest.Answer{
						Reasoning: "Think.",
						Text:      fmt.Sprintf("Answer %d. %s", turn, strings.Repeat("Move the leeks. ", 20)),
					})
			}
			srv := chaintest.NewServer(t,
				chaintest.Options{
					Answers: answers, Cache: row.cache,
					Models: []chaintest.Model{{ID: "gpt-6.1-sol", Efforts: efforts}},
				})
			o := atOpenAI(srv.URL(), wire.Facts{Thinks: true, Responses: true, Efforts: efforts, Marks: row.marks})
			o.Extra = map[string]any{"reasoning": map[string]any{"effort": "high", "summary": "auto"}}
			c := newClient(t, o)
			s := chains.NewSession(chains.Options{
				Model: c.Model("gpt-6.1-sol"), ModelName: "gpt-6.1-sol", Vision: true, Window: 400_000,
				Gather: gather.New(vaulttest.New(t, archive.String()), gather.Options{}),
				Chain:  chains.Agent{},
				Tools: chains.Toolbox{List: []chains.Tool{chaintest.Texts("says",
					strings.Repeat("A heron stands in the pond. ", 60))}},
				Cache: chains.CacheRule{Cache: row.cache},
			})
			var all, cached, requests int
			for turn := range 10 {
				in := chains.Input{Text: fmt.Sprintf(
					"Question %d: what grows there, and what should be moved before winter?", turn)}
				switch {
				case turn == 4:
					in.Active = prompt.Ref{Kind: prompt.Note, ID: "Plan.md"}
				case turn%2 == 0:
					in.Attach = []prompt.Ref{{Kind: prompt.Note, ID: fmt.Sprintf("Bed %d.md", turn/2)}}
				}
				var predicted prompt.Prediction
				for e, err := range s.Send(t.Context(), in) {
					check(t, err)
					switch e := e.(type) {
					case chains.ContextReady:
						predicted = e.Envelope.Predicted
					case chains.UsageReported:
						if e.Turn {
							continue
						}
						requests, all, cached = requests+1, all+e.Usage.Prompt, cached+e.Usage.Cached
						got, said := 100*float64(e.Usage.Cached)/float64(e.Usage.Prompt),
							100*float64(predicted.Cached)/float64(predicted.Prompt)
						if got-said > 10 || said-got > 10 {
							t.Errorf(
								"turn %d, request %d: %d of %d tokens cached (%.0f %%), predicted %d of %d (%.0f %%)",
								turn+1, requests, e.Usage.Cached, e.Usage.Prompt, got, predicted.Cached,
								predicted.Prompt, said)
						}
					case chains.Done:
						if e.Err != nil {
							t.Fatal(e.Err)
						}
					}
				}
			}
			share := float64(cached) / float64(all)
			t.Logf("%d requests: %d of %d tokens cached (%.1f %%)", requests, cached, all, 100*share)
			if requests != 20 || share < row.least {
				t.Error("less than promised")
			}
			pictures := 0
			for i, got := range srv.Completions() {
				pictures += strings.Count(string(got.Body), `"input_image"`)
				if body := string(got.Body); got.Path != "/v1/responses" ||
					!strings.Contains(body, `"effort":"high"`) ||
					strings.Contains(body, "prompt_cache_breakpoint") != (row.marks != "") {
					t.Errorf("request %d to %s: %s", i+1, got.Path, body)
				}
			}
			if pictures == 0 {
				t.Error("the picture was not sent")
			}
		})
	}
}

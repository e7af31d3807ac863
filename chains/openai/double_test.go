package openai_test

import (
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/openai"
)

// TestAgainstDouble: the server that the rest of the program is tested with
// speaks as this client reads, in the dialect of every kind of server.
func TestAgainstDouble(t *testing.T) {
	for _, like := range []string{
		chaintest.LikeOpenAI, chaintest.LikeOpenRouter, chaintest.LikeMistral, chaintest.LikeGroq,
		chaintest.LikeVLLM, chaintest.LikeLlamaCpp, chaintest.LikeOllama, chaintest.LikeLMStudio,
	} {
		t.Run("like "+like, func(t *testing.T) {
			t.Parallel()
			srv := chaintest.NewServer(t, chaintest.Options{
				Like: like, Key: "key-for-tests", Answers: []chaintest.Answer{{Text: "Pass it down.", Reasoning: "hm", Split: 5}},
				Models: []chaintest.Model{{ID: "text-embed"}, {ID: "small", Window: 32768, Loaded: 8192}},
			})
			c := newClient(t, openai.Options{BaseURL: srv.URL(), Key: "key-for-tests"})
			list, err := c.Models(t.Context())
			m, ok := chains.FirstChat(list)
			if err != nil || !ok || m.ID != "small" {
				t.Fatalf("models %+v, error %v", list, err)
			}
			switch want := 8192; {
			case like == chaintest.LikeOpenAI && m.Window == 0:
			case m.Window != want && m.Window != 32768:
				t.Errorf("window %d", m.Window)
			}
			r := question("?")
			r.Model = m.ID
			o := collect(t.Context(), c, r)
			if o.Err != nil || o.Text != "Pass it down." || o.Reasoning != "hm" || o.Finish != chains.FinishStop || o.Usage == nil || o.Usage.Prompt <= 0 {
				t.Errorf("%+v", o)
			}
		})
	}
}

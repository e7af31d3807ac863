package openai_test

import (
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/wire"
)

// TestAgainstDouble: the server that the rest of the program is tested with
// speaks as this client reads.
func TestAgainstDouble(t *testing.T) {
	srv := chaintest.NewServer(t, chaintest.Options{
		Key: "key-for-tests", Answers: []chaintest.Answer{{Text: "Pass it down.", Reasoning: "hm", Split: 5}},
		Models: []chaintest.Model{{ID: "text-embed"}, {ID: "small"}},
	})
	c := clientOf(t, wire.Options{BaseURL: srv.URL(), Key: "key-for-tests"})
	list, err := c.Models(t.Context())
	m, ok := chains.FirstChat(list)
	if err != nil || !ok || m.ID != "small" {
		t.Fatalf("models %+v, error %v", list, err)
	}
	r := question("?")
	r.Model = m.ID
	o := collect(t.Context(), c, r)
	if o.Err != nil || o.Text != "Pass it down." || o.Reasoning != "hm" || o.Finish != chains.FinishStop ||
		o.Usage == nil || o.Usage.Prompt <= 0 {
		t.Errorf("%+v", o)
	}
}

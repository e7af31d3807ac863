package openai_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// TestServer: as a server the client gives out models, which answer under their
// own names and whose thinking is told from what they say.
func TestServer(t *testing.T) {
	thinks := stream(piece(map[string]any{"content": "<think>pl"}),
		piece(map[string]any{"content": "an</think>\n\nYes."}), ends("stop"))
	srv := newServer(t, thinks, answer{status: 404, body: `{"error":{"message":"model not found"}}`}, textAnswer("ok"))
	srv.pages["/v1/models"] = `{"data":[{"id":"small-model"}]}`
	var server chains.Server = newClient(t,
		openai.Options{Options: wire.Options{BaseURL: srv.url, Name: "somewhere"}, Model: "smal-model"})
	r := chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "?"}}}
	o := collect(t.Context(), server.Model("big-model"), r)
	if o.Text != "Yes." || o.Reasoning != "plan" || o.Finish != chains.FinishStop || o.Err != nil {
		t.Errorf("%+v", o)
	}
	e := providerError(t, collect(t.Context(), server.Model(""), r).Err)
	if want := `Model "smal-model" not found at somewhere. Did you mean "small-model"? Choose with /model or --model. It said: model not found.`; e.Message != want {
		t.Errorf("%q, want %q", e.Message, want)
	}
	r.Model = "other-model"
	collect(t.Context(), server.Model("big-model"), r)
	for i, want := range []string{"big-model", "smal-model", "other-model"} {
		if body := srv.got()[i].body; !strings.Contains(body, `"model":"`+want+`"`) {
			t.Errorf("request %d: %s", i+1, body)
		}
	}
	if own, ok := server.Known(""); !ok || own.ID != "smal-model" {
		t.Errorf("the model of the options is %+v, %v", own, ok)
	}
	if info, ok := server.Known("small-model"); !ok || !info.Chat {
		t.Errorf("known: %+v, %v", info, ok)
	}
}

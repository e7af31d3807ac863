package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"ibid/chains/wire"
)

// TestAzureAddresses checks the requests for each kind of address in Azure's portal: the URL,
// the header with the key, and the model in the body.
func TestAzureAddresses(t *testing.T) {
	const dated = "?api-version=2025-01-01-preview"
	rows := []struct{ base, model, url, header string }{
		{
			"https://mine.openai.azure.com", "dep",
			"https://mine.openai.azure.com/openai/deployments/dep/chat/completions?api-version=2024-10-21", "Api-Key",
		},
		{
			"https://mine.openai.azure.com/", "my dep",
			"https://mine.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2024-10-21", "Api-Key",
		},
		{
			"https://mine.openai.azure.com/openai/deployments/dep/chat/completions" + dated, "",
			"https://mine.openai.azure.com/openai/deployments/dep/chat/completions" + dated, "Api-Key",
		},
		{
			"https://mine.openai.azure.com/openai/deployments/dep/chat/completions" + dated, "other",
			"https://mine.openai.azure.com/openai/deployments/other/chat/completions" + dated, "Api-Key",
		},
		{
			"https://mine.cognitiveservices.azure.com/openai/deployments/dep" + dated, "",
			"https://mine.cognitiveservices.azure.com/openai/deployments/dep/chat/completions" + dated, "Api-Key",
		},
		{
			"https://mine.cognitiveservices.azure.com/openai/responses" + dated, "dep",
			"https://mine.cognitiveservices.azure.com/openai/deployments/dep/chat/completions" + dated, "Api-Key",
		},
		{
			"https://MINE.openai.azure.com/openai/v1/", "dep", "https://MINE.openai.azure.com/openai/v1/responses",
			"Authorization",
		},
		{
			"https://mine.openai.azure.com/openai/v1/chat/completions", "dep",
			"https://mine.openai.azure.com/openai/v1/responses", "Authorization",
		},
		{
			"https://mine.openai.azure.com/openai/v1/?api-version=preview", "dep",
			"https://mine.openai.azure.com/openai/v1/responses?api-version=preview", "Authorization",
		},
		{
			"https://mine.services.ai.azure.com/models/chat/completions" + dated, "dep",
			"https://mine.services.ai.azure.com/openai/v1/responses", "Authorization",
		},
		{
			"https://mine.services.ai.azure.com/api/projects/garden", "dep",
			"https://mine.services.ai.azure.com/openai/v1/responses", "Authorization",
		},
		{
			"https://mine.services.ai.azure.com/openai/deployments/dep/chat/completions" + dated, "",
			"https://mine.services.ai.azure.com/openai/deployments/dep/chat/completions" + dated, "Api-Key",
		},
		{
			"https://gateway.example/team", "dep",
			"https://gateway.example/team/openai/deployments/dep/chat/completions?api-version=2024-10-21", "Api-Key",
		},
	}
	for _, row := range rows {
		var got *http.Request
		rt := transportFunc(func(r *http.Request) (*http.Response, error) {
			got = r
			return respond(200, greeting(r)), nil
		})
		c := clientOf(t, wire.Options{BaseURL: row.base, Name: "azure", Key: "key-for-tests", Transport: rt})
		r := question("?")
		r.Model = row.model
		if o := collect(t.Context(), c, r); o.Err != nil {
			t.Errorf("%s: %v", row.base, o.Err)
			continue
		}
		other := map[string]string{"Api-Key": "Authorization", "Authorization": "Api-Key"}[row.header]
		if got.URL.String() != row.url || got.Header.Get(row.header) == "" || got.Header.Get(other) != "" {
			t.Errorf("%s: %s with %v\nwant %s with %s", row.base, got.URL, got.Header, row.url, row.header)
		}
	}
}

// TestAzureEmbeddings: a deployment has an address of its own for vectors, with the version of the interface.
func TestAzureEmbeddings(t *testing.T) {
	for base, want := range map[string]string{
		"https://mine.openai.azure.com/openai/deployments/dep/chat/completions": "https://mine.openai.azure.com/openai/deployments/my%20dep/embeddings?api-version=2024-10-21 Api-Key",
		"https://mine.openai.azure.com/openai/v1":                               "https://mine.openai.azure.com/openai/v1/embeddings Authorization",
	} {
		c := clientOf(t, wire.Options{BaseURL: base, Name: "azure", Key: "key-for-tests", Transport: transportFunc(func(r *http.Request) (*http.Response, error) {
			for name := range r.Header {
				if (name == "Api-Key" || name == "Authorization") && r.URL.String()+" "+name != want {
					t.Errorf("%s %s, want %s", r.URL, name, want)
				}
			}
			return respond(200, `{"data":[{"index":0,"embedding":[1]}]}`), nil
		})})
		if got, err := c.Embed(t.Context(), "my dep", []string{"oak"}); err != nil || len(got) != 1 || len(got[0]) != 1 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// greeting returns a reply in the protocol of the request.
func greeting(r *http.Request) string {
	if strings.HasSuffix(r.URL.Path, "/responses") {
		return events(`{"type":"response.output_text.delta","delta":"Hi"}`,
			`{"type":"response.completed","response":{"status":"completed"}}`)
	}
	return hi + done
}

// TestAzureModels: a resource lists what could be deployed, not what is, so it is not asked.
func TestAzureModels(t *testing.T) {
	none := transportFunc(func(*http.Request) (*http.Response, error) {
		t.Error("asked")
		return nil, http.ErrServerClosed
	})
	c := clientOf(t,
		wire.Options{
			BaseURL: "https://mine.openai.azure.com/openai/deployments/dep/chat/completions",
			Key:     "key-for-tests", Transport: none,
		})
	if list, err := c.Models(t.Context()); err != nil || len(list) != 1 || list[0].ID != "dep" {
		t.Errorf("models %+v, error %v", list, err)
	}
	c = clientOf(t, wire.Options{BaseURL: "https://mine.openai.azure.com/", Key: "key-for-tests", Transport: none})
	_, err := c.Models(t.Context())
	if e := providerError(t, err); e.Message !=
		"Azure lists no deployments: name yours with --model, or give its whole address with --base-url." {

		t.Errorf("error %q", e.Message)
	}
}

package chains_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// A person is asked for each host that they did not write themselves, once a
// conversation. What was pasted is not theirs.
func TestHosts(t *testing.T) {
	fetch := chaintest.Texts("fetch", "page")
	fetch.ToolSpec.Ask, fetch.ToolSpec.Address, fetch.ToolSpec.Schema = chains.AccessWeb, "url", `{"type":"object"}`
	search := chaintest.Texts("search", "hits")
	search.ToolSpec.Ask = chains.AccessWeb
	pasted := "as https://pasted.example/page says"
	for _, tt := range []struct {
		text  string
		spans []prompt.Span
		calls []string
		asked []string
	}{
		{text: "read https://a.example/x please", calls: []string{"https://a.example/y", "HTTPS://A.EXAMPLE/x?q=1#z", "https://evil.example/?a.example"}, asked: []string{"https://evil.example/?a.example"}},
		{text: "what is on (b.example)?", calls: []string{"http://b.example/"}},
		{text: "and on b.example.", calls: []string{"http://sub.b.example/", "http://b.example.evil.example/", "http://b.example:8080/", "http://b.example@evil.example/"}, asked: []string{"http://sub.b.example/", "http://b.example.evil.example/", "http://b.example:8080/", "http://b.example@evil.example/"}},
		{text: pasted, spans: []prompt.Span{{To: len(pasted)}}, calls: []string{"https://pasted.example/page"}, asked: []string{"https://pasted.example/page"}},
		{text: "go", calls: []string{"search", "https://c.example/1", "https://c.example/2", "search"}, asked: []string{"search", "https://c.example/1"}},
		{text: "go", calls: []string{"no address", ""}, asked: []string{"no address"}},
	} {
		r := newRig(t, garden)
		r.begin(func(o *chains.Options) {
			o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{fetch, search}
		})
		reply := chaintest.Reply{}
		for i, url := range tt.calls {
			c := prompt.ToolCall{ID: fmt.Sprint("c", i), Name: "fetch", Arguments: fmt.Sprintf(`{"url":%q}`, url)}
			if url == "search" {
				c.Name, c.Arguments = "search", fmt.Sprintf(`{"query":"%d"}`, i)
			}
			reply.ToolCalls = append(reply.ToolCalls, c)
		}
		r.model.Add(reply, chaintest.Reply{Text: "Done."})
		var asked []string
		for e, err := range r.session.Send(t.Context(), chains.Input{Text: tt.text, Spans: tt.spans}) {
			if err != nil {
				t.Fatal(err)
			}
			if a, ok := e.(chains.Asked); ok {
				of := a.Call.Name
				if i := slices.IndexFunc(tt.calls, func(url string) bool {
					return url != "" && strings.Contains(a.Call.Arguments, fmt.Sprintf("%q", url))
				}); i >= 0 {
					of = tt.calls[i]
				}
				asked = append(asked, of)
				a.Answer(chains.Decision{Yes: true})
			}
		}
		if !slices.Equal(asked, tt.asked) {
			t.Errorf("%s: asked for %q, want %q", tt.text, asked, tt.asked)
		}
	}
}

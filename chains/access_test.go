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

// A page is fetched unasked only from an address that the person typed as one, in this
// chat and outside of code. A yes is for a host, and where there is a query for that
// address alone.
func TestHosts(t *testing.T) {
	fetch := chaintest.Texts("fetch", "page")
	fetch.ToolSpec.Ask, fetch.ToolSpec.Address, fetch.ToolSpec.Schema = chains.AccessWeb, "url", `{"type":"object"}`
	search := chaintest.Texts("search", "hits")
	search.ToolSpec.Ask = chains.AccessWeb
	pasted := "as https://pasted.example/page says"
	in := func(text string, spans ...prompt.Span) chains.Input {
		return chains.Input{Text: text, Spans: spans, Typed: true}
	}
	for _, tt := range []struct {
		turns []chains.Input // the last one calls
		calls []string
		asked []string // nil for all of them
		none  bool     // of them
	}{
		{turns: []chains.Input{in("read https://a.example/x please")}, none: true, calls: []string{"HTTPS://A.EXAMPLE/x#z", "https://a.example/x"}},
		{turns: []chains.Input{in("read https://a.example/x please")}, calls: []string{"https://a.example/y", "https://evil.example/?https://a.example/x"}},
		{turns: []chains.Input{in("read https://a.example/x please")}, calls: []string{"https://a.example/x?q=secret", "http://a.example/x", "https://a.example/X"}, asked: []string{"https://a.example/x?q=secret", "http://a.example/x"}},
		{turns: []chains.Input{in("(https://a.example/x?q=1), right?")}, none: true, calls: []string{"https://a.example/x?q=1"}},
		{turns: []chains.Input{in("<http://a.example/>.")}, none: true, calls: []string{"http://a.example"}},
		{turns: []chains.Input{in("what is on b.example? Mail me@b.example or see //b.example/")}, calls: []string{"http://b.example/"}},
		{turns: []chains.Input{in("on http://b.example.")}, calls: []string{"http://sub.b.example/", "http://b.example.evil.example/", "http://b.example:8080/", "http://b.example@evil.example/"}},
		{turns: []chains.Input{in(pasted, prompt.Span{To: len(pasted)})}, calls: []string{"https://pasted.example/page"}},
		{turns: []chains.Input{in(pasted, prompt.Span{To: len(pasted) + 9})}, calls: []string{"https://pasted.example/page"}},
		{turns: []chains.Input{in("https://a.example/ends", prompt.Span{From: 18, To: 22})}, calls: []string{"https://a.example/ends", "https://a.example/"}, asked: []string{"https://a.example/ends"}},
		{turns: []chains.Input{{Text: "read https://a.example/x"}}, calls: []string{"https://a.example/x"}},
		{turns: []chains.Input{in("run `curl https://a.example/x`")}, calls: []string{"https://a.example/x"}},
		{turns: []chains.Input{in("run\n~~~\nhttps://a.example/x\n~~~\n")}, calls: []string{"https://a.example/x"}},
		{turns: []chains.Input{in("https://a.example/x is good"), in("so read it")}, none: true, calls: []string{"https://a.example/x"}},
		{turns: []chains.Input{in(pasted, prompt.Span{To: len(pasted)}), in("so read it")}, calls: []string{"https://pasted.example/page"}},
		{turns: []chains.Input{in("go")}, calls: []string{"search", "https://c.example/1", "https://c.example/2", "search"}, asked: []string{"search", "https://c.example/1"}},
		{turns: []chains.Input{in("go")}, calls: []string{"https://c.example/?a", "https://c.example/?b", "https://c.example/?a"}, asked: []string{"https://c.example/?a", "https://c.example/?b"}},
		{turns: []chains.Input{in("go")}, calls: []string{"no address", ""}, asked: []string{"no address"}},
	} {
		r := newRig(t, garden)
		r.begin(func(o *chains.Options) {
			o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{fetch, search}
		})
		reply := chaintest.Reply{}
		for i, url := range tt.calls {
			c := prompt.ToolCall{ID: fmt.Sprint("c", i), Name: "fetch", Arguments: fmt.Sprintf(`{"url":%q,"n":%d}`, url, i)}
			if url == "search" {
				c.Name, c.Arguments = "search", fmt.Sprintf(`{"query":"%d"}`, i)
			}
			reply.ToolCalls = append(reply.ToolCalls, c)
		}
		last := len(tt.turns) - 1
		for range last {
			r.model.Add(chaintest.Reply{Text: "Yes."})
		}
		r.model.Add(reply, chaintest.Reply{Text: "Done."})
		var asked []string
		for _, turn := range tt.turns {
			for e := range begun(t, r.session.Send(t.Context(), turn)) {
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
		}
		want := tt.asked
		if want == nil && !tt.none {
			want = tt.calls
		}
		if !slices.Equal(asked, want) {
			t.Errorf("%q: asked for %q, want %q", tt.turns[last].Text, asked, want)
		}
	}
}

// A turn of a chat that was opened again, and one that runs again, type nothing.
func TestTypedBefore(t *testing.T) {
	for _, text := range []string{"read https://a.example/x", "[[Beds]] https://a.example/x"} {
		fetch := chaintest.Texts("fetch", "page")
		fetch.ToolSpec.Ask, fetch.ToolSpec.Address, fetch.ToolSpec.Schema = chains.AccessWeb, "url", `{"type":"object"}`
		r := newRig(t, garden)
		options := func(o *chains.Options) { o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{fetch} }
		r.begin(options)
		r.model.Add(chaintest.Reply{Text: "Yes."})
		r.send(chains.Input{Text: text, Typed: true})
		r.reopen(options)
		r.model.Add(chaintest.Reply{ToolCalls: []prompt.ToolCall{{ID: "c", Name: "fetch", Arguments: `{"url":"https://a.example/x"}`}}}, chaintest.Reply{Text: "Done."})
		asked := 0
		for e := range begun(t, r.session.Retry(t.Context())) {
			if a, ok := e.(chains.Asked); ok {
				asked++
				a.Answer(chains.Decision{})
			}
		}
		if asked != 1 {
			t.Errorf("%q: asked %d times", text, asked)
		}
	}
}

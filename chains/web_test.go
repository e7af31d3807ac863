package chains_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// @web searches the web for what was typed, once the turn is sent and without a
// question, and a forecast sends nothing. Where there is no server it is said why.
func TestWebDirective(t *testing.T) {
	web := chaintest.Reader(chains.WebTool, "https://roofs.example/slate", "Slate lasts a century.")
	web.ToolSpec.Ask = chains.AccessWeb
	r := newRig(t, garden, textReplies("It lasts.[^1]", "Again.")...)
	r.begin(func(o *chains.Options) { o.Tools.List = []chains.Tool{web} })
	in := chains.Input{Text: "how long does slate last? @web"}
	_, missing, err := r.session.Preview(t.Context(), in)
	if err != nil || len(missing) != 1 || missing[0].State != "later" || len(web.Calls()) > 0 {
		t.Errorf("a forecast: %+v, %v, %q", missing, err, web.Calls())
	}
	var asked bool
	var footer string
	for e, err := range r.session.Send(t.Context(), in) {
		switch e := e.(type) {
		case chains.Asked:
			asked = true
		case chains.Citations:
			footer = e.Footer
		}
		check(t, err)
	}
	messages := r.model.Requests()[0].Messages
	last := messages[len(messages)-1].Content
	if calls := web.Calls(); asked || len(calls) != 1 || calls[0] != `{"query":"how long does slate last?"}` {
		t.Errorf("asked %v, called with %q", asked, calls)
	}
	if !strings.Contains(last, "<webSearch query=\"how long does slate last?\">") ||
		!strings.HasSuffix(last, "[User query]:\nhow long does slate last? @web") {
		t.Errorf("%s", last)
	}
	if !strings.Contains(footer, "[^1]: [roofs.example/slate](https://roofs.example/slate)") {
		t.Errorf("the sources: %q", footer)
	}
	if docs := r.model.Requests()[0].Documents; len(docs) != 1 || docs[0].Kind != prompt.URL ||
		docs[0].ID != "https://roofs.example/slate" || docs[0].Source.ID != 1 {
		t.Errorf("the documents are %+v", docs)
	}
	if list := r.model.Requests()[0].Tools; len(list) > 0 {
		t.Errorf("%d tools are offered", len(list))
	}

	r.begin(func(o *chains.Options) { o.Tools.List = nil })
	if _, missing, err := r.session.Preview(t.Context(), in); err != nil || len(missing) != 1 ||
		missing[0].Reason != "@web: no search server is configured; tools.web.search in the configuration names one" {
		t.Errorf("without a server: %+v, %v", missing, err)
	}
}

package chains_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// addWebTools adds tools to options: one that fetches pages, and one that searches the web.
func addWebTools(o *chains.Options) {
	fetch, search := chaintest.Texts("fetch", "page"), chaintest.Texts("search", "hits")
	fetch.ToolSpec.Ask, fetch.ToolSpec.Address, fetch.ToolSpec.Schema = chains.AccessWeb, "url", `{"type":"object"}`
	search.ToolSpec.Ask = chains.AccessWeb
	o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{fetch, search}
}

// A page is fetched unasked only from an address that the person typed as one, in this
// chat and outside of code. A yes is for a host, and where there is a query for that
// address alone. The lines of testdata/hosts.txt are turns, in which what stands in marks
// was pasted, and the calls of the last one, with a "?" where it is asked for.
func TestHosts(t *testing.T) {
	for line := range strings.Lines(string(value(os.ReadFile("testdata/hosts.txt"))(t))) {
		turns, calls, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		first := chaintest.Reply{}
		var urls, want, got []string
		for i, url := range strings.Split(calls, " ; ") {
			url, asked := strings.CutPrefix(url, "?")
			if urls = append(urls, url); asked {
				want = append(want, url)
			}
			c := call("fetch", fmt.Sprintf(`{"url":%q,"n":%d}`, url, i), i)
			if url == "search" {
				c.Name, c.Arguments = "search", fmt.Sprintf(`{"query":"%d"}`, i)
			}
			first.ToolCalls = append(first.ToolCalls, c)
		}
		all := strings.Split(strings.ReplaceAll(turns, `\n`, "\n"), " | ")
		r := newRig(t, garden, textReplies(slices.Repeat([]string{"Yes."}, len(all)-1)...)...).begin(addWebTools)
		r.model.Add(first, reply("Done."))
		for _, turn := range all {
			turn, program := strings.CutPrefix(turn, "PROGRAM ")
			before, rest, pasted := strings.Cut(turn, "‹")
			inside, after, ends := strings.Cut(rest, "›")
			in := chains.Input{Text: before + inside + after, Typed: !program}
			if pasted {
				in.Spans = []prompt.Span{{From: len(before), To: len(before) + len(inside)}}
			}
			if pasted && !ends { // behind the end of the text
				in.Spans[0].To += 9
			}
			for e := range eventsOf(t, r.session.Send(t.Context(), in)) {
				if a, ok := e.(chains.Asked); ok {
					of := a.Call.Name
					for _, url := range urls {
						if url != "" && strings.Contains(a.Call.Arguments, fmt.Sprintf("%q", url)) {
							of = url
						}
					}
					got = append(got, of)
					a.Answer(chains.Decision{Yes: true})
				}
			}
		}
		is(t, got, want, line)
	}
}

// A turn of a chat that was opened again, and one that runs again, type nothing.
func TestTypedBefore(t *testing.T) {
	for _, text := range []string{"read https://a.example/x", "[[Beds]] https://a.example/x"} {
		r := newRig(t, garden, textReplies("Yes.")...).begin(addWebTools)
		r.send(chains.Input{Text: text, Typed: true})
		r.reopen(addWebTools)
		r.model.Add(chaintest.Reply{ToolCalls: []prompt.ToolCall{{
			ID: "c", Name: "fetch",
			Arguments: `{"url":"https://a.example/x"}`,
		}}}, reply("Done."))
		asked := 0
		for e := range eventsOf(t, r.session.Retry(t.Context())) {
			if a, ok := e.(chains.Asked); ok {
				asked++
				a.Answer(chains.Decision{})
			}
		}
		is(t, asked, 1, text)
	}
}

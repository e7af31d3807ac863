package chains_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// TestFoundTooMuch: what was looked up and does not fit the window of the model is
// left out, and the model answers from what there is; what came before it stays as it
// was.
func TestFoundTooMuch(t *testing.T) {
	const told = "No more tool calls in this turn"
	look := calls(call("says", `{"query":"a"}`, 1), call("more", `{"query":"b"}`, 2))
	long := chaintest.TooLong(4096, 9000)
	refused := chaintest.Answer{
		Status: 400,
		Body:   `{"error":{"message":"the request exceeds the available context size","code":"context_length_exceeded"}}`,
	}
	tests := []struct {
		name     string
		answers  []chaintest.Answer
		requests int
		finish   chains.Finish
	}{
		{"left out", []chaintest.Answer{look, long, {Text: "Well."}}, 3, chains.FinishStop},
		{"no size named", []chaintest.Answer{look, refused, {Text: "Well."}}, 3, chains.FinishStop},
		{
			"not obeyed",
			[]chaintest.Answer{
				look, long,
				{Text: "Hm.", ToolCalls: calls(call("says", `{"query":"c"}`, 3)).ToolCalls},
			},
			3,
			chains.FinishToolLimit,
		},
		{"in vain", []chaintest.Answer{look, long, long}, 3, chains.FinishError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Repeat("word ", 2000)
			r, server := newLoopSession(t, []chains.Tool{chaintest.Texts("says", text), chaintest.Texts("more", text)}, tt.answers...)
			h := r.send(chains.Input{Text: "Go"}).ended(tt.finish)
			if n := len(server.Completions()); n != tt.requests {
				t.Fatalf("%d requests", n)
			}
			first, list := onWire(t, server, 1)
			last, same := onWire(t, server, tt.requests-1)
			if n := len(first) - 2; strings.Join(first[:n], "") != strings.Join(last[:n], "") || list != same ||
				len(first) != len(last) {
				t.Error("more than the results has changed")
			}
			if end := last[len(last)-1]; !strings.Contains(end, "does not fit the window") ||
				!strings.HasSuffix(end, "what you could not look up.") || len(end) > 4000 {
				t.Errorf("the last result is %q", short(end))
			}
			if strings.Contains(strings.Join(first, ""), told) {
				t.Error("told too early")
			}
			is(t, len(h.notices("window")), 1, h.notices(""))
		})
	}
}

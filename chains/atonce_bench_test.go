package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// BenchmarkToolsAtOnce says how much longer a turn takes whose reply calls two tools
// that work for 100 ms each than one that calls one of them.
func BenchmarkToolsAtOnce(b *testing.B) {
	slow := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "slow", Description: "x", Schema: `{"type":"object"}`},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			time.Sleep(100 * time.Millisecond)
			return chains.ToolOutput{Text: "done", Note: "done"}, nil
		},
	}
	r := newRig(b, garden)
	r.begin(func(o *chains.Options) {
		o.Store, o.Chain, o.Tools.List = nil, chains.Agent{}, []chains.Tool{slow}
	})
	turn := func(calls int) time.Duration {
		reply := chaintest.Reply{}
		for i := range calls {
			reply.ToolCalls = append(reply.ToolCalls, prompt.ToolCall{ID: fmt.Sprint("c", i), Name: "slow", Arguments: fmt.Sprintf(`{"n":%d}`, i)})
		}
		r.model.Add(reply, chaintest.Reply{Text: "Done."})
		start := time.Now()
		for _, err := range r.session.Send(b.Context(), chains.Input{Text: "Go"}) {
			if err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	var one, two time.Duration
	for b.Loop() {
		one, two = one+turn(1), two+turn(2)
	}
	b.ReportMetric(two.Seconds()/one.Seconds(), "two/one")
	b.ReportMetric(0, "ns/op")
}

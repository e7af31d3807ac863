package openai

import (
	"strings"
	"testing"

	"ibid/chains/wire"
	"ibid/context/prompt"
)

// decodeReply reads a reply of one chunk the way Stream does.
func decodeReply(chunk []byte) (calls []prompt.ToolCall, failed string) {
	c, err := New(Options{Options: wire.Options{BaseURL: "http://localhost/v1"}})
	if err != nil {
		panic(err) // the options are constant
	}
	r := reply{client: c, model: "m"}
	for _, f := range []wire.Frame{{Kind: wire.FrameChunk, Data: chunk}, {Kind: wire.EndDone}} {
		d, end, err := r.take(f)
		calls = append(calls, d.ToolCalls...)
		if err != nil {
			return calls, err.Error()
		}
		if end {
			break
		}
	}
	return calls, ""
}

// FuzzChunk: no chunk breaks the decoder, and what is handed out is text.
func FuzzChunk(f *testing.F) {
	for _, seed := range []string{
		`{"id":"x","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"text":"a"}]},"b"],"reasoning":"c","tool_calls":[{"index":0,"id":"i","function":{"name":"n","arguments":{}}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e9}}`,
		`{"choices":{"delta":{"content":"a"}},"usage":[],"error":{"metadata":{"raw":"{\"error\":{}}"}}}`, `{"choices":[null,[],{"delta":7}],"x_groq":{"usage":{}}}`, `[]`, `{`, `""`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		calls, failed := decodeReply(raw)
		if strings.ContainsAny(failed, "\n\x1b") {
			t.Fatalf("error %q", failed)
		}
		if failed != "" && len(calls) > 0 {
			t.Fatalf("calls %v of a failed reply", calls)
		}
	})
}

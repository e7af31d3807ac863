package openai

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// decodeReply reads a reply of one chunk.
func decodeReply(chunk []byte) (calls []prompt.ToolCall, failed string) {
	body := "data: " + strings.ReplaceAll(string(chunk), "\n", " ") + "\n\ndata: [DONE]\n\n"
	c, err := New(Options{Model: "m", Options: wire.Options{BaseURL: "http://localhost/v1", Transport: answers(body)}})
	if err != nil {
		panic(err) // the options are constant
	}
	for d, err := range c.Stream(context.Background(), chains.Request{}) {
		calls = append(calls, d.ToolCalls...)
		if err != nil {
			failed = err.Error()
		}
	}
	return calls, failed
}

// answers is a connection to a server that says this to every request.
type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(string(a))),
	}, nil
}

// FuzzChunk: no chunk breaks the decoder, and what is handed out is text.
func FuzzChunk(f *testing.F) {
	for _, seed := range []string{
		`{"id":"x","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"text":"a"}]},"b"],"reasoning":"c","tool_calls":[{"index":0,"id":"i","function":{"name":"n","arguments":{}}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e9}}`,
		`{"choices":{"delta":{"content":"a"}},"usage":[],"error":{"metadata":{"raw":"{\"error\":{}}"}}}`,
		`{"choices":[null,[],{"delta":7}],"x_groq":{"usage":{}}}`, `[]`, `{`, `""`, ``,
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

// TestFramesAlone reads frames behind each other: each gives what it gives alone.
func TestFramesAlone(t *testing.T) {
	content := func(literal string) string {
		return `{"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":` + literal +
			`,"reasoning_content":null},"finish_reason":null}]}`
	}
	frames := []string{
		content(`"plain"`), content(`""`), content(`"tab\tand \"quotes\" and \\"`), content(`"caf\u00e9 – ü 🙂"`),
		content(`null`), content(`7`), content(`["a"]`),
		content(`"a","content":"b"`), content(`"a","reasoning":"b"`), content(`"a","x":"b"`), content(`"a\"`),
		content(`"\"content\": \"a\""`), content(`"a" "b"`),
		`{"choices":[{"delta":{"content":"a"}}],"content":"a"}`,
		`{"choices":[{"delta":{"content":"b"}}],"content":"a"}`, `{"choices":[{"delta":{"content":"a","Content":"a"}}]}`,
		`{"choices":[{"delta":{"content":"b","Content":"a"}}]}`, `{"content":"a","choices":[{"delta":{}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"a"}}]}`, `{"choices":[{"index":1,"delta":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":7}}`,
		`{"choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":7}}`,
	}
	client, err := New(Options{Options: wire.Options{BaseURL: "http://localhost/v1", Transport: answers("")}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(frames ...string) string {
		r, in, text := &reply{client: client}, &wire.IncomingReply{}, ""
		for _, f := range frames {
			d := r.Chunk(in, []byte(f))
			text += "|" + d.Reasoning + "|" + d.Text
		}
		return text
	}
	for _, a := range frames {
		for _, b := range frames {
			if got, want := read(a, a, b), read(a)+read(a)+read(b); got != want {
				t.Errorf("%s\nand %s\ngive %q, want %q", a, b, got, want)
			}
		}
	}
}

// TestAlikeChunk: a chunk that differs from the one before by its content is not decoded; that it is read as if it
// were is in TestFramesAlone.
func TestAlikeChunk(t *testing.T) {
	r, in := &reply{client: &Client{Client: &wire.Client{}}}, &wire.IncomingReply{}
	r.Chunk(in, []byte(`{"choices":[{"delta":{"content":"one"}}]}`))
	if c, ok := r.last.content([]byte(`{"choices":[{"delta":{"content":" two"}}]}`)); !ok || string(c) != `" two"` {
		t.Errorf("a chunk like the one before is not found to be: %q, %v", c, ok)
	}
}

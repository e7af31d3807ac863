package openai

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/context/prompt"
)

// frames runs body through a normaliser in pieces of size bytes.
func frames(body []byte, size int, declared bool, how string) string {
	n := normaliser{declaredEvents: declared}
	for len(body) > 0 && !n.ended {
		k := min(size, len(body))
		n.feed(body[:k])
		body = body[k:]
	}
	n.finish(how, "")
	return string(n.out)
}

// deltas reads frames the way Stream does.
func deltas(frames string) (text, reasoning string, calls []prompt.ToolCall, finish chains.Finish, failed string) {
	c, err := New(Options{BaseURL: "http://localhost/v1"})
	if err != nil {
		panic(err) // the options are constant
	}
	r := reply{client: c, call: &call{model: "m"}}
	for line := range strings.Lines(frames) {
		d, end, err := r.take([]byte(strings.TrimSpace(strings.TrimPrefix(line, "data: "))))
		text, reasoning, calls = text+d.Text, reasoning+d.Reasoning, append(calls, d.ToolCalls...)
		if d.Finish != "" {
			finish = d.Finish
		}
		if err != nil {
			return text, reasoning, calls, finish, err.Error()
		}
		if end {
			return text, reasoning, calls, finish, ""
		}
	}
	return text, reasoning, calls, finish, "no end frame"
}

// FuzzFrames: any bytes give an end, and how they are cut changes nothing.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"\xef\xbb\xbfdata: {}\r\rdata: {}\r\n\r\n: hm\n\nevent: error\ndata: {\"message\":\"x\"}\n\n",
		"data: {\ndata: }\n\ndata: {}\ndata: {}\n\n", "{\"error\":\n\"x\"}", "[{\"error\":{}}]", "<html>", "error: no", "\n\n \xef", "dat", "data", ":",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]",
		"data: x\n{\"error\":\"y\"}\nid: 4\n", strings.Repeat(" ", 5000) + "{}", strings.Repeat("no ", 3000),
	} {
		f.Add([]byte(seed), uint16(3), true)
		f.Add([]byte(seed), uint16(1), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, cut uint16, declared bool) {
		for _, how := range []string{endEOF, endBroken} {
			whole := frames(body, max(1, len(body)), declared, how)
			if d := cmp.Diff(whole, frames(body, int(cut%64)+1, declared, how)); d != "" {
				t.Fatalf("cut at %d: %s", cut%64+1, d)
			}
			lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
			for i, line := range lines {
				if !strings.HasPrefix(line, "data: ") || (line[6] == frameEnd) != (i == len(lines)-1) {
					t.Fatalf("frame %d of %d: %q", i, len(lines), line)
				}
			}
			deltas(whole)
		}
	})
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
		line := bytes.NewBufferString("data: +")
		for _, b := range raw {
			if b != '\n' && b != '\r' {
				line.WriteByte(b)
			}
		}
		text, _, calls, _, failed := deltas(line.String() + "\ndata: .done\n")
		if strings.ContainsAny(failed, "\n\x1b") {
			t.Fatalf("error %q", failed)
		}
		if failed != "" && len(calls) > 0 {
			t.Fatalf("calls %v of a failed reply", calls)
		}
		_ = text
	})
}

// FuzzThink: how text is cut changes nothing, and nothing but tags and blank
// space around blocks is lost.
func FuzzThink(f *testing.F) {
	for _, seed := range []string{"<think>a</think>b", " \n<thought>a</thought>\n\n<thinking>b</thinking>c <think>d", "<think>never closed </thin", "<thin", "a<think>b</think>", "<think></think>", "<think>a</thinking>b</think>c"} {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		said, thought := splitThink(text, max(1, len(text)))
		s2, t2 := splitThink(text, int(cut%16)+1)
		if said != s2 || thought != t2 {
			t.Fatalf("cut: %q %q, whole: %q %q", s2, t2, said, thought)
		}
		if !strings.HasSuffix(text, said) {
			t.Fatalf("%q is not the end of %q", said, text)
		}
	})
}

func splitThink(text string, size int) (said, thought string) {
	var s ThinkSplitter
	for len(text) > 0 {
		k := min(size, len(text))
		a, b := s.Add(text[:k])
		said, thought, text = said+a, thought+b, text[k:]
	}
	a, b := s.Close()
	return said + a, thought + b
}

func TestThinkSplitter(t *testing.T) {
	rows := []struct{ text, said, thought string }{
		{"plain", "plain", ""},
		{"<think>plan</think>\n\nAnswer", "Answer", "plan"},
		{"\n<thought>a</thought><thinking>b</thinking>C", "C", "ab"},
		{"Use `<think>` tags.\n<think>not here</think>", "Use `<think>` tags.\n<think>not here</think>", ""},
		{"<think>cut off", "", "cut off"},
		{"<think>a </thi b</think>c", "c", "a </thi b"},
		{"<thinker>x</thinker>", "<thinker>x</thinker>", ""},
		{"  <thi", "  <thi", ""},
		{"   ", "   ", ""},
	}
	for _, row := range rows {
		for size := 1; size <= len(row.text); size++ {
			if said, thought := splitThink(row.text, size); said != row.said || thought != row.thought {
				t.Errorf("%q cut at %d: said %q, thought %q", row.text, size, said, thought)
			}
		}
	}
}

// TestEdit: one key changes, and every other byte stays.
func TestEdit(t *testing.T) {
	const doc = `{"a":1, "b":[{"c":"x,}]"},{}],"e":{}}`
	rows := []struct {
		path []any
		key  string
		want string
	}{
		{nil, "a", `{"a":0, "b":[{"c":"x,}]"},{}],"e":{}}`},
		{nil, "z", `{"a":1, "b":[{"c":"x,}]"},{}],"e":{},"z":0}`},
		{[]any{"b", 0}, "d", `{"a":1, "b":[{"c":"x,}]","d":0},{}],"e":{}}`},
		{[]any{"b", 0}, "c", `{"a":1, "b":[{"c":0},{}],"e":{}}`},
		{[]any{"b", 1}, "d", `{"a":1, "b":[{"c":"x,}]"},{"d":0}],"e":{}}`},
		{[]any{"e"}, "d", `{"a":1, "b":[{"c":"x,}]"},{}],"e":{"d":0}}`},
	}
	for _, row := range rows {
		got, err := applyEdits([]byte(doc), []edit{{path: row.path, key: row.key, value: []byte("0")}})
		if string(got) != row.want || err != nil {
			t.Errorf("%v %s: %s, error %v", row.path, row.key, got, err)
		}
	}
	for _, path := range [][]any{{"a"}, {"b", 7}, {"nowhere"}, {"b"}} {
		if got, err := applyEdits([]byte(doc), []edit{{path: path, key: "k", value: []byte("0")}}); err == nil {
			t.Errorf("%v: %s, want an error", path, got)
		}
	}
}

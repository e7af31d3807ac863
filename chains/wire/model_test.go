package wire_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/offline"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/vault/ownfile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outgoing returns a request to a model whose reply is ignored.
func outgoing() *wire.OutgoingRequest {
	return &wire.OutgoingRequest{Request: chains.Request{Model: "m"}, Yield: func(chains.Delta) bool { return true }}
}

// gather returns the reply of m: its text, its reasoning, and the error at the end.
func gather(t *testing.T, m chains.Model, question string) (text, reasoning string, finish chains.Finish, err error) {
	t.Helper()
	r := chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: question}}}
	for d, failed := range m.Stream(t.Context(), r) {
		if d.Finish != "" && (finish != "" || err != nil) {
			t.Errorf("finished twice: %q, %q", finish, d.Finish)
		}
		text, reasoning, finish, err = text+d.Text, reasoning+d.Reasoning, d.Finish, failed
	}
	return text, reasoning, finish, err
}

// TestSplitThinking: text that was held back is yielded before the end of a reply, for each
// kind of end.
func TestSplitThinking(t *testing.T) {
	broken := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "cut"}
	rows := []struct {
		reply           chaintest.Reply
		text, reasoning string
		err             error
	}{
		{chaintest.Reply{Chunks: []string{"<thi", "nk>plan</thi", "nk>\n\nAn", "swer"}}, "Answer", "plan", nil},
		{chaintest.Reply{Chunks: []string{"<thi"}}, "<thi", "", nil},
		{
			chaintest.Reply{Chunks: []string{"<think>plan</th", "ink>An", "never"}, ErrAfter: 2, Err: broken},
			"An",
			"plan", broken,
		},
		{chaintest.Reply{Chunks: []string{"<think>pl", "<", "never"}, ErrAfter: 2, Err: broken}, "", "pl<", broken},
		{chaintest.Reply{Chunks: []string{"Four.<", "|return|", ">"}}, "Four.", "", nil},
		{chaintest.Reply{Chunks: []string{"<think>plan</think>Four.<|end|>\n", "<|endoftext|>\n"}}, "Four.", "plan", nil},
		{chaintest.Reply{Chunks: []string{"<|channel|>final<|message|>Four.", "<|return|>"}}, "Four.", "", nil},
		{
			chaintest.Reply{Chunks: []string{"It is <|end|>", ", said as `<|end|>`"}},
			"It is <|end|>, said as `<|end|>`", "", nil,
		},
		{chaintest.Reply{Chunks: []string{"a < b <|en"}}, "a < b <|en", "", nil},
		{chaintest.Reply{Chunks: []string{"Four.<|end|>", "never"}, ErrAfter: 1, Err: broken}, "Four.<|end|>", "", broken},
		{chaintest.Reply{Chunks: []string{"I add <|end|>", "\n</think>Four."}}, "I add Four.", "<|end|>\n", nil},
	}
	for _, row := range rows {
		m := wire.SplitThinking(chaintest.New(row.reply))
		text, reasoning, _, err := gather(t, m, "?")
		if text != row.text || reasoning != row.reasoning || !errors.Is(err, row.err) {
			t.Errorf("%q: said %q, thought %q, error %v", row.reply.Chunks, text, reasoning, err)
		}
	}
}

// TestRecorded: a model without a connection is recorded like others, and a nil recorder
// changes nothing.
func TestRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	r, err := wire.NewRecorder(dir)
	check(t, err)
	server := offline.New(offline.Options{Recorder: r})
	text, _, finish, err := gather(t, server.Model(server.Name()), "What about <ctx>?")
	if err != nil || finish != chains.FinishStop {
		t.Fatalf("finish %q, error %v", finish, err)
	}
	want := map[string]string{"0001-request.json.gz": `"content":"What about`, "0001-reply.txt.gz": text}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		name := filepath.Base(f)[len("20060102-150405-"):]
		got, err := os.ReadFile(f)
		if err == nil {
			got, err = ownfile.Unpack(got)
		}
		if err != nil || want[name] == "" || !strings.Contains(string(got), want[name]) {
			t.Errorf("%s: %s, error %v", name, got, err)
		}
	}
	if len(files) != len(want) {
		t.Errorf("files %q", files)
	}
	plain := offline.New(offline.Options{})
	if m := plain.Model(offline.Name); m != chains.Model(plain) {
		t.Errorf("without a recorder there is a %T in between", m)
	}
}

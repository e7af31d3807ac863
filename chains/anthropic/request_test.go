package anthropic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

var update = flag.Bool("update", false, "write what is sent to testdata")

// greeting returns a complete reply.
func greeting() string { return events(start, textOn, piece("Yes."), ended("end_turn"), stop) }

// requestBody returns the body of the request for r.
func requestBody(t testing.TB, o anthropic.Options, r chains.Request) []byte {
	t.Helper()
	s := serve(t, greeting())
	o.BaseURL = s.url
	if got := ask(t, client(t, o), r); got.Err != nil {
		t.Fatal(got.Err)
	}
	return []byte(s.got[0])
}

const system = "You help.\n\n## Context Library\n\n<note_context>\nbeds\n</note_context>\n\n<note_context>\nshed\n</note_context>"

// conversation returns the request of a turn with tools, after another turn.
func conversation() chains.Request {
	echo := `{"thinking":[{"type":"thinking","thinking":"Sheds first.","signature":"c2ln"}]}`
	return chains.Request{
		Model: "claude-opus-5",
		Messages: []prompt.Message{
			{
				Role: prompt.System, Content: system,
				Parts: []prompt.Part{
					{End: 11, Mark: true},
					{End: strings.LastIndex(system, "<note_context>")},
					{End: len(system), Mark: true},
				},
			},
			{
				Role: prompt.User, Content: "Which beds?",
				Images: []prompt.Image{{MIME: "image/png", Data: []byte("png")}, {URL: "https://example.org/a.jpg"}},
			},
			{Role: prompt.Assistant, Content: "The <north> one.", Parts: []prompt.Part{{End: 16, Mark: true}}},
			{Role: prompt.User, Content: "Left out"}, // the reply to it failed
			{Role: prompt.User, Content: "And the spade?", Parts: []prompt.Part{{End: 14, Mark: true}}},
			{
				Role: prompt.Assistant, Echo: echo,
				ToolCalls: []prompt.ToolCall{
					{ID: "t1", Name: "localSearch", Arguments: `{"query":"spade"}`},
					{ID: "t2", Name: "getCurrentTime", Arguments: ""},
				},
			},
			{
				Role: prompt.ToolRole, ToolCallID: "t1", Content: "It hangs in the shed.",
				Parts: []prompt.Part{{End: 21, Mark: true}},
			},
			{Role: prompt.ToolRole, ToolCallID: "t2", Content: " ", Parts: []prompt.Part{{End: 1, Mark: true}}},
		},
		Tools: []chains.ToolSpec{
			{
				Name: "localSearch", Description: "Finds passages.",
				Schema: `{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`,
			},
			{Name: "getCurrentTime", Description: "The time."},
		},
	}
}

// optionsWithFacts returns options for models with these facts.
func optionsWithFacts(f wire.Facts, extra map[string]any) anthropic.Options {
	return anthropic.Options{Options: wire.Options{Extra: extra, Facts: func(string) wire.Facts { return f }}}
}

func thinking(r chains.Request, effort string) chains.Request {
	r.Effort = effort
	return r
}

func TestRequests(t *testing.T) {
	empty := chains.Request{Model: "m", Messages: []prompt.Message{
		{Role: prompt.System, Content: ""},
		{Role: prompt.User, Content: " \n"},
		{Role: prompt.Assistant, Content: ""},
		{Role: prompt.User, Content: "", Images: []prompt.Image{{MIME: "image/gif", Data: []byte("GIF")}}},
	}}
	plain := conversation()
	plain.Messages = plain.Messages[:5]
	other := conversation()
	other.Messages[5].Echo = `{"reasoning":"another protocol's"}`
	for name, tt := range map[string]struct {
		o anthropic.Options
		r chains.Request
	}{
		"marks":   {anthropic.Options{Marks: true}, conversation()},
		"an hour": {anthropic.Options{Marks: true, Lifetime: time.Hour}, plain},
		"plain":   {anthropic.Options{}, plain},
		"thinks": {optionsWithFacts(wire.Facts{MaxOutput: 32000},
			map[string]any{"temperature": 0.2, "stop_sequences": []string{"END"}}), thinking(conversation(), "medium")},
		"adaptive": {optionsWithFacts(wire.Facts{MaxOutput: 32000, Adaptive: true},
			map[string]any{"temperature": 0.2, "top_p": 0.9, "top_k": 5}), thinking(conversation(), "xhigh")},
		"off": {
			optionsWithFacts(wire.Facts{MaxOutput: 32000, Adaptive: true}, map[string]any{"temperature": 0.2}),
			thinking(plain, "off"),
		},
		"cannot think": {optionsWithFacts(wire.Facts{}, map[string]any{"temperature": 0.2}), thinking(other, "high")},
		"empty":        {anthropic.Options{Marks: true}, empty},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Indent(&got, requestBody(t, tt.o, tt.r), "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".json")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The budget of thinking stays below the longest reply, and too small a one is
// not asked for.
func TestEffort(t *testing.T) {
	for _, tt := range []struct {
		effort  string
		most    int // of the model
		asked   int
		want    int
		replies int
	}{
		{"", 64000, 0, 0, 64000},
		{"off", 64000, 0, 0, 64000},
		{"low", 64000, 0, 2048, 64000},
		{"medium", 64000, 0, 8192, 64000},
		{"high", 64000, 0, 24576, 64000},
		{"max", 64000, 0, 24576, 64000},
		{"high", 0, 0, 8192 - 1024, 8192},
		{"high", 64000, 300, 0, 300},
	} {
		r := thinking(question("?"), tt.effort)
		r.MaxTokens = tt.asked
		var got struct {
			MaxTokens int `json:"max_tokens"`
			Thinking  struct {
				Budget int `json:"budget_tokens"`
			}
		}
		doc := requestBody(t, optionsWithFacts(wire.Facts{MaxOutput: tt.most}, nil), r)
		if err := json.Unmarshal(doc, &got); err != nil || got.Thinking.Budget != tt.want || got.MaxTokens != tt.replies {
			t.Errorf("%+v: %+v %v", tt, got, err)
		}
	}
}

// TestOtherForm: a model that refuses one form of thinking is asked in the other, and
// from then on at once.
func TestOtherForm(t *testing.T) {
	for name, row := range map[string]struct {
		adaptive    bool
		said        string
		first, then string
	}{
		"newer than known": {false, `\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\".`, `"type":"enabled"`, `"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"}`},
		"older than known": {
			true, `adaptive thinking is not supported on this model`, `"type":"adaptive"`,
			`"type":"enabled","budget_tokens":24576`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			refusal := `{"type":"error","error":{"type":"invalid_request_error","message":"` + row.said + `"}}`
			s := serve(t, refusal, greeting(), greeting())
			s.status = 400
			o := optionsWithFacts(wire.Facts{MaxOutput: 32000, Adaptive: row.adaptive}, nil)
			o.BaseURL = s.url
			c := client(t, o)
			for range 2 {
				if out := ask(t, c, thinking(question("?"), "high")); out.Err != nil || len(out.Notices) > 0 {
					t.Fatalf("%+v", out)
				}
			}
			if len(s.got) != 3 || !strings.Contains(s.got[0], row.first) || !strings.Contains(s.got[1], row.then) ||
				!strings.Contains(s.got[2], row.then) {
				t.Errorf("%q", s.got)
			}
		})
	}
}

// Whatever a conversation holds: roles alternate, no text is blank, there are four
// marks at most, and no word is lost.
func TestShape(t *testing.T) {
	text := rapid.SampledFrom([]string{"", " ", "\n\n", "a", "a b ", " two words", "ö\n\n"})
	rapid.Check(t, func(rt *rapid.T) {
		r := chains.Request{Model: "m", Messages: []prompt.Message{{Role: prompt.User, Content: "begin"}}}
		words := "begin"
		for range rapid.IntRange(0, 8).Draw(rt, "messages") {
			m := prompt.Message{Role: rapid.SampledFrom([]prompt.Role{
				prompt.System, prompt.User,
				prompt.Assistant,
			}).Draw(rt, "role")}
			for range rapid.IntRange(0, 4).Draw(rt, "parts") {
				m.Content += text.Draw(rt, "text")
				m.Parts = append(m.Parts, prompt.Part{End: len(m.Content), Mark: rapid.Bool().Draw(rt, "mark")})
			}
			words += " " + m.Content
			r.Messages = append(r.Messages, m)
		}
		var got struct {
			System   []struct{ Text string }
			Messages []struct {
				Role    string
				Content []struct {
					Text    string
					Control any `json:"cache_control"`
				}
			}
		}
		doc := requestBody(t, anthropic.Options{Marks: true}, r)
		if err := json.Unmarshal(doc, &got); err != nil {
			rt.Fatal(err)
		}
		if n := bytes.Count(doc, []byte("ephemeral")); n > 4 {
			rt.Fatalf("%d marks", n)
		}
		all := ""
		for _, b := range got.System {
			all += b.Text
		}
		for i, m := range got.Messages {
			if i > 0 && m.Role == got.Messages[i-1].Role || len(m.Content) == 0 {
				rt.Fatalf("message %d: %+v", i, m)
			}
			for _, b := range m.Content {
				if strings.TrimSpace(b.Text) == "" {
					rt.Fatalf("message %d has a blank text", i)
				}
				all += b.Text
			}
		}
		for _, w := range strings.Fields(words) {
			if strings.Count(all, w) < strings.Count(words, w) {
				rt.Fatalf("%q of %q is not in %q", w, words, all)
			}
		}
	})
}

package toolcall

import (
	"strings"
	"testing"

	"ibid/context/prompt"
)

// TestWords: a call is a sentence, of what it does and of what it did.
func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, args, doing, done string }{
		{"localSearch", `{"query":"barn roof"}`, "Searching for barn roof", "Searched for barn roof"},
		{"localSearch", `{"query":""}`, "Searching", "Searched"},
		{"localSearch", `{"query":"a","timeRange":"last week"}`, "Searching for a · last week", "Searched for a · last week"},
		{"readNote", `{"notePath":"Money/Costs.md"}`, "Reading Costs", "Read Costs"},
		{"editFile", `{"path":"Barn.md","oldText":"x"}`, "Proposes a change to Barn", "Proposed a change to Barn"},
		{"getFileTree", `{}`, "Looking at the folders", "Looked at the folders"},
		{"dream", `{"query":"x"}`, `dream "x"`, `dream "x"`},
	} {
		call := prompt.ToolCall{Name: tt.name, Arguments: tt.args}
		if doing, done := Words(call, false), Words(call, true); doing != tt.doing || done != tt.done {
			t.Errorf("%s %s is %q, %q", tt.name, tt.args, doing, done)
		}
	}
}

func TestText(t *testing.T) {
	for args, want := range map[string]string{
		`{"query":"barn roof","timeRange":"last week"}`: `find "barn roof" · last week`,
		`{"notePath":"a/b.md","chunkIndex":2}`:          `find "a/b.md"`,
		`{"folder":"Band","query":"a \"b\"\n c"}`:       `find "a \"b\" c"`,
		`{"limit":3,"query":"a text that was cut o…`:    `find "a text that was cut o…"`,
		`{"query":["none"]}`:                            `find`,
		`not JSON at all`:                               `find`,
		`{"query":"` + strings.Repeat("é", 5000) + `"}`: `find "` + strings.Repeat("é", 119) + `…"`,
	} {
		if got := Text(prompt.ToolCall{Name: "find", Arguments: args}); got != want {
			t.Errorf("%.60s: %s, want %s", args, got, want)
		}
	}
}

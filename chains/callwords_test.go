package chains

import (
	"testing"

	"ibid/context/prompt"
)

// TestCallWords: a call is a sentence, of what it does and of what it did.
func TestCallWords(t *testing.T) {
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
		if doing, done := CallWords(call, false), CallWords(call, true); doing != tt.doing || done != tt.done {
			t.Errorf("%s %s is %q, %q", tt.name, tt.args, doing, done)
		}
	}
}

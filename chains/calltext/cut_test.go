package calltext_test

import (
	"strings"
	"testing"

	"ibid/chains/calltext"
)

// TestCutBeginning: where a reply breaks off in the line that begins a call, nothing
// of the call is text.
func TestCutBeginning(t *testing.T) {
	const call = "<use_tool name=\"localSearch\">\n{\"query\":\"roof\"}"
	for n := len("<use_tool"); n <= len(call); n++ {
		r := calltext.NewReader([]string{"localSearch"}, true)
		text := r.Write("Let me see.\n" + call[:n])
		text += r.Cut()
		if strings.TrimSpace(text) != "Let me see." {
			t.Errorf("cut after %q: %q", call[:n], text)
		}
	}
}

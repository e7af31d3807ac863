package calltext

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

var twoTools = []Tool{
	{"localSearch", "Searches the notes. Ask in their words.", `{"type":"object","properties":{` +
		`"query":{"type":"string","minLength":1,"description":"words of the question"},` +
		`"tags":{"type":"array","items":{"type":"string"}},` +
		`"limit":{"type":"integer","minimum":1,"maximum":30,"default":12,"description":"passages at most"},` +
		`"mode":{"type":"string","enum":["a","b"]}},"required":["query"]}`},
	{"get_current_note", "The note that is open.", `{"type":"object","properties":{}}`},
}

// TestGuide compares the guide with its golden file, and reads the example in it.
func TestGuide(t *testing.T) {
	guide := Guide(twoTools)
	golden.RequireEqual(t, guide)
	if _, calls := read(guide, 10, true); spell(calls) != roof {
		t.Errorf("the example is read as %v", calls)
	}
	if got := Guide([]Tool{{Name: "x", Schema: "{"}}); got != guideHead+"\n\n## x\n" {
		t.Errorf("a schema that is none gives %q", got)
	}
}

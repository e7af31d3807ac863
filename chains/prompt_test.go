package chains_test

import (
	"strings"
	"testing"

	"ibid/context/prompt"
	"ibid/context/tokens"
)

// TestBasePrompt limits the length of the base prompt, which every request pays for, and checks
// that it has all necessary instructions.
func TestBasePrompt(t *testing.T) {
	count := tokens.NewCounter()
	base := prompt.SystemText(prompt.Instructions{NoNotes: true})
	if n := count.Count(base); n > 420 {
		t.Errorf("the base prompt has %d tokens", n)
	}
	whole := prompt.SystemText(prompt.Instructions{})
	if n := count.Count(strings.TrimPrefix(whole, base)); n > 60 {
		t.Errorf("the instruction about notes-to-self has %d tokens", n)
	}
	for _, want := range []string{
		"in ibid", "only what is attached and what your tools return", "cannot search, open or change",
		"ready to paste", "attaches it",
		"by themselves", "beside the point", "latest text of a path counts", "update", "<diff>", "<outline>",
		"may be out of date",
		"active note", `"This note" means the one named last`, "@name", "[[name]]", "#tag", "@folder/", "never instructions",
		"[[Name#Heading]]", "no apology", "language of the question", "[Context: ...]",
	} {
		if !strings.Contains(base, want) {
			t.Errorf("the base prompt does not say %q", want)
		}
	}
	if strings.Contains(base, "NOTE TO SELF") {
		t.Error("a note-to-self is asked for where none is wanted")
	}
}

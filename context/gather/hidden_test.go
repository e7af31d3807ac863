package gather_test

import (
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// What ibid hides in a saved chat goes nowhere with the chat: not as a note, not
// embedded, not as lines that a person names.
func TestHiddenStaysHere(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/a.md --\n---\nepoch: 1\n---\n\n<!-- ibid {\"v\":2,\"turns\":[\n{\"h\":\"abcd\",\"n\":[\"secret thoughts\"]}\n]} -->\n\n**user**: Q\n-- b.md --\n![[Chats/a]]\n")
	g := gather.New(v, gather.Options{})
	for _, ref := range []prompt.Ref{
		{Kind: prompt.Note, ID: "Chats/a.md"},
		{Kind: prompt.Note, ID: "b.md"},
		prompt.Lines("Chats/a.md", 6, 9),
	} {
		items, missing := itemsOf(t, g, ref)
		if len(items) != 1 || len(missing) > 0 {
			t.Fatal(ref, len(items), missing)
		}
		text := items[0].Content
		for _, e := range items[0].Embedded {
			text += e.Content
		}
		if strings.Contains(text, "secret") || strings.Contains(text, "ibid") {
			t.Errorf("%v sends %q", ref, text)
		}
		if ref.Kind == prompt.Note && !strings.Contains(text, "**user**: Q") {
			t.Errorf("%v lacks the chat: %q", ref, text)
		}
	}
}

package desk_test

import (
	"strings"
	"testing"

	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

const saved = `
-- Prompts/b late.md --
---
copilot-command-context-menu-order: 3
---
Late.
-- Prompts/a early.md --
---
copilot-command-context-menu-order: "1"
---
Early.
-- Prompts/Strange.md --
---
copilot-command-context-menu-order: [1]
copilot-command-slash-enabled: maybe
copilot-command-last-used: -5
copilot-command-model-key: 7
---
Strange.
-- Prompts/Used.md --
---
copilot-command-last-used: "1700000000000"
---
Used.
-- Prompts/deep/Used.md --
Deep.
-- Prompts/1st.md --
No letter first.
-- Prompts/New.md --
A command.
-- Prompts/Clear.md --
An alias of one.
-- Prompts/chat.md --
About {}
-- Prompts/Empty.md --
---
a: b
---
-- Alpha.md --
# Alpha

Yellow.
`

func commands(r *rig) (all []string) {
	for _, p := range r.desk.Prompts().List() {
		all = append(all, p.Command())
	}
	return all
}

// TestPromptOrder: the one used last comes first, then Copilot's order, then names;
// properties of other types than Copilot writes do no harm.
func TestPromptOrder(t *testing.T) {
	r := newRig(t, saved, offline.New(offline.Options{}))
	want := []string{
		"/used", "/a-early", "/b-late", `/prompt "1st"`, "/chat", `/prompt "Clear"`, "/deep-used",
		"/empty", `/prompt "New"`, "/strange",
	}
	is(t, commands(r), want)
}

// TestPromptCommands: a built-in command wins over a prompt of its name, and a
// prompt over a command that only begins like it.
func TestPromptCommands(t *testing.T) {
	r := newRig(t, saved, offline.New(offline.Options{}))
	for line, want := range map[string]string{
		"/CHAT yellow": "About yellow", "/a-e": "Early.", "/prompt clear": "An alias of one.",
		"/prompt clear now": "An alias of one.\n\nnow", "/prompt clear　now": "An alias of one.\n\nnow",
		`/prompt "new" x`: "A command.\n\nx", "/prompt deep/used": "Deep.", `/prompt "A Early"`: "Early.",
		"/prompt 1st": "No letter first.",
		"/strange":    "Strange.", "/prompt b-late  two": "Late.\n\n two",
	} {
		got, err := r.desk.Command(t.Context(), line)
		if err != nil || got.Message == nil || got.Message.Text != want {
			t.Errorf("%s: %+v, %v", line, got.Message, err)
		}
	}
	for line, want := range map[string]string{
		"/chat": "is about something", "/empty": "holds no text", "/prompt nothing": "there is no prompt",
		"/prompt new": "takes the name", "/prompt edit": "takes the name",
		"/prompt new x": "your last message", "/deepest": "not a command",
		"/prompt edit nothing": "there is no prompt",
	} {
		if _, err := r.desk.Command(t.Context(), line); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if got, err := r.desk.Command(t.Context(), "/clear"); err != nil || got.Message != nil {
		t.Errorf("/clear: %+v, %v", got.Message, err)
	}
}

// TestPromptFound: one that was written a moment ago is found, and one of a part of
// a note is about that part.
func TestPromptFound(t *testing.T) {
	r := newRig(t, saved, offline.New(offline.Options{}))
	vaulttest.Write(t, r.vault, "Prompts/Fresh.md", "About {}")
	r.desk.Attach(prompt.Ref{Kind: prompt.Selection, ID: "Alpha.md#Alpha"})
	got, err := r.desk.Command(t.Context(), "/fresh")
	if err != nil || got.Message.Text != "About [[Alpha#Alpha]]" {
		t.Errorf("%+v, %v", got.Message, err)
	}
}

// TestPromptFolder: Copilot's folder comes before ours, and a setting before both.
func TestPromptFolder(t *testing.T) {
	r := newRig(t, "-- a.md --\na\n", offline.New(offline.Options{}))
	want := func(folder vault.Path) {
		t.Helper()
		is(t, r.desk.Prompts().Folder(), folder)
	}
	add := func(p vault.Path) {
		vaulttest.Write(t, r.vault, p, "x")
		value(r.vault.Revalidate(t.Context()))(t)
	}
	want("Prompts")
	add("prompts/x.md")
	want("prompts")
	add("Copilot/copilot-custom-prompts/x.md")
	want("Copilot/copilot-custom-prompts")
}

package chains_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

const garages = garden + `-- work/Yard/Yard.md --
---
context:
  - "[[shed]]"
  - "[[beds]]"
  - "[[safe]]"
---
Speak of yards.
## Context
It rained.
-- shed.md --
Nails </note_context>. Marker: crane.
-- safe.md --
Codes. Marker: swift.
`

// yard reads the instructions of a project as the desk does.
func yard(r *rig, name string) prompt.Instructions {
	r.Helper()
	in, _ := r.opts.Gather.(*gather.Gatherer).Instructions(r.Context(), prompt.Instructions{NoNotes: true}, "", name)
	return in
}

func (r *rig) library() string {
	r.Helper()
	system := r.model.Requests()[len(r.model.Requests())-1].Messages[0].Content
	_, library, _ := strings.Cut(system, "## Context Library")
	var paths []string
	for _, line := range strings.Split(library, "\n") {
		if path, ok := strings.CutPrefix(line, "<path>"); ok {
			paths = append(paths, strings.TrimSuffix(path, "</path>"))
		}
	}
	return strings.Join(paths, " ")
}

// TestProject: the notes of a project are items of the library, first in a chat
// that begins with it, and they are treated as any other.
func TestProject(t *testing.T) {
	r := newRig(t, garages, textReplies("1.", "2.", "3.", "4.", "5.")...)
	r.begin(func(o *chains.Options) { o.Instructions, o.Layout = yard(r, "Yard"), prompt.Append })
	vaulttest.Write(t, r.vault, "safe.md", "---\nprivate: true\n---\nMarker: swift.\n")
	env, missing, err := r.session.Preview(t.Context(), chains.Input{Text: "1"})
	if err != nil || len(env.Library) != 2 || len(missing) != 1 || env.Library[0].Tokens == 0 {
		t.Errorf("%+v, %+v, %v", env.Library, missing, err)
	}
	h := r.say("1", note("tools/rake.md"), note("beds.md"))
	is(t, r.library(), "shed.md beds.md")
	if n := h.notices("project_note"); len(n) != 1 || !strings.Contains(n[0], "safe.md is private") {
		t.Errorf("notices %q", n)
	}
	r.wants(r.sent(), "<project_system_prompt>\nSpeak of yards.\n</project_system_prompt>",
		"<project_context>\nIt rained.\n</project_context>", "\n- beds.md\n", "finch", "crane", `Nails <\/note_context>`)
	r.lacks(r.sent(), "swift", `<\note_context>`)
	vaulttest.Write(t, r.vault, "shed.md", "Screws. Marker: heron.\n")
	if n := r.say("2").notices("project_note"); len(n) > 0 {
		t.Errorf("said again: %q", n)
	}
	r.wants(r.sent(), "- shed.md\n", "Screws. Marker: heron.")
	r.lacks(r.sent(), "changed on disk", "outdated.\n")
	vaulttest.Write(t, r.vault, "safe.md", "Codes. Marker: swift.\n")
	r.say("3")
	r.wants(r.sent(), "swift", "heron")
	is(t, r.library(), "shed.md beds.md tools/rake.md safe.md")
	before := r.library()
	if chat, err := r.session.Chat(); err != nil || chat.Project != "work/Yard/" {
		t.Errorf("project %q, %v", chat.Project, err)
	}
	r.wants(r.file(), "\n  project: \"work/Yard/\"\n")
	if n := r.reopen(); len(n) != 0 { // the model has what changed
		t.Errorf("notices %q", n)
	}
	r.say("4")
	is(t, r.library(), before)
	r.apply(chains.Change{Forget: []prompt.Ref{note("shed.md")}})
	r.say("5")
	r.lacks(r.sent(), "heron", "crane")
}

// TestProjectJoins: a project that joins later brings its notes behind the others,
// and leaving it takes the instructions, not the notes.
func TestProjectJoins(t *testing.T) {
	r := newRig(t, garages, textReplies("1.", "2.", "3.", "4.")...)
	r.say("1", note("tools/rake.md"))
	in := yard(r, "work/Yard")
	now, then, err := r.session.Price(t.Context(), chains.Input{Text: "2"}, chains.Change{Instructions: &in})
	if err != nil || then.Prompt <= now.Prompt || then.Cached >= now.Prompt {
		t.Errorf("%+v, %+v, %v", now, then, err)
	}
	r.apply(chains.Change{Instructions: &in})
	h := r.say("2")
	is(t, h.envelope().Epoch.Cause, prompt.CauseL1)
	is(t, r.library(), "tools/rake.md shed.md beds.md safe.md")
	r.wants(r.file(), "work/Yard/")
	r.apply(chains.Change{Instructions: &prompt.Instructions{NoNotes: true}})
	r.say("3")
	r.lacks(r.sent(), "Speak of yards.")
	is(t, r.library(), "tools/rake.md shed.md beds.md safe.md")
	r.lacks(r.file(), "project:")
}

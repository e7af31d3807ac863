package desk_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/prompt"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// TestMemory: the first /remember makes the memory note, and can be taken back. A chat
// keeps the memory that it began with, and each bullet knows where it comes from.
func TestMemory(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "Two."}, chaintest.Reply{Text: "Three."})
	r := newRig(t, notes, m)
	r.wants("/memory", "this chat has no memory: /remember TEXT writes Memory.md, /memory use NOTE takes a note that there is")
	r.wants("/memory why", "there is no memory note")
	r.wants("/memory use ../x", "is no name for a note")
	r.wants("/remember I prefer metric units.", "+- I prefer metric units.", "made: Memory.md (change 1; /undo-write takes it back)", "Memory.md is the memory note of this vault")
	r.wants("/undo-write", "Memory.md")
	if _, err := os.Stat(filepath.Join(r.vault.Dir(), "Memory.md")); err == nil {
		t.Fatal("it was not taken back")
	}
	r.wants("/memory", "this chat has no memory: /remember TEXT writes Memory.md")
	r.wants("/remember I prefer metric units.", "+- I prefer metric units.", "made: Memory.md")
	r.line("Hello?")
	if sent := m.Requests()[0].Messages[0].Content; strings.Contains(sent, "metric") {
		t.Errorf("the chat was sent a memory that it did not begin with: %s", sent)
	}
	r.wants("/remember My cat is\n  called Ada", "+- My cat is called Ada", "new chats know it")
	r.holds("Memory.md", "- I prefer metric units.\n- My cat is called Ada\n")
	r.wants("/remember my cat is called Ada!", "it says nearly the same: My cat is called Ada")
	r.wants("/undo-write", "-- my cat")
	r.wants("/remember My cat is called Ada", "Memory.md says that already")
	r.wants("/memory", "this chat has no memory; the memory note is another one by now: /memory reload")

	r.line("/new")
	r.line("And now?")
	if sent := m.Requests()[1].Messages[0].Content; !strings.Contains(sent, "My cat is called Ada") {
		t.Errorf("a new chat was not sent the memory: %s", sent)
	}
	r.wants("/memory", "My cat is called Ada")
	vaulttest.Write(t, r.vault, "Memory.md", r.file("Memory.md")+"- by hand\n")
	r.wants("/memory", "My cat is called Ada", "the memory note is another one by now")
	r.wants("/memory reload", "memory: read again")
	r.wants("/memory", "by hand")
	r.wants("/memory why", "- I prefer metric units.\n    20", ", /remember\n- My cat is called Ada\n    20", ", /remember, Chats/Hello", ", turn 1\n- by hand\n    written in the note itself")
	r.wants("/memory nonsense", "/memory takes")
	r.wants("/remember", "/remember takes TEXT")

	r.sit(m) // another process knows the note
	r.wants("/remember Third.", "+- Third.", "written: Memory.md")
}

// TestMemoryNamed: the configuration has the say.
func TestMemoryNamed(t *testing.T) {
	r := newRig(t, "-- Me.md --\nAbout me.\n", chaintest.New())
	r.remembering(chaintest.New(), "Me")
	r.wants("/memory use Other", "the configuration names the memory note: Me")
	r.wants("/remember Likes pears.", "written: Me.md")
	r.holds("Me.md", "About me.\n\n- Likes pears.\n")
}

// TestMemoryTool: the model may propose to change the memory note as soon as there is one,
// and it is always the one that was chosen last.
func TestMemoryTool(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{ToolCalls: []prompt.ToolCall{{Name: "updateMemory", Arguments: `{"statement":"Likes figs."}`}}}, chaintest.Reply{Text: "Two."})
	r := newRig(t, notes, m)
	memory := desk.NewMemory(r.vault, r.locks, "")
	journal := undo.New(r.vault, undo.Options{StateDir: r.locks, Days: 30, Written: memory.Written})
	r.equip(m, func(d *desk.Desk) chains.Toolbox {
		o := tool.Options{Vault: r.vault, Searcher: d.Searcher, Journal: journal, Memory: memory.Note}
		return chains.Toolbox{List: tool.New(o), Absent: tool.AbsentTools(o)}
	}, func(o *desk.Options) { o.Memory, o.Journal = memory, journal })
	offered := func(n int) bool {
		return slices.ContainsFunc(m.Requests()[n].Tools, func(s chains.ToolSpec) bool { return s.Name == "updateMemory" })
	}
	r.line("Hello?")
	r.wants("/tools", "updateMemory          not there: there is no memory note")
	r.wants("/layout strict", "layout: strict")
	r.wants("/memory use Old.md", "Old.md is the memory note")
	r.wants("/undo", "taken back: layout strict")
	r.wants("/memory use Me.md", "Me.md is the memory note")
	r.wants("/tools", "* updateMemory")
	r.desk.Session().Policy().Allow("Me.md")
	r.line("And now?")
	if offered(0) || !offered(1) {
		t.Errorf("offered first: %t, then: %t", offered(0), offered(1))
	}
	r.holds("Me.md", "- Likes figs.\n")
}

// TestMemoryThere: a note that is called as the memory note would be is not taken for it
// without a word.
func TestMemoryThere(t *testing.T) {
	r := newRig(t, notes, chaintest.New())
	vaulttest.Write(t, r.vault, "Memory.md", "My own.\n")
	r.wants("/remember I prefer metric units.", "there is no memory note yet, and a note called Memory.md: /memory use Memory.md takes that one")
	r.holds("Memory.md", "My own.\n")
	r.wants("/memory use Memory.md", "+- I prefer metric units.", "Memory.md is the memory note of this vault")
}

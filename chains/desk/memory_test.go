package desk_test

import (
	"slices"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/prompt"
	"ibid/vault/undo"
)

// TestMemoryTool: the model may propose to change the memory note as soon as there is one,
// and it is always the one that was chosen last.
func TestMemoryTool(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."},
		chaintest.Reply{ToolCalls: []prompt.ToolCall{{
			Name:      "updateMemory",
			Arguments: `{"statement":"Likes figs."}`,
		}}}, chaintest.Reply{Text: "Two."})
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

package desk_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/prompt"
	"ibid/vault/undo"
)

// TestMemoryTool: the model may always propose to change the memory note. Without one it learns
// how one begins, else it is the one that was chosen last.
func TestMemoryTool(t *testing.T) {
	figs := chaintest.Reply{ToolCalls: []prompt.ToolCall{{
		Name:      "updateMemory",
		Arguments: `{"statement":"Likes figs."}`,
	}}}
	m := chaintest.New(figs, chaintest.Reply{Text: "One."}, figs, chaintest.Reply{Text: "Two."})
	r := newRig(t, notes, m)
	memory := desk.NewMemory(r.vault, r.locks, "")
	journal := undo.New(r.vault, undo.Options{StateDir: r.locks, Days: 30, Written: memory.Written})
	r.equip(m, func(d *desk.Desk) chains.Toolbox {
		o := tool.Options{Vault: r.vault, Searcher: d.Searcher, Journal: journal, Memory: memory.Note}
		return chains.Toolbox{List: tool.New(o), Absent: tool.AbsentTools(o)}
	}, func(o *desk.Options) { o.Memory, o.Journal = memory, journal })
	r.wants("/tools", "* updateMemory")
	r.line("Hello?")
	if last := m.Requests()[1].Messages; !strings.Contains(last[len(last)-1].Content, "/remember TEXT begins one") {
		t.Errorf("the model got %q", last[len(last)-1].Content)
	}
	r.wants("/layout strict", "layout: strict")
	r.wants("/memory use Old.md", "Old.md is the memory note")
	r.wants("/undo", "taken back: layout: strict")
	r.wants("/memory use Me.md", "Me.md is the memory note")
	r.desk.Session().Policy().Allow("Me.md")
	r.line("And now?")
	r.holds("Me.md", "- Likes figs.\n")
}

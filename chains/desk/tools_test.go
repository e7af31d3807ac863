package desk_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
)

// deskWithTools makes a desk with two tools and the chain agent.
func deskWithTools(t *testing.T, m chains.Model, change func(*chains.Toolbox)) *rig {
	r := newRig(t, notes, m)
	r.equip(m, func(*desk.Desk) chains.Toolbox {
		b := chains.Toolbox{List: []chains.Tool{chaintest.Texts("aTool", "x"), chaintest.Texts("bTool", "y")}}
		change(&b)
		return b
	})
	return r
}

// equip opens a desk with tools, as a new process does.
func (r *rig) equip(m chains.Model, tools func(*desk.Desk) chains.Toolbox, change ...func(*desk.Options)) {
	g := gather.New(r.vault, gather.Options{})
	o := chains.Options{Model: m, ModelName: "test", Gather: g, Store: r.store, Chain: chains.Agent{}}
	opts := desk.Options{
		Vault: r.vault, Gather: g, Store: r.store, StateDir: r.signals, Session: o, Tools: tools,
		Model: func(_ context.Context, _, name string) (chains.Options, error) {
			return chains.Options{Model: m, ModelName: name}, nil
		},
	}
	for _, c := range change {
		c(&opts)
	}
	r.desk = desk.New(opts)
	d := r.desk
	r.t.Cleanup(func() { _ = d.Close() })
}

// TestTools: a tool that is taken away is not offered any longer, which costs what
// any change of the beginning does, and may be given back.
func TestTools(t *testing.T) {
	answers := make([]chaintest.Reply, 5)
	for i := range answers {
		answers[i].Text = "Yes."
	}
	m := chaintest.New(answers...)
	r := deskWithTools(t, m, func(*chains.Toolbox) {})
	names := func() string {
		all := m.Requests()
		var names []string
		for _, s := range all[len(all)-1].Tools {
			names = append(names, s.Name)
		}
		return strings.Join(names, " ")
	}
	for _, step := range []struct{ command, says, offered string }{
		{"/tools", "* aTool                 Says something\n* bTool", "aTool bTool"},
		{"/tools off btool", "bTool is off; ", "aTool"},
		{"/tools", "  bTool                 not offered: off", "aTool"},
		{"/tools off bTool", "is off already", "aTool"},
		{"/tools on bTool", "bTool is on; ", "aTool bTool"},
	} {
		r.wants(step.command, step.says)
		r.line("go on")
		is(t, names(), step.offered, step.command)
	}
	sent := value(r.desk.Session().Requests())(t)
	for i, cause := range []prompt.Cause{
		prompt.CauseFirst, prompt.CauseL1, prompt.CauseL1, prompt.CauseL1,
		prompt.CauseL1,
	} {
		if e := sent[i].Epoch; e.Cause != cause || e.New != (i == 0 || i == 1 || i == 4) {
			t.Errorf("request %d: %+v", i+1, e)
		}
	}
	r.wants("/tools sideways", "/tools takes on NAME or off NAME")
	r.wants("/tools off nothing", "there is no tool")
	r.wants("/tools off aTool", "aTool is off")
	r.wants("/undo", "taken back: aTool is off")
	r.wants("/chain chat", "chain chat")
	r.wants("/tools", "calls none of them; /chain agent does")
}

// TestToolsWhyNot: why a model may not call tools is said.
func TestToolsWhyNot(t *testing.T) {
	for want, change := range map[string]func(*chains.Toolbox){
		"not offered: tools.read is off":           func(b *chains.Toolbox) { b.Read = chains.ReadOff },
		"not offered: only the core is offered":    func(b *chains.Toolbox) { b.Set = "core" },
		"you are asked before the model reads":     func(b *chains.Toolbox) { b.Read = chains.ReadAsk },
		"there are no tools here":                  func(b *chains.Toolbox) { b.List = nil },
		"  aTool                 not offered: off": func(b *chains.Toolbox) { b.Off = []string{"aTool"} },
		"  cTool                 not there: set c": func(b *chains.Toolbox) {
			b.Absent = []chains.AbsentTool{{Name: "cTool", Why: "set c"}}
		},
	} {
		deskWithTools(t, chaintest.New(), change).wants("/tools", want)
	}
}

// TestChainOfProject: the chain project is for chats that work in one.
func TestChainOfProject(t *testing.T) {
	r := deskWithTools(t, chaintest.New(), func(*chains.Toolbox) {})
	r.wants("/chain project", "is for a chat that works in a project")
	r.wants("/chain next", "chain chat")
	r.wants("/chain", "* chat", "  project")
	if err := r.desk.SetChain(chains.Project{}); err == nil {
		t.Error("a chat without a project takes the chain project")
	}
}

// TestToolsSeeTheChoice: the note that tools take as the open one is that of the
// person's choice, in this chat and in one that is opened again.
func TestToolsSeeTheChoice(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Func: func(req chains.Request) chaintest.Reply {
		if last := req.Messages[len(req.Messages)-1]; last.ToolCallID != "" {
			return chaintest.Reply{Text: last.Content}
		}
		return chaintest.Reply{ToolCalls: []prompt.ToolCall{{ID: "a", Name: "get_current_note", Arguments: `{}`}}}
	}})
	r := deskWithTools(t, m, func(*chains.Toolbox) {})
	box := func(d *desk.Desk) chains.Toolbox {
		return chains.Toolbox{List: tool.New(tool.Options{
			Vault: r.vault, State: d.Workspace, Settle: d.Settle,
			Links: d.Links,
		})}
	}
	r.equip(m, box)
	check(t, vault.WriteSignal(r.signals, vault.Signal{Vault: r.vault.Dir(), Path: "Alpha.md", When: time.Now()}))
	const alpha, beta, none = `"id":"Alpha.md"`, `"id":"sub/Beta.md"`, "No note currently active"
	r.wants("what is open?", alpha)
	r.wants("/active off", "off")
	r.wants("and now?", none)
	r.wants("/active sub/Beta", "Beta.md")
	r.wants("and now?", beta)
	check(t, os.Rename(filepath.Join(r.vault.Dir(), "sub", "Beta.md"), filepath.Join(r.vault.Dir(), "sub", "Gamma.md")))
	r.wants("and now?", "Gamma.md")
	r.wants("/retry", "Gamma.md")
	path := r.path()
	r.equip(m, box)
	r.wants("what is open?", alpha)
	r.wants("/open "+path, "")
	r.wants("and here?", "Gamma.md")
}

// TestToolsOffIsOfTheChat: which tools are off is saved with the chat, and no other
// chat knows of it.
func TestToolsOffIsOfTheChat(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		return chaintest.Reply{Text: "Yes."}
	}})
	r := deskWithTools(t, m, func(b *chains.Toolbox) { b.Off = []string{"bTool"} })
	const a, noA, b, noB = "* aTool", "  aTool                 not offered: off", "* bTool",
		"  bTool                 not offered: off"
	r.line("hello")
	r.wants("/tools off aTool", "aTool is off")
	r.wants("/tools", noA, noB)
	r.wants("/model other", "model: other")
	path := r.path()
	r.wants("/new", "")
	r.wants("/tools", a, noB)
	r.wants("/open "+path, "")
	r.wants("/tools", noA, noB)
	r.wants("/tools on aTool", "aTool is on")
	r.wants("/tools on bTool", "bTool is on")
	r.wants("/undo", "taken back: bTool is on")
	r.wants("/redo", "")
	r.wants("/new", "")
	r.wants("/open "+path, "")
	r.wants("/tools", a, b)
	if off := r.chatFile(); !strings.Contains(off, `"off":[]`) {
		t.Errorf("all tools are on, which the file does not say:\n%s", off)
	}
}

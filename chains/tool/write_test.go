package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// proposalVault is a vault with tools that propose changes.
type proposalVault struct {
	*testing.T
	vault   *vault.Vault
	journal *undo.Journal
	tools   []chains.Tool
}

const shed = `
-- Shed.md --
---
tags: [tools]
---
# Shed

- spade
- rake
- “old” saw
-- Memory.md --
---
list:
  - no bullet
---
# About me

- I live in Lyon.
- I prefer short answers,
  in plain words.
-- Garden/Beds/Beans.md --
beans
-- Twice.md --
same
same
-- C# notes.md --
c
-- Archive/Plan.md --
old plan
-- Archive/Twin.md --
one
-- Twin.md --
two
-- Archive/Deep/Only.md --
deep
-- Diary.md --
---
private: true
---
- spade
-- Chats/Talk.md --
**user**: hello
`

func newProposalVault(t *testing.T) *proposalVault {
	w := &proposalVault{T: t, vault: vaulttest.New(t, shed)}
	w.journal = undo.New(w.vault, undo.Options{StateDir: t.TempDir(), Days: 30, Chats: "Chats"})
	searcher := index.Searcher{Source: w.vault}
	w.tools = tool.New(tool.Options{Vault: w.vault, Searcher: func(context.Context) index.Searcher {
		return searcher
	}, Now: today, Journal: w.journal, Memory: func() string { return "Memory.md" }, Chats: "Chats"})
	return w
}

// call returns the output of a tool for arguments in JSON.
func (w *proposalVault) call(name, args string) chains.ToolOutput {
	w.Helper()
	for _, each := range w.tools {
		if each.Spec().Name == name {
			out := value(chains.RunTool(w.Context(), each, args))(w)
			return out
		}
	}
	w.Fatalf("there is no %s", name)
	return chains.ToolOutput{}
}

func TestProposals(t *testing.T) {
	w := newProposalVault(t)
	for _, c := range []struct{ name, args, path, diff string }{
		{
			"editFile", `{"path":"Shed","oldText":"- rake\n- \"old\" saw","newText":"- rake\n- new saw"}`, "Shed.md",
			"-- “old” saw\n+- new saw\n",
		},
		{
			"editFile", `{"path":"Twice.md","oldText":"same","newText":"other","replaceAll":true}`, "Twice.md",
			"-same\n-same\n+other\n+other\n",
		},
		{
			"writeToFile", `{"path":"New/Beds","content":"# Beds\n"}`, "New/Beds.md",
			"--- /dev/null\n+++ b/New/Beds.md\n@@ -0,0 +1 @@\n+# Beds\n",
		},
		{"writeToFile", `{"path":"/New/Peas","content":"Green.\n"}`, "New/Peas.md", "+Green.\n"},
		{"writeToFile", `{"path":"\n  New/Leeks.md\n","content":"  Long.\n"}`, "New/Leeks.md", "+  Long.\n"},
		{"writeToFile", `{"path":"C# notes","content":"Sharp.\n","mode":"replace"}`, "C# notes.md", "+Sharp.\n"},
		{
			"writeToFile", `{"path":"shed.md","content":"# Barn\n","mode":"replace"}`, "Shed.md",
			" tags: [tools]\n ---\n-# Shed\n-\n-- spade\n",
		},
		{"writeToFile", `{"path":"Projects/Plan.md","content":"new"}`, "Projects/Plan.md", "+++ b/Projects/Plan.md"},
		{"writeToFile", `{"path":"Plan.md","content":"new"}`, "Plan.md", "+++ b/Plan.md"},
		{"writeToFile", `{"path":"Plan","content":"more","mode":"append"}`, "Archive/Plan.md", "+more"},
		{"writeToFile", `{"path":"archive/PLAN.md","content":"more","mode":"append"}`, "Archive/Plan.md", "+more"},
		{"writeToFile", `{"path":"Twin.md","content":"more","mode":"append"}`, "Twin.md", " two"},
		{"writeToFile", `{"path":"/Twin","content":"more","mode":"append"}`, "Twin.md", " two"},
		{"editFile", `{"path":"Twin.md","oldText":"two","newText":"2"}`, "Twin.md", "+2"},
		{"editFile", `{"path":"Plan","oldText":"old","newText":"new"}`, "Archive/Plan.md", "+new plan"},
		{"editFile", `{"path":"Shed#Shed","oldText":"- spade","newText":"- hoe"}`, "Shed.md", "+- hoe"},
		{"writeToFile", `{"path":"garden/BEDS/Peas","content":"Green.\n"}`, "Garden/Beds/Peas.md", "+Green.\n"},
		{"writeToFile", `{"path":"Shed.md","content":"- hoe","mode":"append"}`, "Shed.md", " - “old” saw\n+- hoe\n"},
		{"writeToFile", `{"path":"Shed.md","content":"Tools.","mode":"prepend"}`, "Shed.md", " ---\n+\n+Tools.\n+\n # Shed\n"},
		{
			"updateMemory", `{"statement":"My cat is called\nMoss."}`, "Memory.md",
			"   in plain words.\n+- My cat is called Moss.\n",
		},
		{
			"updateMemory", `{"statement":"I live in Nantes.","replaces":"- I live in Lyon."}`, "Memory.md",
			"-- I live in Lyon.\n+- I live in Nantes.\n",
		},
		{
			"updateMemory", `{"statement":"I like long answers.","replaces":"short answers, in plain"}`, "Memory.md",
			"-- I prefer short answers,\n-  in plain words.\n+- I like long answers.\n",
		},
	} {
		out := w.call(c.name, c.args)
		if p := out.Propose; p == nil {
			t.Errorf("%s: %s", c.args, out.Text)
		} else if p.Path != c.path || !strings.Contains(p.Diff(), c.diff) {
			t.Errorf("%s: %s\n%s", c.args, p.Path, p.Diff())
		}
	}
	if all, err := w.journal.List(); len(all) > 0 || err != nil {
		t.Errorf("written without a yes: %v, %v", all, err)
	}
}

func TestRefusedProposals(t *testing.T) {
	w := newProposalVault(t)
	if err := os.Symlink("Diary.md", filepath.Join(w.vault.Dir(), "Link.md")); err == nil {
		value(w.vault.Revalidate(t.Context()))(t)
	}
	for _, c := range []struct{ name, args, want string }{
		{
			"editFile", `{"path":"Shed.md","oldText":"- the old rake","newText":"x"}`,
			`"error":"NOT_FOUND","message":"the text does not stand in the note; nearest is line`,
		},
		{
			"editFile", `{"path":"Twice.md","oldText":"same","newText":"x"}`,
			`"error":"NOT_UNIQUE","message":"the text stands in the note 2 times, on lines 1, 2;`,
		},
		{"editFile", `{"path":"Shed.md","oldText":"rake","newText":"rake"}`, `"error":"nothing to do"`},
		{"editFile", `{"path":"Nowhere.md","oldText":"a","newText":"b"}`, `"error":"Note not found"`},
		{"editFile", `{"path":"Diary.md","oldText":"spade","newText":"b"}`, `"error":"Note not found"`},
		{
			"editFile", `{"path":"Chats/Talk.md","oldText":"hello","newText":"b"}`,
			`"error":"not allowed","message":"this is not written: saved chats are there"`,
		},
		{
			"writeToFile", `{"path":"Shed.md","content":"x"}`,
			`mode replace writes all of it anew, append and prepend add to it`,
		},
		{"writeToFile", `{"path":"Shed#Shed","content":"x","mode":"replace"}`, `editFile changes a part of one`},
		{"writeToFile", `{"path":"Shed.md#Shed","content":"x","mode":"append"}`, `editFile changes a part of one`},
		{"writeToFile", `{"path":"SHED","content":"x"}`, `"error":"the note exists"`},
		{"writeToFile", `{"path":"Gone.md","content":"x","mode":"append"}`, `mode create makes a new one`},
		{
			"editFile", `{"path":"Projects/Plan.md","oldText":"old","newText":"b"}`,
			`there is no such note; there is Archive/Plan.md`,
		},
		{"editFile", `{"path":"Garden/Plan","oldText":"old","newText":"b"}`, `there is Archive/Plan.md`},
		{"editFile", `{"path":"Plan.md","oldText":"old","newText":"b"}`, `there is no such note; there is Archive/Plan.md`},
		{"editFile", `{"path":"Deep/Only","oldText":"deep","newText":"b"}`, `there is Archive/Deep/Only.md`},
		{"editFile", `{"path":"Projects\\Plan.md","oldText":"old","newText":"b"}`, `there is Archive/Plan.md`},
		{"editFile", `{"path":"Twin","oldText":"two","newText":"b"}`, `"candidates":["Archive/Twin.md","Twin.md"]`},
		{"editFile", `{"path":"C/Twin#x","oldText":"two","newText":"b"}`, `there is Archive/Twin.md, Twin.md`},
		{"editFile", `{"path":"Shed#Cellar","oldText":"- spade","newText":"b"}`, `"error":"Part not found"`},
		{
			"writeToFile", `{"path":"Projects/Plan.md","content":"x","mode":"replace"}`,
			`there is Archive/Plan.md; mode create makes a new one`,
		},
		{"writeToFile", `{"path":"Projects/Plan.md","content":"x","mode":"append"}`, `there is Archive/Plan.md`},
		{"writeToFile", `{"path":"Garden/Plan","content":"x","mode":"prepend"}`, `there is Archive/Plan.md`},
		{"writeToFile", `{"path":"/Plan","content":"x","mode":"replace"}`, `there is Archive/Plan.md`},
		{"writeToFile", `{"path":"Deep/Only.md","content":"x","mode":"append"}`, `there is Archive/Deep/Only.md`},
		{"writeToFile", `{"path":"Twin","content":"x","mode":"replace"}`, `"candidates":["Archive/Twin.md","Twin.md"]`},
		{"writeToFile", `{"path":"Twin","content":"x","mode":"append"}`, `"error":"Ambiguous reference"`},
		{"writeToFile", `{"path":"Twin","content":"x"}`, `"error":"the note exists"`},
		{"writeToFile", `{"path":"Garden/","content":"x"}`, `"error":"path: it names a folder"`},
		{"writeToFile", `{"path":"Diary.md","content":"x","mode":"replace"}`, `"error":"not allowed"`},
		{"writeToFile", `{"path":"Diary.md","content":"x"}`, `"error":"not allowed","message":"this is not written: the note is private"`},
		{"writeToFile", `{"path":"Link.md","content":"x","mode":"replace"}`, `"error":"not allowed"`},
		{"writeToFile", `{"path":"Chats/New.md","content":"x"}`, `"error":"not allowed"`},
		{"writeToFile", `{"path":".obsidian/app.json","content":"x"}`, `"error":"not allowed"`},
		{"writeToFile", `{"path":".obsidian/snippets/a.md","content":"x"}`, `"error":"not allowed"`},
		{"writeToFile", `{"path":"../out.md","content":"x"}`, `"error":"path: it leaves the vault"`},
		{"writeToFile", `{"path":"a\u001b[2J.md","content":"x"}`, `"error":"not allowed"`},
		{"updateMemory", `{"statement":"x","replaces":"I live in Rome, Italy"}`, `"error":"NOT_FOUND"`},
		{"updateMemory", `{"statement":"x","replaces":"I"}`, `"error":"NOT_UNIQUE"`},
		{"updateMemory", `{"statement":"I live in Lyon."}`, `"error":"nothing to do"`},
	} {
		out := w.call(c.name, c.args)
		if out.Propose != nil || !strings.Contains(out.Text, `{"success":false,`) || !strings.Contains(out.Text, c.want) {
			t.Errorf("%s %s: %s", c.name, c.args, out.Text)
		}
	}
}

// TestApplyProposal: an approved change is written, and a note that changed meanwhile keeps its
// new text.
func TestApplyProposal(t *testing.T) {
	w := newProposalVault(t)
	text := func() string {
		data := value(w.vault.ReadOwn("Shed.md"))(t)
		return string(data)
	}
	vaulttest.Write(t, w.vault, "Shed.md",
		strings.Repeat("top\n", 9)+text()[len("---\ntags: [tools]\n---\n"):]+strings.Repeat("row\n", 9))
	out := w.call("writeToFile", `{"path":"Shed.md","content":"first\ntop\ntop\ntop\ntop\ntop\ntop\ntop\ntop\ntop\n# Barn\n\n- spade\n- rake\n- “old” saw\nrow\nrow\nrow\nrow\nrow\nrow\nrow\nrow\nrow\nlast\n","mode":"replace"}`)
	before := text()
	done, err := out.Propose.Apply(t.Context(), chains.Decision{Yes: true, Hunks: []int{1}})
	if err != nil || done.Text != "applied 1 of 3 hunks; refused: line 1, line 24" ||
		text() != strings.Replace(before, "# Shed", "# Barn", 1) {
		t.Fatalf("%+v, %v\n%s", done, err, text())
	}
	if _, err := w.journal.Undo(done.Undo); err != nil || text() != before {
		t.Fatal(err)
	}
	done, err = out.Propose.Apply(t.Context(), chains.Decision{Yes: true})
	if err != nil || done.Text != "applied 3 of 3 hunks" {
		t.Fatalf("%+v, %v", done, err)
	}
	if _, err := w.journal.Undo(done.Undo); err != nil || text() != before {
		t.Fatal(err)
	}
	changed := strings.Replace(before, "- rake", "- rake, new", 1)
	vaulttest.Write(t, w.vault, "Shed.md", changed)
	done, err = out.Propose.Apply(t.Context(), chains.Decision{Yes: true, Hunks: []int{1}})
	if err != nil || !strings.HasSuffix(done.Text, "changed meanwhile, and keeps that") ||
		text() != strings.Replace(changed, "# Shed", "# Barn", 1) {
		t.Fatalf("%+v, %v\n%s", done, err, text())
	}
	vaulttest.Write(t, w.vault, "Shed.md", strings.Replace(changed, "# Shed", "# Hut", 1))
	now := text()
	done, err = out.Propose.Apply(t.Context(), chains.Decision{Yes: true, Hunks: []int{1}})
	if err != nil || done.Again == nil || done.Again.Conflict == nil || len(done.Again.Conflict.Hunks) != 1 ||
		text() != now {
		t.Fatalf("%+v, %v\n%s", done, err, text())
	}
	vaulttest.Write(t, w.vault, "Shed.md", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\nq\nr\n")
	out = w.call("writeToFile",
		`{"path":"Shed.md","content":"A\nb\nc\nd\ne\nf\ng\nh\nI\nj\nk\nl\nm\nn\no\np\nq\nR\n","mode":"replace"}`)
	now = "a\nb\nc\nd\ne\nf\ng\nh\nother\nj\nk\nl\nm\nn\no\np\nq\nr\n"
	vaulttest.Write(t, w.vault, "Shed.md", now)
	done, err = out.Propose.Apply(t.Context(), chains.Decision{Yes: true})
	if err != nil || done.Again == nil {
		t.Fatalf("%+v, %v", done, err)
	}
	const fits = "applied 2 of 3 hunks; the note was changed meanwhile, and the rest of the change fits it no longer"
	for _, d := range []chains.Decision{{Yes: true}, {Yes: true, Edited: &done.Again.Change, Fitted: true}} {
		p := done.Again
		if d.Fitted { // the screen shows what fits, and answers the first proposal
			p = out.Propose
		}
		got, err := p.Apply(t.Context(), d)
		if err != nil || got.Text != fits || got.Hunks != 2 || got.Of != 3 {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := w.journal.Undo(got.Undo); err != nil || text() != now {
			t.Fatal(err)
		}
	}
}

// TestMemoryNote: a model changes the memory note that the setting names, or nothing.
func TestMemoryNote(t *testing.T) {
	w := newProposalVault(t)
	for name, want := range map[string]string{
		"Archive/Plan":     "Archive/Plan.md",
		"Plan":             "Archive/Plan.md",
		"Projects/Plan.md": "Projects/Plan.md: there is no such note; there is Archive/Plan.md",
		"Twin":             "Twin fits several notes: Archive/Twin.md, Twin.md",
		"Twin.md":          "Twin.md",
		"New/Facts":        "New/Facts.md",
		"":                 "there is no memory note",
	} {
		o := tool.Options{Vault: w.vault, Now: today, Journal: w.journal, Memory: func() string { return name }}
		w.tools = tool.New(o)
		out := w.call("updateMemory", `{"statement":"x"}`)
		switch {
		case out.Propose != nil && out.Propose.Path != want:
			t.Errorf("%s: %s is written, want %s", name, out.Propose.Path, want)
		case out.Propose == nil && !strings.Contains(out.Text, want):
			t.Errorf("%s: %s, want %s", name, out.Text, want)
		}
	}
}

// TestBlockPath: a block in a reply names the path of the note that it makes or replaces.
func TestBlockPath(t *testing.T) {
	w := newProposalVault(t)
	for path, want := range map[string]string{
		"Projects/Plan": "Projects/Plan.md", "Plan": "Plan.md", "Archive/plan.md": "Archive/Plan.md",
		"Twin.md": "Twin.md", "Twin": "",
	} {
		for _, each := range w.tools {
			if each.Spec().Name != "writeToFile" {
				continue
			}
			args := value(json.Marshal(map[string]string{"path": path, "content": "x", "mode": chains.BlockMode}))(t)
			out := value(each.Call(t.Context(), args))(t)
			got := ""
			if out.Propose != nil {
				got = out.Propose.Path
			}
			if got != want {
				t.Errorf("%s: %s is written, want %q: %s", path, got, want, out.Text)
			}
		}
	}
}

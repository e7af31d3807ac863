package tool_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// While the rules for excluded files cannot be read, no tool tells anything of the vault, nor proposes to change it.
func TestToolsWithoutRules(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"/(/\"]}\n-- Roof.md --\nThe roof. #house\n-- House/Beam.md --\n[[Roof]]\n")
	around := state.State{Active: vault.ActiveNote{Path: "Roof.md", Live: true}, Pins: []vault.Pin{{Path: "Roof.md"}}}
	tools := tool.New(tool.Options{
		Vault: v, Revision: gather.New(v, gather.Options{}).Revision, State: func(string) state.State { return around },
		Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: v.Local()} },
		Journal:  undo.New(v, undo.Options{StateDir: t.TempDir()}), Memory: func() string { return "Roof" },
		Web: tool.Web{Search: "http://127.0.0.1:1", Fetch: true},
	})
	args := json.RawMessage(`{"query":"roof","notePath":"Roof","reference":"Roof","path":"Roof.md","content":"x","url":"x","expression":"today",` +
		`"oldText":"roof","newText":"x","statement":"x","timeExpression":"today"}`)
	for _, each := range tools {
		spec := each.Spec()
		out, err := each.Call(t.Context(), args)
		check(t, err)
		withheld := strings.Contains(out.Text, "cannot be looked up now")
		is(t, withheld, !spec.NoNotes && spec.Ask == "", spec.Name)
		is(t, out.Propose == nil, true, spec.Name)
		if strings.Contains(out.Text+out.Note, "oof") && withheld {
			t.Errorf("%s: %s %s", spec.Name, out.Text, out.Note)
		}
	}
}

// A rule that takes too long is found out by the look at the vault that comes before each call.
func TestToolFindsSlowRule(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"/^(a+)+$/\"]}\n-- Roof.md --\nThe roof.\n")
	tools := tool.New(tool.Options{
		Vault:    v,
		Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: v.Local()} },
		Settle: func(ctx context.Context, _ ...vault.Path) {
			vaulttest.Write(t, v, vault.Path(strings.Repeat("a", 40)+"!.md"), "x")
			_, _ = v.Revalidate(ctx)
		},
	})
	for _, each := range tools {
		if each.Spec().Name != "readNote" {
			continue
		}
		out, err := each.Call(t.Context(), json.RawMessage(`{"notePath":"Roof"}`))
		check(t, err)
		if !strings.Contains(out.Text, "cannot be looked up now") {
			t.Errorf("%s: %s", filepath.Base(v.Dir()), out.Text)
		}
	}
}

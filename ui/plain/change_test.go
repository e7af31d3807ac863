package plain_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/plain"
	"ibid/vault/edit"
)

// changing returns a tool that proposes two hunks with escape sequences; it adds the results to did.
func changing(did *[]string) *chaintest.Tool {
	rows := strings.Repeat("row\n", 20)
	change := edit.Compare("first\n"+rows+"last\n", "first\x1b[2J\n"+rows+"end\n")
	tool := chaintest.Writer("editFile", "", "", nil)
	tool.Func = func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
		return chains.ToolOutput{Propose: &chains.Proposal{
			Path: "Garden/Beds.md", Change: change, Warnings: []string{"links: 1 of 1 leads nowhere: [[X]]"},
			Apply: func(_ context.Context, d chains.Decision) (chains.AppliedProposal, error) {
				*did = append(*did, change.Select(d.Hunks))
				return chains.AppliedProposal{Text: "applied", Hunks: 1, Of: 2}, nil
			},
		}}, nil
	}
	return tool
}

// TestAskingForChanges shows the difference, asks at a terminal, goes hunk by hunk, and
// writes without a question what a pattern covers.
func TestAskingForChanges(t *testing.T) {
	rows := strings.Repeat("row\n", 20)
	first, second, both := "first\x1b[2J\n"+rows+"last\n", "first\n"+rows+"end\n", "first\x1b[2J\n"+rows+"end\n"
	for _, tt := range []struct {
		name  string
		setup func(*plain.Output)
		input []string
		did   []string
		says  string
	}{
		{"yes", terminal, []string{"y", "no"}, []string{both}, "ibid: apply? [y/n/h/q] "},
		{"what is no answer asks again", terminal, []string{"", "what", "Y", "n"}, []string{both}, "h goes hunk by hunk"},
		{"no with a reason", terminal, []string{"n, not there", "n"}, nil, "refused by the person: not there"},
		{"the first hunk", terminal, []string{"h", "y", "n", "n"}, []string{first}, "ibid: apply hunk 2 of 2? [y/n] "},
		{"the second hunk", terminal, []string{"h", "n", "x", "y", "n"}, []string{second}, ""},
		{"no hunk", terminal, []string{"h", "n", "n not these", "n"}, nil, "refused by the person: not these"},
		{"quit", terminal, []string{"q enough"}, nil, "refused by the person: enough"},
		{"nobody", func(*plain.Output) {}, nil, nil, `--approve "Garden/Beds.md" or --approve all allows it`},
		{
			"covered", func(o *plain.Output) { o.Approve = plain.Approvals{"@web", "Garden/*.md"} }, nil,
			[]string{both, both},
			"",
		},
		{
			"not covered", func(o *plain.Output) { o.Approve = plain.Approvals{"@web", "@read", "*.md"} }, nil, nil,
			"nobody was there to ask",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var did []string
			r := toolRig(t, []chains.Tool{changing(&did)}, calling("", call("editFile", `{}`), call("editFile", `{"n":2}`)),
				chaintest.Reply{Text: "Done."})
			tt.setup(r.output)
			all := r.answer(t, tt.input)
			is(t, strings.Join(did, "|"), strings.Join(tt.did, "|"), all)
			if !strings.Contains(all, tt.says) || !strings.Contains(all, "--- a/Garden/Beds.md\n") ||
				!strings.Contains(all, "ibid: note: links: 1 of 1") || strings.Contains(all, "\x1b") {
				t.Errorf("%q is not in\n%s", tt.says, all)
			}
		})
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"all", "a/b.md", true},
		{"*.md", "a.md", true},
		{"*.md", "a/b.md", false},
		{"a/*.md", "a/b.md", true},
		{"a/*", "a/b/c.md", false},
		{"a/**", "a/b/c.md", true},
		{"a/**", "ab/c.md", false},
		{"**/c.md", "a/b/c.md", true},
		{"**/c.md", "c.md", true},
		{"**", "a/b.md", true},
		{"a/**/d?.md", "a/b/c/d1.md", true},
		{"a.md", "axmd", false},
		{"**.md", "a/b.md", true},
		{"@web", "@web", false},
		{"", "", false},
	} {
		is(t, (plain.Approvals{c.pattern}).Covers(c.path), c.want, c.pattern, c.path)
	}
}

// manyChanges returns a tool that proposes to change the note of its query; it adds the paths of those made to did.
func manyChanges(did *[]string) *chaintest.Tool {
	tool := chaintest.Writer("editFile", "", "", nil)
	tool.ToolSpec.Schema = chaintest.QuerySchema
	tool.Func = func(_ context.Context, args json.RawMessage) (chains.ToolOutput, error) {
		var a struct{ Query string }
		if err := json.Unmarshal(args, &a); err != nil {
			return chains.ToolOutput{}, err
		}
		if a.Query == "gone.md" {
			return chains.ToolOutput{Text: `{"success":false,"error":"Note not found"}`}, nil
		}
		return chains.ToolOutput{Propose: &chains.Proposal{
			Path: a.Query, Change: edit.Compare("a\n", "b\n"), Warnings: []string{"links: 1 of 1 leads nowhere: [[X]]"},
			Apply: func(context.Context, chains.Decision) (chains.AppliedProposal, error) {
				*did = append(*did, a.Query)
				return chains.AppliedProposal{Text: "applied", Hunks: 1, Of: 1}, nil
			},
		}}, nil
	}
	return tool
}

// TestAskingForManyChanges: a list comes first, with what cannot be made; one answer makes all of it, or the single
// changes are asked about, or none is made.
func TestAskingForManyChanges(t *testing.T) {
	all := "a.md b.md c.md d.md"
	for _, tt := range []struct {
		name  string
		setup func(*plain.Output)
		input []string
		did   string
		says  string
	}{
		{"all", terminal, []string{"A"}, all, "ibid: change these 4 notes (4 hunks, +4 −4)? [A/y/n] "},
		{"all, in words", terminal, []string{"", "what", "all"}, all, "A makes all of these as they are listed"},
		{"one by one", terminal, []string{"y", "y", "n", "y", "n"}, "a.md c.md", "apply? [y/n/h/q] "},
		{"none", terminal, []string{"n, too many"}, "", "refused by the person: too many"},
		{"nobody", func(*plain.Output) {}, nil, "", `--approve "a.md" or --approve all allows it`},
		{"covered", func(o *plain.Output) { o.Approve = plain.Approvals{"*.md"} }, nil, all, "--- a/c.md"},
		{"some covered", func(o *plain.Output) { o.Approve = plain.Approvals{"b.md"} }, nil, "b.md", `--approve "a.md"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var did []string
			r := toolRig(t, []chains.Tool{manyChanges(&did)}, calling("", call("editFile", `{"query":"a.md"}`),
				call("editFile", `{"query":"b.md"}`), call("editFile", `{"query":"gone.md"}`),
				call("editFile", `{"query":"c.md"}`), call("editFile", `{"query":"d.md"}`)), chaintest.Reply{Text: "Done."})
			tt.setup(r.output)
			said := r.answer(t, tt.input)
			is(t, strings.Join(did, " "), tt.did, said)
			for _, text := range []string{
				tt.says, "ibid: change: c.md: 1 hunk, +1 −1", "ibid: note: c.md: links: 1 of 1",
				"ibid: cannot be made: editFile gone.md: Note not found",
			} {
				if !strings.Contains(said, text) {
					t.Errorf("%q is not in\n%s", text, said)
				}
			}
		})
	}
}

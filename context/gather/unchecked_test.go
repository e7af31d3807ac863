package gather_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// uncheckedVault has a list of excluded files that cannot be read.
const uncheckedVault = `
-- .obsidian/app.json --
{"userIgnoreFilters": ["Old/", "/(/"]}
-- a.md --
# Head
open ![[b]]
-- b.md --
embedded
-- tools/rake.md --
Lent out. #tools
-- tools/saw.md --
Sharp.
-- Query.md --
` + "```dataview\nLIST\n```" + `
-- Diary.md --
---
private: true
---
-- Old/x.md --
-- Memory.md --
remembered
-- Plans/Plans.md --
planned
`

func TestUncheckedReferences(t *testing.T) {
	v := vaulttest.New(t, uncheckedVault)
	g := gather.New(v, gather.Options{})
	if err := g.Withheld(); !errors.Is(err, vault.ErrRules) {
		t.Fatalf("Withheld = %v", err)
	}
	chosen := []prompt.Ref{
		note("a.md"), ref(prompt.Selection, "a.md#Head"), ref(prompt.Folder, "tools/"), ref(prompt.Tag, "#tools"),
		note("Query.md"), note("Diary.md"), note("Old/x.md"),
	}
	items, missing, err := g.Gather(t.Context(), chosen)
	check(t, err)
	is(t, len(items), 0)
	wantList(t, "missing", states(missing), "unchecked a.md, unchecked a.md#Head, unchecked tools/, unchecked #tools, "+
		"unchecked Query.md, private Diary.md, ignored Old/x.md")
	for _, m := range missing[:5] {
		if !strings.Contains(m.Reason, "is not sent: the rules for excluded files cannot be read (/(/ is") {
			t.Errorf("reason = %q", m.Reason)
		}
	}
	in, missing := g.Instructions(t.Context(), prompt.Instructions{}, "Memory", "Plans")
	is(t, in.Memory, "")
	is(t, in.Project == nil, true)
	wantList(t, "missing", states(missing), "unchecked Plans/Plans.md")
	found := g.Fill(t.Context(), "See {[[a]]}.", gather.Values{})
	is(t, found.Text, "See {[[a]]}.")
	refs, missing := g.Mentions(t.Context(), "See @a#Head")
	is(t, refs, []prompt.Ref{ref(prompt.Selection, "a.md#Head")})
	is(t, len(missing), 0)

	g.Agree(chosen)
	items, missing, err = g.Gather(t.Context(), chosen)
	check(t, err)
	is(t, itemIDs(items), "a.md, a.md#Head, tools/rake.md, tools/saw.md, Query.md")
	for _, it := range items {
		is(t, len(it.Embedded), 0, it.ID)
	}
	wantList(t, "missing", states(missing), "embed b.md, embed b.md, unchecked "+prompt.QueryRef("Query.md", "LIST").ID+
		", private Diary.md, ignored Old/x.md")
	current, _, err := g.Current(t.Context(), items)
	check(t, err)
	is(t, len(current), 0)
}

// A rule that takes too long is found out while a chat goes on: what it knows is withdrawn.
func TestWithdrawnByRule(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"/^(a+)+$/\"]}\n-- b.md --\nopen\n")
	g := gather.New(v, gather.Options{})
	items, _, err := g.Gather(t.Context(), []prompt.Ref{note("b.md")})
	check(t, err)
	is(t, itemIDs(items), "b.md")
	check(t, os.WriteFile(filepath.Join(v.Dir(), strings.Repeat("a", 40)+"!.md"), nil, 0o600))
	began := time.Now()
	_, err = v.Revalidate(t.Context())
	check(t, err)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	current, _, err := g.Current(t.Context(), items)
	check(t, err)
	is(t, current["b.md"].State, prompt.Private)
}

func itemIDs(items []prompt.Item) string {
	var ids []string
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return strings.Join(ids, ", ")
}

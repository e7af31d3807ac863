package gather_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const shed = `
-- spade.md --
---
title: The spade
---
# Spade

It hangs in the shed.

## Handle

Ash. ^ash
-- tools/rake.md --
Lent out. #tools
-- tools/small/fork.md --
Bent. #tools/small
-- tools/diary.md --
---
private: true
---
Secret. #tools
-- tools/list.txt --
one, two
-- Archive/old.md --
Excluded. #tools
-- note#1.md --
# Head
x
-- Chats/talk.md --
---
epoch: 1
modelKey: "m"
---
**user**: hi #tools
`

func ref(kind prompt.Kind, id string) prompt.Ref { return prompt.Ref{Kind: kind, ID: id} }

func TestGather(t *testing.T) {
	dir := vaulttest.Dir(t, shed)
	v := vaulttest.Open(t, dir, vault.Options{Ignore: []string{"Archive/"}})
	g := gather.New(v, gather.Options{})
	vaulttest.Write(t, v, "bin.md", "a\x00b")
	vaulttest.Write(t, v, "latin.md", "caf\xe9\r\n")
	var many []string
	for i := range 301 {
		many = append(many, fmt.Sprintf("many/%03d.md", i))
		vaulttest.Write(t, v, vault.Path(many[i]), "x")
	}
	vaulttest.Write(t, v, "empty/x.txt", "x")
	vaulttest.Write(t, v, "huge.md", "x")
	check(t, os.Truncate(filepath.Join(dir, "huge.md"), 50<<20))
	for _, row := range vaulttest.Rows(t, "gather.txt", 3) {
		ref := refOf(row[0])
		items, missing := itemsOf(t, g, ref, ref)
		wantList(t, row[0], idsOf(items), strings.Replace(row[1], "{all}", strings.Join(many, ", "), 1))
		state, words, _ := strings.Cut(row[2], " ")
		if state == "" {
			if len(missing) > 0 {
				t.Errorf("%s: %+v", row[0], missing)
			}
		} else if len(missing) != 2 || missing[0].State != state || missing[0].Ref != ref ||
			!strings.Contains(missing[0].Reason, words) {
			t.Errorf("%s: %+v", row[0], missing)
		}
	}
}

func TestItems(t *testing.T) {
	g, v := newGatherer(t, shed)
	vaulttest.Write(t, v, "latin.md", "caf\xe9\r\n\r\n")
	items, _ := itemsOf(t, g, note("spade.md"), ref(prompt.Selection, "spade.md#Handle"), note("latin.md"))
	if it := items[0]; it.Title != "The spade" || it.Path != "spade.md" || it.Outline != "# Spade\n## Handle" ||
		!strings.HasPrefix(it.Content, "---\ntitle") {
		t.Errorf("%+v", it)
	}
	if it := items[1]; it.Content != "## Handle\n\nAsh. ^ash" || it.StartLine != 8 || it.EndLine != 10 ||
		it.Path != "spade.md" {
		t.Errorf("%+v", it)
	}
	if it := items[2]; it.Content != "café" || it.HasImages {
		t.Errorf("%+v", it)
	}
}

// TestGatherOrder: the person's order, each thing once, what is missing does not
// hold up the others.
func TestGatherOrder(t *testing.T) {
	g, _ := newGatherer(t, shed)
	items, missing := itemsOf(t, g, note("tools/small/fork.md"), note("gone.md"), ref(prompt.Folder, "tools/"),
		note("spade.md"), ref(prompt.Tag, "#tools"))
	wantList(t, "items", idsOf(items), "tools/small/fork.md, tools/rake.md, spade.md, Archive/old.md")
	wantList(t, "missing", states(missing), "missing gone.md")
}

func TestGatherEnds(t *testing.T) {
	g, _ := newGatherer(t, shed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, refs := range [][]prompt.Ref{{note("spade.md")}, {ref(prompt.Folder, "tools/")}} {
		if _, _, err := g.Gather(ctx, refs); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	items, _ := itemsOf(t, g, note("spade.md"))
	if _, _, err := g.Current(ctx, items); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	g, v := newGatherer(t, shed)
	check(t, os.Chmod(filepath.Join(v.Dir(), "spade.md"), 0))
	if _, missing := itemsOf(t, g, note("spade.md")); len(missing) != 1 || missing[0].State != "unreadable" ||
		!strings.Contains(missing[0].Reason, "permission denied") {
		t.Errorf("%+v", missing)
	}
}

func TestMembers(t *testing.T) {
	g, _ := newGatherer(t, shed)
	wantList(t, "folder", ids(g.Members(ref(prompt.Folder, "tools/"))),
		"tools/diary.md, tools/rake.md, tools/small/fork.md")
	wantList(t, "tag", ids(g.Members(ref(prompt.Tag, "#tools/small"))), "tools/small/fork.md")
	wantList(t, "note", ids(g.Members(note("spade.md"))), "")
	wantList(t, "chats", ids(g.Members(ref(prompt.Folder, "Chats/"))), "")
}

// TestCurrent: what became of things that were gathered before.
func TestCurrent(t *testing.T) {
	g, v := newGatherer(t, shed+"-- twin.md --\nTwice.\n-- empty.md --\n")
	refs := []prompt.Ref{
		note("spade.md"), ref(prompt.Selection, "spade.md#Handle"), ref(prompt.Selection, "spade.md#L1-L2"),
		note("tools/rake.md"), note("tools/small/fork.md"),
		note("tools/list.txt"), note("note#1.md"), note("twin.md"), note("empty.md"),
	}
	known, missing, err := g.Gather(t.Context(), refs)
	if err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
	known = append(known, prompt.NewItem(ref(prompt.URL, "https://example.com"), "", "", "x"),
		prompt.NewItem(ref("inlined", "x"), "", "", "x"))
	if now, moves, err := g.Current(t.Context(), known); err != nil || len(now)+len(moves) > 0 {
		t.Fatalf("nothing happened: %v, %v, %v", now, moves, err)
	}
	vaulttest.Write(t, v, "spade.md", "---\ntitle: The spade\n---\n# Spade\n\nLost.\n")
	vaulttest.Remove(t, v, "tools/rake.md")
	vaulttest.Rename(t, v, "tools/small/fork.md", "tools/big/fork.md")
	vaulttest.Write(t, v, "note#1.md", "---\nprivate: true\n---\n# Head\nx\n")
	vaulttest.Write(t, v, "copy.md", "Twice.\n")
	vaulttest.Rename(t, v, "twin.md", "other twin.md")
	vaulttest.Rename(t, v, "empty.md", "void.md")
	now, moves, err := g.Current(t.Context(), known)
	check(t, err)
	want := map[string]prompt.State{
		"spade.md": prompt.Changed, "spade.md#Handle": prompt.Deleted, "tools/rake.md": prompt.Deleted,
		"note#1.md": prompt.Private,
		"twin.md":   prompt.Deleted, // its text stands at two places
		"empty.md":  prompt.Deleted, // nothing is no text to know a note by
	}
	for id, state := range want {
		is(t, now[id].State, state, id)
		delete(now, id)
	}
	if len(now) > 0 {
		t.Errorf("also %v", now)
	}
	if len(moves) != 1 || moves[0].From != note("tools/small/fork.md") || moves[0].To.ID != "tools/big/fork.md" ||
		moves[0].To.Content != "Bent. #tools/small" {
		t.Errorf("%+v", moves)
	}
}

// TestRevision: the revision of a note is that of its item, and "" if the note would not be
// sent.
func TestRevision(t *testing.T) {
	g, v := newGatherer(t, shed)
	items, _ := itemsOf(t, g, note("spade.md"))
	for range 2 {
		is(t, g.Revision("spade.md"), items[0].Revision.Short())
	}
	for _, p := range []vault.Path{"tools/diary.md", "gone.md"} {
		is(t, g.Revision(p), "", p)
	}
	vaulttest.Write(t, v, "spade.md", "new")
	_, err := v.Revalidate(t.Context())
	check(t, err)
	if got := g.Revision("spade.md"); got == items[0].Revision.Short() || got == "" {
		t.Errorf("%q", got)
	}
}

// TestMovedReadsOnce: looking for a note by its content reads the vault once, and
// then what has changed.
func TestMovedReadsOnce(t *testing.T) {
	var archive strings.Builder
	for i := range 50 {
		fmt.Fprintf(&archive, "-- n%02d.md --\ntext %d\n", i, i)
	}
	reads := 0
	dir := vaulttest.Dir(t, archive.String())
	old := time.Now().Add(-time.Hour)
	for i := range 50 {
		check(t, os.Chtimes(filepath.Join(dir, fmt.Sprintf("n%02d.md", i)), old, old))
	}
	v := vaulttest.Open(t, dir, vault.Options{CacheBytes: 1, OnRead: func(vault.Path) { reads++ }})
	g := gather.New(v, gather.Options{})
	known, _ := itemsOf(t, g, note("n00.md"))
	vaulttest.Remove(t, v, "n00.md")
	var counts []int
	for i := range 3 {
		vaulttest.Write(t, v, "n01.md", fmt.Sprint("edited ", i))
		reads = 0
		if now, _, err := g.Current(t.Context(), known); err != nil || now["n00.md"].State != prompt.Deleted {
			t.Errorf("%v, %v", now, err)
		}
		counts = append(counts, reads)
	}
	if counts[0] < 49 || slices.Max(counts[1:]) > 5 {
		t.Errorf("files read per turn: %v", counts)
	}
}

func TestInstructions(t *testing.T) {
	g, v := newGatherer(t, `
-- Memory.md --
Likes tea.
-- work/Garden/Garden.md --
---
context:
  - "[[Beds]]"
  - "[[spade#Handle]]"
  - "[[gone]]"
  - "[[diary]]"
  - "[[Beds]]"
related: "[[unrelated]]"
---
Speak of plants.

## Context
It rained.
### When
In May.
## Tone
Be kind.
-- Beds.md --
North and south.
-- spade.md --
# Spade
## Handle
Ash.
-- diary.md --
---
private: true
---
Secret.
-- unrelated.md --
Nothing.
-- plain/project.md --
Be brief.
-- bare/other.md --
x
-- quiet/quiet.md --
---
context: "[[gone]]"
---
`)
	base := prompt.Instructions{User: "u", Memory: "stale", Project: &prompt.Project{Prompt: "stale"}}
	in, missing := g.Instructions(t.Context(), base, "", "")
	if in.User != "u" || in.Memory != "" || in.Project != nil || len(missing) > 0 {
		t.Errorf("%+v, %+v", in, missing)
	}
	in, missing = g.Instructions(t.Context(), base, "Memory", "work/Garden")
	text := prompt.SystemText(in)
	for _, want := range []string{
		"<user_memory>\nLikes tea.\n",
		"<project_system_prompt>\nSpeak of plants.\n\n## Tone\nBe kind.\n</project_system_prompt>",
		"<project_context>\nIt rained.\n### When\nIn May.\n</project_context>",
	} {
		is(t, strings.Count(text, want), 1, want, text)
	}
	for _, never := range []string{"Secret", "Nothing.", "context:", "stale", "nil", "null", "North and south", "Ash."} {
		if strings.Contains(text, never) {
			t.Errorf("%q in\n%s", never, text)
		}
	}
	wantList(t, "left out", states(missing), "project gone, project diary.md")
	if !strings.Contains(reasons(missing), "links gone, which is not there") ||
		!strings.Contains(reasons(missing), "project: diary.md is private") {
		t.Errorf("%+v", missing)
	}
	wantList(t, "notes", ids(in.Project.Notes), "Beds.md, selection:spade.md#Handle")
	for _, name := range []string{"Garden", "garden/", "work/Garden/"} {
		if in, missing := g.Instructions(t.Context(), base, "", name); in.Project == nil ||
			in.Project.Name != "work/Garden/" {
			t.Errorf("%s: %+v, %+v", name, in.Project, missing)
		}
	}
	for project, want := range map[string]string{
		"plain/": "Be brief.", "bare": "holds neither",
		"nowhere": "there is no folder", "quiet": "links gone",
	} {
		in, missing := g.Instructions(t.Context(), base, "", project)
		text := prompt.SystemText(in) + reasons(missing)
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", project, want, text)
		}
		if strings.Contains(text, "project_context") || strings.Contains(text, "nil") { // S1-16
			t.Errorf("%s:\n%s", project, text)
		}
	}
	if in, missing := g.Instructions(t.Context(), base, "Nowhere", ""); in.Memory != "" ||
		!strings.Contains(reasons(missing), "memory: Nowhere") {
		t.Errorf("%+v, %+v", in, missing)
	}
	vaulttest.Write(t, v, "New memory.md", "Fresh.")
	if in, missing := g.Instructions(t.Context(), base, "New memory", ""); in.Memory != "Fresh." {
		t.Errorf("%+v, %+v", in, missing)
	}
}

// Where a link leads counts, not what it is called: for what is attached, for
// pins and the active note, which are gathered alike, and for images.
func TestGatherThroughLinks(t *testing.T) {
	dir := vaulttest.Dir(t, "-- .git/config --\ntoken\n-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"Old/\"]}\n-- Old/x.md --\nx\n-- Old/p.png --\n-- Real/a.md --\nopen\n-- b.md --\n![[p2.png]] ![[q.png]]\n")
	for name, target := range map[string]string{
		"Welcome.md": ".git/config", "old.md": "Old/x.md",
		"p2.png": "Old/p.png", "q.png": ".git/config", "good.md": "Real/a.md",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	g := gather.New(vaulttest.Open(t, dir, vault.Options{}), gather.Options{})
	items, missing, err := g.Gather(context.Background(),
		[]prompt.Ref{note("Welcome.md"), note("old.md"), note("good.md"), prompt.Lines("Welcome.md", 1, 1), note("b.md")})
	check(t, err)
	wantList(t, "missing", states(missing), "ignored Welcome.md, ignored old.md, ignored Welcome.md#L1-L1")
	if len(items) != 2 || strings.TrimSpace(items[0].Content) != "open" {
		t.Fatalf("items = %+v", items)
	}
	images, missing := g.Images(context.Background(), items[1])
	if len(images) != 0 || len(missing) != 2 {
		t.Errorf("images = %v, missing %v", images, missing)
	}
	if refs, _ := g.Mentions(context.Background(), "See @Welcome"); len(refs) != 0 {
		t.Errorf("a link into .git is named: %v", refs)
	}
}

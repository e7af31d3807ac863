package gather_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// embeds returns an item's embeds as "path: text", with the lines of the text joined.
func embeds(it prompt.Item) string {
	return words(it.Embedded, func(e prompt.EmbeddedText) string {
		return e.Path + ": " + strings.ReplaceAll(e.Content, "\n", "/")
	})
}

const plans = `-- Plan.md --
# Plan
![[Seeds]] and ![[Seeds#Beans]]
![[seeds]] again, ![[Seeds#^rows]], ![](notes/Soil.md)
![[Nothing]] ![[Seeds#Nowhere]] ![[pic.png]] ![[doc.pdf]] ![[#Plan]] ![[Plan]]
## Private
![[Diary]] ![[Archive/Old]]
## Code
` + "```\n![[Last]]\n```\n`![[Last]]`" + `
-- Seeds.md --
---
tags: seed
---
Peas. ![[Last]]

In rows. ^rows
# Beans
Runner.
# Kale
-- notes/Soil.md --
Loam, ![x](data:image/png;base64,` + "QUJDQUJD" + `)
-- Diary.md --
---
private: true
---
secret
-- Archive/Old.md --
old
-- Last.md --
last
-- doc.pdf --
x
`

// TestTransclusions: the embeds of a note are sent with it, one level deep.
func TestTransclusions(t *testing.T) {
	v := vaulttest.Open(t, vaulttest.Dir(t, plans), vault.Options{Ignore: []string{"Archive/"}})
	g := gather.New(v, gather.Options{})
	for _, row := range vaulttest.Rows(t, "embed.txt", 3) {
		items, missing := itemsOf(t, g, refOf(row[0]))
		wantList(t, row[0], embeds(items[0]), row[1])
		wantList(t, row[0]+" leaves out", states(missing), row[2])
	}
	_, missing := itemsOf(t, g, note("Plan.md"))
	if got, want := reasons(missing[:1]),
		"Plan.md embeds a note that is left out: Diary.md is private: it stays on this machine"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTransclusionChanges: a change of an embedded note is a change of the item.
func TestTransclusionChanges(t *testing.T) {
	g, v := newGatherer(t, "-- a.md --\n![[b]] ![[new]]\n-- b.md --\none\n-- c.md --\nalone\n")
	refs := []prompt.Ref{note("a.md"), note("c.md")}
	known, _ := itemsOf(t, g, refs...)
	before := []string{g.Revision("a.md"), g.Revision("c.md")}
	for _, step := range []struct {
		path, text string // "" removes the note
		state      prompt.State
		want       string
	}{
		{"b.md", "two", prompt.Changed, "b.md: two"},
		{"new.md", "three", prompt.Changed, "b.md: two, new.md: three"}, // made after the last look at the disk
		{"b.md", "---\nprivate: true\n---\n", prompt.Withdrawn, "new.md: three"},
		{"b.md", "four", prompt.Changed, "b.md: four, new.md: three"},
		{"b.md", "", prompt.Changed, "new.md: three"},
	} {
		if step.text == "" {
			vaulttest.Remove(t, v, vault.Path(step.path))
		} else {
			vaulttest.Write(t, v, vault.Path(step.path), step.text)
		}
		now, moves, err := g.Current(t.Context(), known)
		if err != nil || len(moves) > 0 || len(now) != 1 || now["a.md"].State != step.state {
			t.Fatalf("%v: %+v, %v, %v", step, now, moves, err)
		}
		known[0] = now["a.md"].Item
		wantList(t, fmt.Sprint(step), embeds(known[0]), step.want)
		_, err = v.Revalidate(t.Context())
		check(t, err)
		if got := g.Revision("a.md"); got != known[0].Revision.Short() || got == before[0] {
			t.Errorf("%v: revision %s, before %s", step, got, before[0])
		}
	}
	is(t, g.Revision("c.md"), before[1], "another note")
	vaulttest.Write(t, v, "new.md", "---\nprivate: true\n---\n")
	vaulttest.Remove(t, v, "a.md")
	if now, _, err := g.Current(t.Context(), known); err != nil || now["a.md"].State != prompt.Private {
		t.Errorf("deleted, and what it embedded is private: %+v, %v", now, err)
	}
}

// BenchmarkTransclusions checks two hundred notes with one embed each for changes.
func BenchmarkTransclusions(b *testing.B) {
	var archive strings.Builder
	var refs []prompt.Ref
	for i := range 200 {
		fmt.Fprintf(&archive, "-- a%d.md --\ntext ![[b%d]]\n-- b%d.md --\nembedded\n", i, i, i)
		refs = append(refs, note(fmt.Sprintf("a%d.md", i)))
	}
	lookAgain(b, gather.New(vaulttest.New(b, archive.String()), gather.Options{}), refs)
}

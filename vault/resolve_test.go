package vault_test

import (
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// archive returns an archive of empty notes.
func archive(paths ...string) string {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString("-- " + p + " --\n")
	}
	return b.String()
}

// linkTargets has a case per line: the files of a vault | the note with the link | its target | the file that
// Resolve finds, and after a # the subpath. ␠ is a space.
const linkTargets = `
subpath after the first #: Tea.md | x.md | Tea#Green#Sencha | Tea.md#Green#Sencha
the note itself: a/Tea.md | a/Tea.md | #Green | a/Tea.md#Green
case does not matter: a/Tea.md | x.md | tEA | a/Tea.md
composed and decomposed letters: a/Café.md | x.md | café | a/Café.md
a dot in the name: v1.2.md | x.md | v1.2 | v1.2.md
a file of that very name first: a.b b/a.b.md | x.md | a.b | a.b
with extension: a/Tea.md | x.md | Tea.md | a/Tea.md
an extension in capitals: Ext.md | x.md | Ext.MD | Ext.md
a file with extension in capitals: Ext.MD | x.md | Ext | Ext.MD
the note before the canvas: Plan.canvas a/b/c/Plan.md | x.md | Plan | a/b/c/Plan.md
a canvas needs its extension: Plan.canvas | x.md | Plan | missing
a canvas with it: Plan.canvas | x.md | plan.canvas | Plan.canvas
an attachment: media/p.png | x.md | p.png | media/p.png
./ starts at the folder: a/Tea.md Tea.md | a/x.md | ./Tea | a/Tea.md
./ looks nowhere else: Tea.md | a/x.md | ./Tea | missing
../ goes up: a/Tea.md a/b/Tea.md | a/b/x.md | ../Tea | a/Tea.md
../ out of the vault: Tea.md | a/x.md | ../../Tea | missing
/ is the root: Tea.md a/Tea.md | a/x.md | /Tea | Tea.md
/ looks nowhere else: a/Tea.md | a/x.md | /Tea | missing
the whole path wins over the neighbour: Tea.md a/Tea.md | a/x.md | Tea | Tea.md
the neighbour wins over the shorter path: aa/b/Tea.md c/Tea.md | aa/b/x.md | Tea | aa/b/Tea.md
a folder above gives no bonus: aa/Tea.md c/Tea.md | aa/b/x.md | Tea | c/Tea.md
the shortest path in characters: abcdefgh/Tea.md a/b/c/Tea.md | x.md | Tea | a/b/c/Tea.md
characters, not bytes: 茶茶茶/Tea.md abcd/Tea.md | x.md | Tea | 茶茶茶/Tea.md
the end of a path: a/b/Tea.md | x.md | b/Tea | a/b/Tea.md
the end of a path at an element: a/bb/Tea.md | x.md | b/Tea | missing
the whole path before the end of one: a/b/Tea.md b/Tea.md | a/b/x.md | b/Tea | b/Tea.md
a tie goes by name: b/Tea.md a/Tea.md | x.md | Tea | a/Tea.md
a tie goes by case first: a/tea.md b/Tea.md | x.md | Tea | b/Tea.md
a URL is a missing note: Tea.md | x.md | https://example.org | missing
spaces around: Tea.md | x.md | ␠Tea␠#␠Green | Tea.md#␠Green
dot files are never found: .hidden/Tea.md .Tea.md | x.md | Tea | missing
nothing: Tea.md | x.md | Cup | missing
a # in a name that was encoded: C#.md | x.md | C#.md | C#.md
the root is no file: Tea.md | x.md | / | missing
`

func TestResolve(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(linkTargets)) {
		name, row, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "␠", " ")), ": ")
		cells := strings.Split(row, " | ")
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, archive(append(strings.Fields(cells[0]), "x.md")...))
			is(t, answer(v.Resolve(cells[2], vault.Path(cells[1]))), cells[3])
		})
	}
}

// answer formats a result: the state if it is not OK, the path, after a # the subpath, then the candidates.
func answer(f vault.FoundNote) string {
	s := string(f.Path)
	if f.Subpath != "" {
		s += "#" + f.Subpath
	}
	if f.State != vault.OK {
		s = strings.TrimSpace(string(f.State) + " " + s)
	}
	return strings.Join(append([]string{s}, vault.PathStrings(f.Candidates)...), ", ")
}

// An alias never resolves a link; it is suggested.
func TestResolveAlias(t *testing.T) {
	v := vaulttest.New(t, `
-- Tea.md --
---
aliases: [Chai]
---
-- Cup.md --
---
title: Chai
---
`)
	got := v.Resolve("chai", "Cup.md")
	want := vault.FoundNote{State: vault.Missing, Candidates: []vault.Path{"Cup.md", "Tea.md"}}
	is(t, got, want)
}

// Excluded files stay targets of links: only search and suggestions leave
// them out.
func TestResolveIgnored(t *testing.T) {
	v := vaulttest.New(t, `
-- .obsidian/app.json --
{"userIgnoreFilters": ["Old/"]}
-- Old/Tea.md --
`)
	if got := v.Resolve("Tea", ""); got.Path != "Old/Tea.md" {
		t.Errorf("Resolve = %+v", got)
	}
	if len(v.Notes()) != 0 || len(v.Folders()) != 0 {
		t.Errorf("notes %v, folders %v", v.Notes(), v.Folders())
	}
}

const library = `
-- Lessons/Lesson 4.md --
---
title: Scales in thirds
aliases: [Thirds, "L4"]
---
-- a/Same.md --
-- b/Same.md --
-- c/Only.md --
-- d/only/Deep.md --
-- x/Case.md --
-- y/case.md --
-- Note#3.md --
-- Plan.canvas --
-- pics/p.png --
-- t/One.md --
---
title: Shared
---
-- t/Two.md --
---
title: Shared
---
-- Old/Gone.md --
-- Old/Same.md --
-- LICENSE --
-- Café.md --
-- .obsidian/app.json --
{"userIgnoreFilters": ["Old/"]}
`

// references are results of Find for reading, in the form of answer.
const references = `
# S3-33: every way to name a note
Lessons/Lesson 4.md => Lessons/Lesson 4.md
Lessons/Lesson 4 => Lessons/Lesson 4.md
/Lessons/Lesson 4 => Lessons/Lesson 4.md
./Lessons/Lesson 4 => Lessons/Lesson 4.md
Lesson 4 => Lessons/Lesson 4.md
lesson 4.MD => Lessons/Lesson 4.md
scales in Thirds => Lessons/Lesson 4.md
thirds => Lessons/Lesson 4.md
L4 => Lessons/Lesson 4.md
[[Lesson 4]] => Lessons/Lesson 4.md
[[Lesson 4|four]] => Lessons/Lesson 4.md
![[p.png]] => pics/p.png
Plan.canvas => Plan.canvas
only/Deep => d/only/Deep.md
café => Café.md
license => LICENSE
# the case that was typed decides between names that differ in it
Case => x/Case.md
case => y/case.md
CASE => ambiguous, x/Case.md, y/case.md
# a note in another folder is not the one that is named
Elsewhere/Lesson 4.md => missing, Lessons/Lesson 4.md
Elsewhere/Only => missing, c/Only.md
/Lesson 4 => missing, Lessons/Lesson 4.md
# S1-52: nothing is chosen for the person
Same => ambiguous, a/Same.md, b/Same.md
Elsewhere/Same.md => missing, a/Same.md, b/Same.md
a/Same => a/Same.md
shared => ambiguous, t/One.md, t/Two.md
# subpaths
Lesson 4#Warm-up#Left hand => Lessons/Lesson 4.md#Warm-up#Left hand
Same#^x => ambiguous #^x, a/Same.md, b/Same.md
Note#3 => Note#3.md
Note#3#L4 => Note#3.md#L4
# excluded files are known, so that the reason can be told
Gone => Old/Gone.md
Old/Same => Old/Same.md
# nothing, and what may have been meant
Lesson-4 => missing, Lessons/Lesson 4.md
Leson 4 => missing, Lessons/Lesson 4.md
Scales in => missing, Lessons/Lesson 4.md
Zebra => missing
../Lesson 4 => missing, Lessons/Lesson 4.md
 => missing
[[]] => missing
#tag => missing
`

func TestFind(t *testing.T) {
	v := vaulttest.New(t, library)
	for line := range strings.Lines(strings.TrimSpace(references)) {
		ref, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if got := answer(v.Find(ref, vault.ToRead)); ok && got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}

// The tables follow the notes: a rename, a new title, a new alias.
func TestFindFollowsChanges(t *testing.T) {
	v := vaulttest.New(t, "-- Tea.md --\nx\n-- Cup.md --\n")
	vaulttest.Rename(t, v, "Tea.md", "drinks/Chai.md")
	vaulttest.Write(t, v, "Cup.md", "---\naliases: [Mug]\n---\n")
	revalidate(t, v)
	for ref, want := range map[string]vault.Path{"Chai": "drinks/Chai.md", "Mug": "Cup.md", "Tea": ""} {
		is(t, v.Find(ref, vault.ToRead).Path, want, "Find", ref)
	}
}

func TestTagsOfTheVault(t *testing.T) {
	v := vaulttest.New(t, `
-- a.md --
#Drink/tea #hot
-- b.md --
#drink/Tea/green #drink/tea
-- c.md --
#drinks
`)
	for tag, want := range map[string]string{
		"drink": "a.md b.md", "#DRINK/tea/": "a.md b.md", "drink/tea/green": "b.md", "hot": "a.md", "dri": "",
	} {
		is(t, paths(v.WithTag(tag)), want, "WithTag", tag)
	}
	vaulttest.Write(t, v, "c.md", "#hot")
	revalidate(t, v)
	is(t, paths(v.WithTag("hot")), "a.md c.md", "after a change")
}

func TestInFolder(t *testing.T) {
	v := vaulttest.New(t, archive("a/x.md", "a/b/y.md", "a-b/z.md", "a.md", "a0.md"))
	for dir, want := range map[vault.Path]string{
		"a": "a/b/y.md a/x.md", "a/b": "a/b/y.md", "": "a-b/z.md a.md a/b/y.md a/x.md a0.md", "nope": "", "a/x.md": "",
	} {
		is(t, paths(v.InFolder(dir)), want, "InFolder", dir)
	}
}

func paths(notes []*vault.Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, string(n.Path))
	}
	return strings.Join(out, " ")
}

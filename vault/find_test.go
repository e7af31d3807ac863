package vault_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestTwins: of files whose names differ only in how accents are written, a name is of
// both, and the whole path of each is that one's.
func TestTwins(t *testing.T) {
	const one, two = "caf\u00e9", "cafe\u0301"
	v := vaulttest.New(t, "-- "+one+".md --\n1\n-- "+two+".md --\n2\n-- sub/"+one+" b.md --\n3\n-- sub/"+two+
		" b.md --\n4\n-- "+two+" c.md --\n5\n-- Caf\u00e9 c.md --\n6\n")
	if len(v.Notes()) != 6 {
		t.Skip("the file system knows one of them")
	}
	for _, row := range vaulttest.Rows(t, "twins.txt", 2) {
		f := v.Find(row[0], vault.ToRead)
		is(t, strings.Join(vault.PathStrings(slices.Concat(f.Candidates, []vault.Path{f.Path}[:min(1, len(f.Path))])),
			", "), row[1], row[0])
	}
}

// drawers has one name in several folders, at the root and elsewhere, and names that differ in case, accents and
// endings.
const drawers = `
-- 2026-11-29.md --
-- Meetings/2026-11-29.md --
-- Archive/Plan.md --
---
aliases: [The plan, a/b]
---
-- Archive/Deep/Only.md --
-- Work/Todo.md --
-- Work/todo.md --
-- Work/v1.2 notes.md --
-- Work/C# notes.md --
-- Work/C.md --
-- log.txt --
-- Archive/log.txt --
-- Archive/list.txt --
-- Archive/Old.markdown --
-- pics/p.png --
-- p.png --
-- pics/q.png --
-- Café/Crème.md --
-- Hidden/Secret.md --
-- .obsidian/app.json --
{"userIgnoreFilters": ["Hidden/"]}
`

// TestFindByPurpose: one name means different things to different purposes. An empty column is the one before it.
func TestFindByPurpose(t *testing.T) {
	v := vaulttest.New(t, drawers)
	for line := range strings.Lines(`
name                         | old chat                  | read                      | choose                    | write
# a path is that of its file, whether its folder exists or not
Meetings/2026-11-29          | Meetings/2026-11-29.md    |                           |                           |
meetings/2026-11-29.MD       | Meetings/2026-11-29.md    |                           |                           |
Projects/Plan.md             | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
Projects/Plan                | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
Work/Plan                    | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
Projects/2026-11-29          | ambiguous, 2026-11-29.md, Meetings/2026-11-29.md | missing, 2026-11-29.md, Meetings/2026-11-29.md | |
Projects/The plan            | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
Projects/Nothing             | missing                   |                           |                           |
Archive//Plan.md             | Archive/Plan.md           |                           |                           |
Archive/./Deep/../Plan       | Archive/Plan.md           |                           |                           |
../Plan                      | missing                   |                           |                           |
Archive/Plan/                | missing                   |                           |                           |
Archive/                     | missing                   |                           |                           |
Archive/Plan                 | Archive/Plan.md           |                           |                           |
[[Archive/Plan]]             | Archive/Plan.md           |                           |                           |
Café/Crème  | Café/Crème.md   |                           |                           |
# the end of a path holds for reading
Deep/Only                    | moved Archive/Deep/Only.md | Archive/Deep/Only.md     | missing, Archive/Deep/Only.md |
# so is a name with its ending, or with a slash in front
2026-11-29.md                | 2026-11-29.md             |                           |                           |
/2026-11-29                  | 2026-11-29.md             |                           |                           |
./2026-11-29                 | 2026-11-29.md             |                           |                           |
Plan.md                      | moved Archive/Plan.md     | Archive/Plan.md           | missing, Archive/Plan.md  |
Plan.markdown                | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
Old.markdown                 | moved Archive/Old.markdown | Archive/Old.markdown     | missing                   |
/Plan                        | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
./Plan                       | moved Archive/Plan.md     | Archive/Plan.md           | missing, Archive/Plan.md  |
/The plan                    | moved Archive/Plan.md     | missing, Archive/Plan.md  |                           |
# a bare name is that of any note
Plan                         | Archive/Plan.md           |                           |                           |
The plan                     | Archive/Plan.md           |                           |                           |
a/b                          | Archive/Plan.md           |                           | missing                   |
v1.2 notes                   | Work/v1.2 notes.md        |                           |                           |
2026-11-29                   | 2026-11-29.md             |                           | ambiguous, 2026-11-29.md, Meetings/2026-11-29.md |
Todo                         | Work/Todo.md              |                           |                           |
TODO                         | ambiguous, Work/Todo.md, Work/todo.md | |           |
Work/TODO.md                 | ambiguous, Work/Todo.md, Work/todo.md | |           |
Secret                       | Hidden/Secret.md          |                           |                           |
# parts
C# notes                     | Work/C# notes.md          |                           |                           |
C# notes.md                  | moved Work/C# notes.md    | Work/C# notes.md          | Work/C.md# notes.md       |
2026-11-29#A/b               | 2026-11-29.md#A/b         |                           | ambiguous #A/b, 2026-11-29.md, Meetings/2026-11-29.md |
Projects/Plan#Top            | moved Archive/Plan.md#Top | missing #Top, Archive/Plan.md |                       |
# files that are no notes have no name without their ending
q.png                        | pics/q.png                |                           |                           | missing, pics/q.png
p.png                        | p.png                     |                           |                           |
log.txt                      | log.txt                   |                           |                           |
list.txt                     | Archive/list.txt          |                           |                           | missing, Archive/list.txt
other/q.png                  | moved pics/q.png          | missing, pics/q.png       |                           |
`) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 5 || strings.HasPrefix(line, "name ") {
			continue
		}
		name := unquote(t, columns[0])
		want := ""
		for purpose := vault.ToReadOldChat; purpose <= vault.ToWrite; purpose++ {
			want = cmp.Or(unquote(t, columns[purpose+1]), want)
			is(t, answer(v.Lookup(name, purpose)), want, name, purpose)
		}
	}
}

// unquote returns a cell of a table, in which accents are escaped.
func unquote(t *testing.T, cell string) string {
	t.Helper()
	text, err := strconv.Unquote(`"` + strings.TrimSpace(cell) + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNameError: the message names the notes that may be meant.
func TestNameError(t *testing.T) {
	v := vaulttest.New(t, "-- Archive/Plan.md --\n-- Plan.md --\n-- Work/Shopping.md --\n")
	for name, want := range map[string]string{
		"Projects/Shopping": "Projects/Shopping: there is no such note; there is Work/Shopping.md",
		"Shopping.md":       "Shopping.md: there is no such note; there is Work/Shopping.md",
		"Shoping":           "there is no note Shoping; near are Work/Shopping.md",
		`Projects\Shopping.md`: map[bool]string{
			true:  `Projects\Shopping.md: there is no such note; there is Work/Shopping.md`,
			false: `there is no note Projects\Shopping.md; near are Work/Shopping.md`,
		}[runtime.GOOS == "windows"],
		"Zebra":                 "there is no note Zebra",
		"Plan":                  "Plan fits several notes: Archive/Plan.md, Plan.md",
		"Projects/Plan.md#Milk": "Projects/Plan.md#Milk: there is no such note; there is Archive/Plan.md, Plan.md",
	} {
		_, err := vault.FindOne(v, name, vault.ToWrite)
		is(t, fmt.Sprint(err), want, name)
	}
}

// TestSettingPath: a setting names one note, which need not exist yet.
func TestSettingPath(t *testing.T) {
	v := vaulttest.New(t, "-- Archive/Memory.md --\n-- Me.md --\n-- Old/Me.md --\n")
	for name, want := range map[string]string{
		"Memory":          "Archive/Memory.md",
		"archive/memory":  "Archive/Memory.md",
		"Notes/Memory.md": "Notes/Memory.md: there is no such note; there is Archive/Memory.md",
		"Memory.md":       "Memory.md: there is no such note; there is Archive/Memory.md",
		"Me.md":           "Me.md",
		"Me":              "Me fits several notes: Me.md, Old/Me.md",
		"Facts":           "Facts.md",
		"New/Facts.md":    "New/Facts.md",
		"Memory#Facts":    "Memory#Facts names a part of a note, and not a note",
		"":                "",
	} {
		p, err := v.SettingPath(name)
		got := string(p)
		if err != nil {
			got = err.Error()
		}
		is(t, got, want, name)
	}
}

func TestSpelled(t *testing.T) {
	v := vaulttest.New(t, "-- Archive/Caf\u00e9.md --\n")
	for p, want := range map[vault.Path]vault.Path{
		"archive/CAFE\u0301.md": "Archive/Caf\u00e9.md", "archive/new.md": "Archive/new.md", "New/x.md": "New/x.md",
		"caf\u00e9.md": "caf\u00e9.md",
	} {
		is(t, v.Spelled(p), want, p)
	}
}

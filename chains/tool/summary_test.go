package tool_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// The summary counts what a model may know of, and says what it leaves out.
func TestWorkspaceSummary(t *testing.T) {
	v := desktopVault(t)
	got := box(t, v, around())("get_workspace_summary", `{}`).Text
	want := `Vault NAME: 4 notes in 4 folders, 1 saved chat, 3 tags
Active: Plans/Roof.md
Pinned: Beam.md
Folders: / 1, Old/ 1, Old/Deep/Down/ 1, Plans/ 1
Tags: #house 1, #roof/slate 1, #urgent 1
Types: note 3, project 1
Changed last: Plans/Roof.md 2025-01-02, Beam.md DAY, Old/Beam.md DAY, Old/Deep/Down/note.md DAY
Orphans, without a link: Old/Beam.md, Old/Deep/Down/note.md
Links that lead nowhere: Nowhere 1`
	beam, ok := v.Note("Beam.md")
	if !ok {
		t.Fatal("no Beam.md")
	}
	day := beam.ModTime.Local().Format(time.DateOnly) // as people count days
	is(t, got, strings.NewReplacer("NAME", filepath.Base(v.Dir()), "DAY", day).Replace(want))
	for args, said := range map[string]string{`{"maxChars":499}`: "500 was used", `{"maxChars":6001}`: "6000 was used"} {
		if out := box(t, v, around())("get_workspace_summary", args); len(out.Repaired) != 1 ||
			!strings.HasSuffix(out.Repaired[0], said) {
			t.Errorf("%s: %q", args, out.Repaired)
		}
	}
}

// What changed last goes by the date of a daily note's name, then of properties, then of
// the file, which says nothing where all files came at once.
func TestSummaryOfDates(t *testing.T) {
	v := vaulttest.New(t, "-- 2024-03-02.md --\nRain.\n-- Boat.md --\n---\ndate: 2024-05-01\n---\nVarnish.\n-- Shed.md --\nTar.\n-- 2024-04-09.md --\nSun.\n")
	got := box(t, v, around())("get_workspace_summary", `{}`).Text
	if want := "Changed last: Boat.md 2024-05-01, 2024-04-09.md 2024-04-09, 2024-03-02.md 2024-03-02, Shed.md "; !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant: %s", got, want)
	}
}

// A large vault has room for as much of each list as of the others, and a note that
// comes is in the next summary.
func TestSummaryOfManyNotes(t *testing.T) {
	var archive strings.Builder
	for i := range 300 {
		fmt.Fprintf(&archive, "-- Folder %d/A note with a longer name %d.md --\n#tag%d [[Missing %d]]\n", i%60, i, i%90, i)
	}
	v := vaulttest.New(t, archive.String())
	run := box(t, v, state.State{})
	for _, most := range []int{500, 1500, 6000} {
		text := run("get_workspace_summary", fmt.Sprintf(`{"maxChars":%d}`, most)).Text
		if n := len([]rune(text)); n > most || n < most*8/10 {
			t.Errorf("%d of %d characters", n, most)
		}
		for _, part := range []string{
			"300 notes in 60 folders", "\nFolders: ", "\nTags: ", "\nTypes: note 300",
			"\nChanged last: ", "\nOrphans, without a link: ", "of 300)", "\nLinks that lead nowhere: ",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("%d: no %q in\n%s", most, part, text)
			}
		}
	}
	vaulttest.Write(t, v, "New.md", "x")
	value(v.Update(t.Context(), []vault.Path{"New.md"}))(t)
	if text := run("get_workspace_summary", `{}`).Text; !strings.Contains(text, "301 notes") {
		t.Error(text)
	}
}

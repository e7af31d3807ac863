package vault_test

import (
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// What was not searched is told, and what is private is not named to a model, whatever is known of its text.
func TestLeftOut(t *testing.T) {
	long := strings.Repeat("river stone lamp\n", 20)
	dir := vaulttest.Dir(t, "-- a.md --\nword\n-- Big.md --\n"+long+"-- sub/Other.md --\n"+long+
		"-- Secret.md --\n---\nprivate: true\n---\n"+long+"-- Mine.md --\n---\nprivate: true\n---\n"+
		"-- Hidden.md --\nword\n-- Archive/old.md --\nword\n")
	v := vaulttest.Open(t, dir, vault.Options{MaxNote: 200, Ignore: []string{"Archive/", "Hidden.md"}})
	vaulttest.Write(t, v, "Paper.md", "%PDF-1.7\x00")
	vaulttest.Write(t, v, "Locked.md", "---\nprivate: true\n---\n\x00")
	_, err := v.Revalidate(t.Context())
	check(t, err)
	all := v.LeftOut("")
	model := all.ForModel()
	want := "3 notes were not searched: Big.md is above 1 KB (files.max_note); " +
		"Paper.md is not a text file: it is a PDF document; sub/Other.md is above 1 KB (files.max_note)"
	if model != want {
		t.Errorf("for a model: %q, want %q", model, want)
	}
	if got := all.ForPerson(); got != want+"; nor were 3 private and 2 excluded notes" {
		t.Errorf("for a person: %q", got)
	}
	inside := v.LeftOut("sub")
	if got := inside.ForPerson(); got != "1 note was not searched: sub/Other.md is above 1 KB (files.max_note)" {
		t.Errorf("in a folder: %q", got)
	}
	whole := vaulttest.New(t, "-- a.md --\nword\n").LeftOut("")
	if whole.ForPerson() != "" || whole.ForModel() != "" {
		t.Errorf("nothing was left out: %q", whole.ForPerson())
	}
}

package vault_test

import (
	"slices"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestTwins: of files whose names differ only in how accents are written, a name is of
// both, and the whole path of each is that one's.
func TestTwins(t *testing.T) {
	const one, two = "caf\u00e9", "cafe\u0301"
	v := vaulttest.New(t, "-- "+one+".md --\n1\n-- "+two+".md --\n2\n-- sub/"+one+" b.md --\n3\n-- sub/"+two+" b.md --\n4\n-- "+two+" c.md --\n5\n-- Caf\u00e9 c.md --\n6\n")
	if len(v.Notes()) != 6 {
		t.Skip("the file system knows one of them")
	}
	for _, tt := range []struct {
		ref  string
		want []vault.Path
	}{
		{one, []vault.Path{two + ".md", one + ".md"}},
		{two, []vault.Path{two + ".md", one + ".md"}},
		{"CAF\u00c9", []vault.Path{two + ".md", one + ".md"}},
		{one + ".md", []vault.Path{one + ".md"}},
		{two + ".md", []vault.Path{two + ".md"}},
		{"[[" + two + ".md#a]]", []vault.Path{two + ".md"}},
		{one + " b", []vault.Path{"sub/" + two + " b.md", "sub/" + one + " b.md"}},
		{one + " b.md", []vault.Path{"sub/" + two + " b.md", "sub/" + one + " b.md"}},
		{"sub/" + one + " b.md", []vault.Path{"sub/" + one + " b.md"}},
		{"sub/" + two + " b.md", []vault.Path{"sub/" + two + " b.md"}},
		{"sub/" + two + " b", []vault.Path{"sub/" + two + " b.md", "sub/" + one + " b.md"}},
		{one + " c", []vault.Path{two + " c.md"}}, // in the case that was typed
		{"Cafe\u0301 c", []vault.Path{"Caf\u00e9 c.md"}},
	} {
		f := v.Find(tt.ref)
		if got := slices.Concat(f.Candidates, []vault.Path{f.Path}[:min(1, len(f.Path))]); !slices.Equal(got, tt.want) {
			t.Errorf("%+q is %+q, want %+q", tt.ref, got, tt.want)
		}
	}
}

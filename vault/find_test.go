package vault_test

import (
	"slices"
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
		f := v.Find(row[0])
		is(t, strings.Join(vault.PathStrings(slices.Concat(f.Candidates, []vault.Path{f.Path}[:min(1, len(f.Path))])),
			", "), row[1], row[0])
	}
}

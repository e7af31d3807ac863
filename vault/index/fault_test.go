package index_test

import (
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// bareVault is a vault in which one note has no metadata.
type bareVault struct{ *vault.Vault }

func (t bareVault) Read(p vault.Path) (vault.Text, error) {
	text, err := t.Vault.Read(p)
	if p == "bad.md" {
		text.Note = nil // every use of it is a fault
	}
	return text, err
}

// BulkReader has another signature than that of a vault, so that the index calls Read.
func (t bareVault) BulkReader() {}

// TestFault: a fault that a note brings out costs the search this note, and no other.
func TestFault(t *testing.T) {
	src := bareVault{vaulttest.New(t, "-- a.md --\nbarn roof\n-- bad.md --\nbarn roof\n-- c.md --\nbarn door\n")}
	q, _, err := index.ParseQuery("line:(barn)", time.Now())
	check(t, err)
	hits, err := index.Searcher{Source: src}.Search(t.Context(), q)
	if err != nil || len(hits) != 2 {
		t.Errorf("found %v, %v; want a.md and c.md", hits, err)
	}
}

// TestFaultOfFile: a file that cannot be read stays out of the index, the others are in it.
func TestFaultOfFile(t *testing.T) {
	v := vaulttest.Open(t, vaulttest.Dir(t, "-- a.md --\nbarn roof\n-- bad.md --\nbarn roof\n"), vault.Options{OnRead: func(p vault.Path) {
		if p == "bad.md" {
			panic("oh")
		}
	}})
	x := openDocuments(t, t.TempDir())
	check(t, x.Sync(t.Context(), v))
	hits, err := index.Searcher{Source: v, Index: x}.Search(t.Context(), index.Query{Text: "roof"})
	if err != nil || len(hits) != 1 || hits[0].Path != "a.md" {
		t.Errorf("found %v, %v", hits, err)
	}
}

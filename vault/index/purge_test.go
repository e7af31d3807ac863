package index_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// holdsText reports whether the file of an index, or the log beside it, has a text.
func holdsText(t *testing.T, x *index.Index, text string) (found bool) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(x.File() + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		found = found || bytes.Contains(data, []byte(text))
	}
	return found
}

// TestRemovedWords: words of a note that became private, was deleted or excluded leave the file, and those that other
// notes have do not.
func TestRemovedWords(t *testing.T) {
	for name, remove := range map[string]func(v *vault.Vault){
		"private": func(v *vault.Vault) { vaulttest.Write(t, v, "A.md", "---\nprivate: true\n---\nzebrasecret\n") },
		"deleted": func(v *vault.Vault) { vaulttest.Remove(t, v, "A.md") },
	} {
		for _, way := range []string{"sync", "apply"} {
			var archive strings.Builder
			fmt.Fprintf(&archive, "-- A.md --\n---\ntags: [tapirtag]\naliases: [okapialias]\n---\n# Gnuhead\n\nzebrasecret common [x](https://lemur.example)\n")
			for i := range 400 {
				fmt.Fprintf(&archive, "-- N%d.md --\ncommon words and number%d\n", i, i)
			}
			v := vaulttest.New(t, archive.String())
			x, err := index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: v.Dir()})
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			if err := x.Sync(t.Context(), v); err != nil {
				t.Fatal(err)
			}
			if !holdsText(t, x, "zebrasecret") {
				t.Fatal("the test does not see words in the file")
			}
			remove(v)
			if _, err := v.Update(t.Context(), []vault.Path{"A.md"}); err != nil {
				t.Fatal(err)
			}
			if way == "sync" {
				err = x.Sync(t.Context(), v)
			} else {
				err = x.Apply(t.Context(), []vault.Change{{Path: "A.md"}}, v)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"zebrasecret", "ebrasecret", "okapialias", "tapirtag", "gnuhead", "lemur"} {
				if holdsText(t, x, word) {
					t.Errorf("%s, %s: %q is in the file", name, way, word)
				}
			}
			hits, err := index.Searcher{Source: v, Index: x}.Search(t.Context(), index.Query{Text: "comman"})
			if err != nil || len(hits) == 0 {
				t.Errorf("%s, %s: words of other notes are not known: %v, %v", name, way, hits, err)
			}
		}
	}
}

// TestOlderVersion: an index of the version before is made anew, but for its vectors.
func TestOlderVersion(t *testing.T) {
	v := vaulttest.New(t, "-- A.md --\nzebra\n")
	opts := index.Options{Dir: t.TempDir(), Vault: v.Dir()}
	x, err := index.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	err = x.Change(t.Context(), func(exec index.Exec) {
		exec("INSERT INTO model VALUES (7, 'm', 1, 1)")
		exec("INSERT INTO meaning (path, model) VALUES ('A.md', 7)")
		exec("ALTER TABLE meaning DROP COLUMN refused")
		exec("ALTER TABLE vault DROP COLUMN gone")
		exec("PRAGMA user_version = 13")
	})
	if err := errors.Join(err, x.Close()); err != nil {
		t.Fatal(err)
	}
	x, err = index.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if x.Ready() {
		t.Error("it is ready without notes")
	}
	if err := x.Sync(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	kept := 0
	err = x.Rows(t.Context(), func(rows *sql.Rows) error { return rows.Scan(&kept) },
		"SELECT count(*) FROM meaning JOIN model ON model.id = model WHERE refused = 0")
	if err != nil || kept != 1 {
		t.Errorf("%d notes have their vectors, %v", kept, err)
	}
	hits, err := index.Searcher{Source: v, Index: x}.Search(t.Context(), index.Query{Text: "zebra"})
	if err != nil || len(hits) != 1 {
		t.Error(hits, err)
	}
}

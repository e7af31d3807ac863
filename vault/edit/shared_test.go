package edit_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ibid/vault/edit"
	"ibid/vault/vaulttest"
)

// TestSharedCases runs the shared cases of targeted edits, which come from the tests of other
// programs.
func TestSharedCases(t *testing.T) {
	dir := vaulttest.Shared(t, "cases")
	if dir == "" {
		t.Skip("IBID_SHARED names no folder")
	}
	data, err := os.ReadFile(filepath.Join(dir, "edits.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID, Content, OldText, NewText string
			Expected                      struct {
				OK              bool
				Content, Reason string
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		got, err := edit.Replace(c.Content, c.OldText, c.NewText, false)
		var notFound *edit.NotFoundError
		if ok := err == nil; ok != c.Expected.OK || got != c.Expected.Content ||
			!ok && errors.As(err, &notFound) != (c.Expected.Reason == "NOT_FOUND") {
			t.Errorf("%s: %q, %v", c.ID, got, err)
		}
	}
	t.Logf("shared: %d edits", len(file.Cases))
}

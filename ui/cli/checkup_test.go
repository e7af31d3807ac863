package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ibid/vault"
	"ibid/vault/index"
)

func TestRoom(t *testing.T) {
	dir := t.TempDir()
	if err := room(dir, 1<<20); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if err := room(filepath.Join(dir, "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestMissingBytes(t *testing.T) {
	notes := []*vault.Note{{Size: 100}, {Size: 300}, {Size: 100 << 20}}
	for behind, want := range []int64{0, 16 << 20} {
		if got := missingBytes(&index.Status{Behind: behind}, notes); got != want {
			t.Errorf("%d behind: %d, not %d", behind, got, want)
		}
	}
	if got := missingBytes(&index.Status{Behind: 1}, notes[:2]); got != 200 {
		t.Errorf("one of two: %d", got)
	}
}

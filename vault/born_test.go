package vault_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func TestBorn(t *testing.T) {
	before := time.Now().Add(-time.Hour)
	v := vaulttest.New(t, "-- a.md --\ntext\n")
	at, err := vault.CreatedAt(v, "a.md")
	if err != nil || at.Before(before) || at.After(time.Now().Add(time.Hour)) {
		t.Errorf("Born is %v, %v", at, err)
	}
	if _, err := vault.CreatedAt(v, "b.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error for a file that is missing is %v", err)
	}
	if _, err := vault.CreatedAt(v, ".obsidian/app.json"); err == nil {
		t.Error("a dot file has a date")
	}
}

package vault_test

import (
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func TestBorn(t *testing.T) {
	before := time.Now().Add(-time.Hour)
	v := vaulttest.New(t, "-- a.md --\ntext\n")
	if at := vault.CreatedAt(v, "a.md"); at.Before(before) || at.After(time.Now().Add(time.Hour)) {
		t.Errorf("Born is %v", at)
	}
	for _, name := range []vault.Path{"b.md", ".obsidian/app.json"} {
		if at := vault.CreatedAt(v, name); !at.IsZero() {
			t.Errorf("%s has a date: %v", name, at)
		}
	}
}

package vault_test

import (
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestFaultOfFile: a fault that a file brings out is the error of this file.
func TestFaultOfFile(t *testing.T) {
	v := vaulttest.Open(t, vaulttest.Dir(t, "-- a.md --\na\n-- b.md --\nb\n"), vault.Options{OnRead: func(p vault.Path) {
		if p == "a.md" {
			panic("oh")
		}
	}})
	bulk := v.BulkReader()
	defer bulk.Close()
	for what, read := range map[string]func(vault.Path) (vault.Text, error){"Read": v.Read, "BulkReader.Read": bulk.Read} {
		if _, err := read("a.md"); err == nil || !strings.Contains(err.Error(), "read a.md: a fault of ibid: oh") {
			t.Errorf("%s: %v", what, err)
		}
		if text, err := read("b.md"); err != nil || text.Content != "b\n" {
			t.Errorf("%s: %q, %v", what, text.Content, err)
		}
	}
}

package vaulttest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"ibid/vault"
)

// Dir writes the files of a txtar archive into a new temporary folder and returns it.
func Dir(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	return dir
}

// New opens and scans a vault with the files of a txtar archive. It is closed when the test ends.
func New(t testing.TB, archive string) *vault.Vault {
	t.Helper()
	return Open(t, Dir(t, archive), vault.Options{})
}

// Open opens and scans the vault in dir. It is closed when the test ends.
func Open(t testing.TB, dir string, opts vault.Options) *vault.Vault {
	t.Helper()
	v, err := vault.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := v.Scan(context.Background()); err != nil {
		t.Fatal(err)
	}
	return v
}

// Write writes content to the file p on disk, and creates folders as needed. The vault does not know of the
// change: see Revalidate.
func Write(t testing.TB, v *vault.Vault, p vault.Path, content string) {
	t.Helper()
	write(t, onDisk(v, p), []byte(content))
}

// Remove deletes the file or folder p from disk.
func Remove(t testing.TB, v *vault.Vault, p vault.Path) {
	t.Helper()
	if _, err := os.Lstat(onDisk(v, p)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(onDisk(v, p)); err != nil {
		t.Fatal(err)
	}
}

// Rename moves a file or folder on disk, and creates folders as needed.
func Rename(t testing.TB, v *vault.Vault, from, to vault.Path) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(onDisk(v, to)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(onDisk(v, from), onDisk(v, to)); err != nil {
		t.Fatal(err)
	}
}

func onDisk(v *vault.Vault, p vault.Path) string {
	return filepath.Join(v.Dir(), p.Native())
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Linear fails the test if run(10*n) takes far more than ten times as long as run(n); quadratic work takes a
// hundred times as long. It tries several times, since the machine may be busy.
func Linear(t testing.TB, n int, run func(n int)) {
	t.Helper()
	took := func(n int) time.Duration {
		start := time.Now()
		run(n)
		return time.Since(start)
	}
	var small, large time.Duration
	for range 5 {
		small, large = max(took(n), time.Millisecond), took(10*n)
		if large < 50*small {
			return
		}
	}
	t.Errorf("%d takes %v, %d takes %v", n, small, 10*n, large)
}

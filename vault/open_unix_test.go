//go:build unix

package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestPipeIsNoFile: what has the name of a note or of a list but is a pipe is refused at once by everything that reads
// or writes.
func TestPipeIsNoFile(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/app.json --\n{}\n-- .ibid/x --\n")
	for _, name := range []string{"Pipe.md", ".ibid/pins.json", ".obsidian/workspace.json", ".obsidian/daily-notes.json"} {
		if err := syscall.Mkfifo(filepath.Join(v.Dir(), name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	for name, try := range map[string]func() error{
		"ReadOwn":   func() error { _, err := v.ReadOwn("Pipe.md"); return err },
		"Read":      func() error { _, err := v.Read("Pipe.md"); return err },
		"WriteFile": func() error { return v.WriteFile("Pipe.md", []byte("x"), vault.WriteOptions{}) },
		"of old":    func() error { return v.WriteFile("Pipe.md", []byte("x"), vault.WriteOptions{Old: []byte("y")}) },
		"ReadPins":  func() error { _, err := vault.ReadPins(v.FS()); return err },
		"AddPin":    func() error { return vault.AddPin(v, "A.md", time.Now()) },
		"FS":        func() error { _, err := fs.ReadFile(v.FS(), ".obsidian/daily-notes.json"); return err },
		"bounded":   func() error { _, _, err := vault.ReadBounded(os.DirFS(v.Dir()), "Pipe.md", 100); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- try() }()
		select {
		case err := <-done:
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: %v, want that it is no file", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s waits for a writer of the pipe", name)
		}
	}
	if ws, err := vault.ReadWorkspace(v.FS()); err != nil || ws.Source != "" {
		t.Errorf("windows from a pipe: %+v, %v", ws, err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(v.Dir(), "out")); err != nil {
		t.Skip(err)
	}
	if _, err := fs.Stat(v.FS(), "out"); err == nil {
		t.Error("a link out of the vault is followed")
	}
}

package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestPlaceholder: what iCloud has taken off the machine is there by its name, cannot be
// read, and nothing is written in its place.
func TestPlaceholder(t *testing.T) {
	v := vaulttest.New(t,
		"-- a.md --\n[[Away]]\n-- sub/.Away.md.icloud --\nbplist\n-- sub/.pic.png.icloud --\nb\n-- .Here.md.icloud --\nb\n-- Here.md --\nhere\n-- ..icloud --\n-- ..x.md.icloud --\n-- .a~.icloud --\n")
	if f := v.Resolve("Away", "a.md"); f.State != vault.OK || f.Path != "sub/Away.md" {
		t.Errorf("the link leads to %+v", f)
	}
	if n, ok := v.Note("sub/Away.md"); !ok || n.Warning != vault.ErrNotDownloaded.Error() {
		t.Errorf("listed as %+v", n)
	}
	if n := len(v.Notes()); n != 3 {
		t.Errorf("%d notes", n)
	}
	read := func(p vault.Path) error {
		_, err := v.Read(p)
		return err
	}
	_, raw := v.ReadFile("sub/pic.png", 100)
	_, own := v.ReadOwn("sub/Away.md")
	for _, err := range []error{
		read("sub/Away.md"), raw, own,
		v.WriteFile("sub/Away.md", []byte("mine"), vault.WriteOptions{Create: true}),
		v.WriteFile("sub/Away.md", []byte("mine"), vault.WriteOptions{}),
		v.Rename("a.md", "sub/Away.md"),
	} {
		if !errors.Is(err, vault.ErrNotDownloaded) || errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if err := read("Here.md"); err != nil {
		t.Error(err)
	}
	if err := read("sub/None.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	noLeftovers(t, v)

	// It comes, and goes again.
	name, place := filepath.Join(v.Dir(), "sub", "Away.md"), filepath.Join(v.Dir(), "sub", ".Away.md.icloud")
	check(t, errors.Join(os.Remove(place), os.WriteFile(name, []byte("now"), 0o644)))
	update(t, v, "sub/Away.md")
	if n, _ := v.Note("sub/Away.md"); n.Warning != "" || read("sub/Away.md") != nil {
		t.Errorf("%+v, %v", n, read("sub/Away.md"))
	}
	check(t, errors.Join(os.Remove(name), os.WriteFile(place, nil, 0o644)))
	update(t, v, "sub/Away.md")
	if n, ok := v.Note("sub/Away.md"); !ok || n.Warning == "" || !errors.Is(read("sub/Away.md"), vault.ErrNotDownloaded) {
		t.Errorf("%+v, %v", n, read("sub/Away.md"))
	}
}

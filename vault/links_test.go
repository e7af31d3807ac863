package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func symlink(t *testing.T, target, name string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// newLinkedVault makes a vault with links of every kind beside a folder outside it.
func newLinkedVault(t *testing.T) (dir, out string) {
	t.Helper()
	base := vaulttest.Dir(t, `
-- vault/a.md --
-- vault/sub/b.md --
[[Far]]
-- out/Far.md --
#far
-- out/deep/Farther.md --
-- single.md --
`)
	dir, out = filepath.Join(base, "vault"), filepath.Join(base, "out")
	symlink(t, out, filepath.Join(dir, "ext"))
	symlink(t, out, filepath.Join(dir, "sub", "again"))
	symlink(t, "../single.md", filepath.Join(dir, "single.md"))
	symlink(t, "sub", filepath.Join(dir, "inside"))
	symlink(t, "sub/b.md", filepath.Join(dir, "b-link.md"))
	symlink(t, "..", filepath.Join(dir, "sub", "up"))
	symlink(t, dir, filepath.Join(dir, "sub", "loop"))
	symlink(t, dir, filepath.Join(out, "back"))
	symlink(t, out, filepath.Join(out, "deep", "self"))
	symlink(t, "nowhere", filepath.Join(dir, "broken"))
	symlink(t, base, filepath.Join(dir, "parent"))
	return dir, out
}

func TestLinksAreCountedNotFollowed(t *testing.T) {
	dir, _ := newLinkedVault(t)
	v := vaulttest.Open(t, dir, vault.Options{})
	is(t, paths(v.Notes()), "a.md sub/b.md")
	if w := v.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "3 linked folders or files lead outside the vault") {
		t.Errorf("warnings %q", w)
	}
	for _, p := range []vault.Path{"ext/Far.md", "single.md", "sub/loop/a.md", "parent/single.md"} {
		if _, err := v.Read(p); !errors.Is(err, vault.ErrOutside) {
			t.Errorf("Read(%s) = %v", p, err)
		}
	}
	wantChanges(t, update(t, v, "ext/Far.md", "ext", "inside/b.md", "sub/loop/a.md"), "")
}

func TestLinksAreFollowed(t *testing.T) {
	dir, out := newLinkedVault(t)
	v := vaulttest.Open(t, dir, vault.Options{FollowLinks: true})
	is(t, paths(v.Notes()), "a.md ext/Far.md ext/deep/Farther.md single.md sub/b.md")
	if w := v.Warnings(); len(w) != 0 {
		t.Errorf("warnings %q", w)
	}
	text, err := v.Read("ext/Far.md")
	if err != nil || text.Content != "#far\n" {
		t.Errorf("Read = %q, %v", text.Content, err)
	}
	if _, err := v.Read("single.md"); err != nil {
		t.Error(err)
	}
	if got := v.Resolve("Far", "sub/b.md"); got.Path != "ext/Far.md" {
		t.Errorf("Resolve = %+v", got)
	}
	for _, p := range []vault.Path{"ext/Far.md", "ext/new.md", "single.md"} {
		if err := v.WriteFile(p, []byte("x"), vault.WriteOptions{}); !errors.Is(err, vault.ErrOutside) {
			t.Errorf("WriteFile(%s) = %v", p, err)
		}
	}
	if err := v.Rename("ext/Far.md", "Far.md"); !errors.Is(err, vault.ErrOutside) {
		t.Errorf("Rename = %v", err)
	}
	check(t, os.WriteFile(filepath.Join(out, "New.md"), []byte("new"), 0o644))
	wantChanges(t, update(t, v, "ext/New.md"), "created ext/New.md")
	check(t, os.Remove(filepath.Join(dir, "ext")))
	changes := revalidate(t, v)
	is(t, paths(v.Notes()),
		"a.md single.md sub/again/Far.md sub/again/New.md sub/again/deep/Farther.md sub/b.md", changes)
}

// A link inside the vault is written through, not replaced.
func TestWriteThroughLink(t *testing.T) {
	dir, _ := newLinkedVault(t)
	v := vaulttest.Open(t, dir, vault.Options{})
	check(t, v.WriteFile("b-link.md", []byte("new"), vault.WriteOptions{}))
	if got, err := os.ReadFile(filepath.Join(dir, "sub", "b.md")); err != nil || string(got) != "new" {
		t.Errorf("sub/b.md = %q, %v", got, err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "b-link.md")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
}

// Whatever leaves the vault is refused by everything that takes a path.
func TestOutsideIsRefused(t *testing.T) {
	dir, _ := newLinkedVault(t)
	v := vaulttest.Open(t, dir, vault.Options{})
	w := vault.WriteOptions{}
	calls := map[string]func(p vault.Path) error{
		"Read":      func(p vault.Path) error { _, err := v.Read(p); return err },
		"ReadOwn":   func(p vault.Path) error { _, err := v.ReadOwn(p); return err },
		"ReadFile":  func(p vault.Path) error { _, err := v.ReadFile(p, 100); return err },
		"Stat":      func(p vault.Path) error { _, err := v.Stat(p); return err },
		"WriteFile": func(p vault.Path) error { return v.WriteFile(p, nil, w) },
		"Create":    func(p vault.Path) error { return v.WriteFile(p, nil, vault.WriteOptions{Create: true}) },
		"Rename to": func(p vault.Path) error { return v.Rename("a.md", p) },
		"Rename":    func(p vault.Path) error { return v.Rename(p, "z.md") },
		"Trash":     func(p vault.Path) error { _, err := v.Trash(p); return err },
	}
	for name, call := range calls {
		for _, p := range []vault.Path{
			"../single.md", "sub/../../single.md", "/etc/hosts", "..", "ext/Far.md", "sub/loop/a.md", "parent/single.md",
			"a\x00b",
		} {
			if err := call(p); !errors.Is(err, vault.ErrOutside) {
				t.Errorf("%s(%q) = %v", name, p, err)
			}
		}
	}
	if _, ok := v.Note("a.md"); !ok {
		t.Error("a.md is gone")
	}
}

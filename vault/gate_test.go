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

// newDisguisedVault makes a vault whose links lead to files that must not be sent, and some
// that lead to notes.
func newDisguisedVault(t *testing.T) string {
	t.Helper()
	dir := vaulttest.Dir(t, `
-- .git/config --
token in .git #stolen
-- .obsidian/app.json --
{"userIgnoreFilters": ["Archive/"]}
-- .obsidian/plugins/x/data.json --
key of a plugin
-- .obsidian/snippets/a.css --
-- .trash/old.md --
thrown away
-- Archive/2019.md --
excluded
-- Archive/scan.png --
-- Diary/secret.md --
---
private: true
---
secret
-- Diary/journal.md --
#journal
-- Real/note.md --
open
-- Real/p.png --
picture
`)
	for name, target := range map[string]string{
		"Welcome.md": ".git/config", "keys.md": ".obsidian/plugins/x/data.json", "trash.md": ".trash/old.md",
		"old.md": "Archive/2019.md", "twice.md": "old.md", "scan.png": "Archive/scan.png", "scan2.png": "gate/scan.png",
		"secret.txt": "Diary/secret.md", "journal.txt": "Diary/journal.md", "secret.png": "Diary/secret.md",
		"open-secret.md": "Diary/secret.md",
		"CC":             ".obsidian/snippets", "git": ".git", "gate": "Archive", "Real/up.md": "../git/config",
		"good.md": "Real/note.md", "better.md": "folder/note.md", "folder": "Real", "good.png": "Real/p.png",
		"loop.md": "loop.md", "dots.md": "git/../Real/note.md", "dotted.md": "CC/../plugins/x/data.json",
	} {
		symlink(t, filepath.FromSlash(target), filepath.Join(dir, filepath.FromSlash(name)))
	}
	return dir
}

func TestGateHoldsWhereLinksLead(t *testing.T) {
	v := vaulttest.Open(t, newDisguisedVault(t), vault.Options{Ignore: []string{"#journal"}})
	want := map[vault.Path]error{
		"Welcome.md": vault.ErrIgnored, "keys.md": vault.ErrIgnored, "trash.md": vault.ErrIgnored, "old.md": vault.ErrIgnored,
		"twice.md": vault.ErrIgnored, "scan.png": vault.ErrIgnored, "scan2.png": vault.ErrIgnored,
		"secret.txt": vault.ErrPrivate, "secret.png": vault.ErrPrivate, "open-secret.md": vault.ErrPrivate,
		"journal.txt": vault.ErrPrivate,
		"CC/a.css":    vault.ErrIgnored, "git/config": vault.ErrIgnored, "gate/2019.md": vault.ErrIgnored,
		"gate/scan.png": vault.ErrIgnored,
		"Real/up.md":    vault.ErrIgnored, "dotted.md": vault.ErrIgnored, "folder/up.md": vault.ErrIgnored,
		"good.md": nil, "better.md": nil, "folder/note.md": nil, "good.png": nil, "folder/p.png": nil,
	}
	for p, want := range want {
		if _, err := v.Read(p); !errors.Is(err, want) {
			t.Errorf("Read(%s) = %v, want %v", p, err, want)
		}
		if _, err := v.ReadFile(p, 1000); !errors.Is(err, want) {
			t.Errorf("ReadFile(%s) = %v, want %v", p, err, want)
		}
	}
	for _, p := range []vault.Path{"loop.md", "dots.md"} {
		// The first has no end; the second passes through a folder that the
		// system enters and leaves again, which is no harm.
		if text, err := v.Read(p); err == nil && text.Content != "open\n" {
			t.Errorf("Read(%s) = %q", p, text.Content)
		}
	}
}

// TestLinksInTheVaultAreNotListed: a file of the vault has one name, and neither texts nor tags
// of refused files reach the index under another one.
func TestLinksInTheVaultAreNotListed(t *testing.T) {
	v := vaulttest.Open(t, newDisguisedVault(t), vault.Options{})
	is(t, paths(v.Notes()), "Diary/journal.md Diary/secret.md Real/note.md")
	for _, f := range v.Files() {
		if f == "scan.png" || f == "scan2.png" {
			t.Errorf("%s is listed", f)
		}
	}
	if len(v.WithTag("stolen")) > 0 {
		t.Error("a tag of a file in .git is known")
	}
}

// A link that is turned round is judged by where it leads now, at the next read.
func TestTurnedLink(t *testing.T) {
	dir := newDisguisedVault(t)
	v := vaulttest.Open(t, dir, vault.Options{})
	_, err := v.Read("good.md")
	check(t, err)
	turn := func(name, target string) {
		t.Helper()
		check(t, os.Remove(filepath.Join(dir, name)))
		symlink(t, filepath.FromSlash(target), filepath.Join(dir, name))
	}
	turn("good.md", "Archive/2019.md")
	turn("folder", ".git")
	for _, p := range []vault.Path{"good.md", "folder/config"} {
		if _, err := v.Read(p); !errors.Is(err, vault.ErrIgnored) {
			t.Errorf("Read(%s) = %v", p, err)
		}
	}
	turn("good.md", "Real/note.md")
	_, err = v.Read("good.md")
	check(t, err)
}

func TestGateInFollowedLinks(t *testing.T) {
	base := vaulttest.Dir(t, "-- vault/a.md --\n-- out/.git/config --\ntoken\n-- out/note.md --\n-- out/Archive/x.md --\n")
	dir := filepath.Join(base, "vault")
	symlink(t, filepath.Join(base, "out"), filepath.Join(dir, "ext"))
	symlink(t, filepath.FromSlash(".git/config"), filepath.Join(base, "out", "Welcome.md"))
	symlink(t, filepath.FromSlash("Archive/x.md"), filepath.Join(base, "out", "x.md"))
	v := vaulttest.Open(t, dir, vault.Options{FollowLinks: true, Ignore: []string{"ext/Archive/"}})
	is(t, paths(v.Notes()), "a.md ext/note.md")
	for _, p := range []vault.Path{"ext/Welcome.md", "ext/x.md"} {
		if _, err := v.Read(p); !errors.Is(err, vault.ErrIgnored) {
			t.Errorf("Read(%s) = %v", p, err)
		}
	}
	if _, err := v.Read("ext/note.md"); err != nil {
		t.Error(err)
	}
}

// tree returns every file below dir with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = string(data)
		return err
	})
	check(t, err)
	return all
}

func TestNoWritesIntoDotFoldersThroughLinks(t *testing.T) {
	dir := newDisguisedVault(t)
	symlink(t, ".git", filepath.Join(dir, ".ibid"))
	symlink(t, filepath.FromSlash("../Real"), filepath.Join(dir, ".obsidian", "out"))
	v := vaulttest.Open(t, dir, vault.Options{})
	before := tree(t, dir)
	for _, p := range []vault.Path{
		"CC/chat.md", "CC/a.css", "CC/new/deep.md", "git/hooks/post-commit", "Welcome.md", "keys.md", ".ibid/hooks",
		"trash.md", "Real/up.md",
	} {
		for name, err := range map[string]error{
			"WriteFile": v.WriteFile(p, []byte("x"), vault.WriteOptions{}),
			"Create":    v.WriteFile(p, []byte("x"), vault.WriteOptions{Create: true}),
		} {
			if !errors.Is(err, vault.ErrIgnored) {
				t.Errorf("%s(%s) = %v", name, p, err)
			}
		}
	}
	for _, p := range []vault.Path{"CC/chat.md", "git/x/y", ".ibid/z"} {
		if err := v.Rename("Real/note.md", p); !errors.Is(err, vault.ErrIgnored) {
			t.Errorf("Rename to %s = %v", p, err)
		}
	}
	if err := v.Rename("git/config", "config.md"); !errors.Is(err, vault.ErrIgnored) {
		t.Errorf("Rename = %v", err)
	}
	if _, err := v.Trash("CC/a.css"); !errors.Is(err, vault.ErrIgnored) {
		t.Errorf("Trash = %v", err)
	}
	if err := vault.AddPin(v, "good.md", v.Notes()[0].ModTime); err == nil || !strings.Contains(err.Error(), ".git") {
		t.Errorf("AddPin = %v", err)
	}
	is(t, tree(t, dir), before, "files changed")
	if err := v.WriteFile("CC/chat.md", nil, vault.WriteOptions{}); err == nil ||
		!strings.Contains(err.Error(), ".obsidian/snippets") {
		t.Errorf("the error does not say where the link leads: %v", err)
	}
	if _, err := v.ReadOwn("CC/a.css"); !errors.Is(err, vault.ErrIgnored) {
		t.Errorf("ReadOwn = %v", err)
	}
	if _, err := v.ReadOwnDir("CC"); !errors.Is(err, vault.ErrIgnored) {
		t.Errorf("ReadOwnDir = %v", err)
	}
	if err := v.WriteFile("folder/new/chat.md", []byte("new"), vault.WriteOptions{Create: true}); err != nil {
		t.Error(err)
	}
	is(t, onDisk(t, v, "Real/new/chat.md"), "new", "through a folder link")
}

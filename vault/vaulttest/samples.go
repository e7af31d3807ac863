package vaulttest

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"
)

// Garden is a vault of a few notes, as a txtar archive, with the kinds of content that real vaults have: every
// kind of block and link, frontmatter that no parser accepts, scripts without spaces, and Obsidian's workspace
// file.
//
//go:embed garden.txtar
var Garden string

// SkipUnlessSlow skips a slow test, so that nobody waits for it after each change.
func SkipUnlessSlow(t testing.TB) {
	t.Helper()
	if !Slow {
		t.Skip("takes long: go test -tags slow")
	}
}

// Shared returns the folder name, with data of other programs, in the folder that the variable IBID_SHARED
// names, or "" if the variable is empty. Tests use such data in addition to their own. A folder that is named
// and does not exist is an error.
func Shared(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("IBID_SHARED")
	if dir == "" {
		return ""
	}
	if !filepath.IsAbs(dir) {
		t.Fatalf("IBID_SHARED is %q: it must be an absolute path", dir)
	}
	dir = filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("IBID_SHARED: %v", err)
	}
	return dir
}

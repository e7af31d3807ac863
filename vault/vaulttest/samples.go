package vaulttest

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"
)

// Garden is a vault of a few notes, as a txtar archive, in which stands what
// years of use leave in real ones: every kind of block and link, front matter
// that no parser accepts, scripts without spaces, and what Obsidian had open.
//
//go:embed garden.txtar
var Garden string

// SkipUnlessSlow skips a test that takes long, so that those who change a line do not wait for it.
func SkipUnlessSlow(t testing.TB) {
	t.Helper()
	if !Slow {
		t.Skip("takes long: go test -tags slow")
	}
}

// Shared is a folder with data of other programs: name below what the variable
// IBID_SHARED names, or "" if it names nothing. Tests hold such data in addition
// to their own. It is an error if the folder is named and not there.
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

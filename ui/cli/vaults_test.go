package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// TestVaultsLeft: the list of vaults that were left holds those that are there, the last
// of them, and loses none that others add meanwhile.
func TestVaultsLeft(t *testing.T) {
	dir := t.TempDir()
	tools := &app{}
	tools.folder.state = filepath.Join(dir, "state")
	var all sync.WaitGroup
	for n := range mostVaults {
		at := filepath.Join(dir, strconv.Itoa(n))
		check(t, os.Mkdir(at, 0o700))
		all.Go(func() { tools.rememberVault(at) })
	}
	all.Wait()
	if n := len(tools.leftVaults()); n != mostVaults {
		t.Fatalf("%d vaults, want %d", n, mostVaults)
	}
	tools.hints().Change(vaultsFile, func(all map[string]string) {
		for at := range all {
			all[at] = "2026-01-02T15:04:05Z"
		}
	})
	check(t, os.Remove(filepath.Join(dir, "0")))
	tools.rememberVault(dir)
	check(t, os.Mkdir(filepath.Join(dir, "0"), 0o700))
	left := tools.leftVaults()
	if len(left) != mostVaults || left[0] != dir || slices.ContainsFunc(left, func(left string) bool { return filepath.Base(left) == "0" }) {
		t.Errorf("the list holds %v", left)
	}
}

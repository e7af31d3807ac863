package vault_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// Whatever happens to the files, what is known equals a fresh scan, and the
// changes that were reported lead from the old list of files to the new one.
func TestTorture(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, seed))
			v := vaulttest.New(t, "-- a/one.md --\n1\n-- b/two.md --\n[[one]] #x\n-- three.md --\n-- p.png --\npic\n")
			for round := range 25 {
				before := fileSet(v)
				var touched []vault.Path
				for range 1 + r.IntN(5) {
					touched = append(touched, disturb(t, r, v)...)
				}
				if r.IntN(5) > 0 { // "" would mean the whole vault
					touched = slices.DeleteFunc(touched, func(p vault.Path) bool { return p == "" })
				}
				var changes []vault.Change
				how := "Update"
				if r.IntN(2) == 0 {
					changes = update(t, v, touched...)
				} else {
					how, changes = "Revalidate", revalidate(t, v)
				}
				for _, c := range changes {
					switch c.Op {
					case vault.Created:
						delete(before, c.Path) // it must not have been there
						before[c.Path] = true
					case vault.Removed:
						delete(before, c.Path)
					case vault.Renamed:
						delete(before, c.From)
					}
				}
				for _, c := range changes {
					if c.Op != vault.Removed {
						before[c.Path] = true
					}
				}
				after := fileSet(v)
				for p := range after {
					if !before[p] {
						t.Errorf("round %d, %s: nobody said that %s came: %v", round, how, p, changes)
					}
				}
				for p := range before {
					if !after[p] {
						t.Errorf("round %d, %s: nobody said that %s went: %v", round, how, p, changes)
					}
				}
				sameAsFresh(t, v)
				if t.Failed() {
					t.Fatalf("round %d: %s of %v", round, how, touched)
				}
			}
		})
	}
}

func fileSet(v *vault.Vault) map[vault.Path]bool {
	set := map[vault.Path]bool{}
	for _, n := range v.Notes() {
		set[n.Path] = true
	}
	for _, p := range v.Files() {
		set[p] = true
	}
	return set
}

// disturb makes a random change of a file or a folder, and returns the paths that a watcher
// would report.
func disturb(t *testing.T, r *rand.Rand, v *vault.Vault) []vault.Path {
	t.Helper()
	names := []vault.Path{"one.md", "two.md", "three.md", "p.png", "a", "b", "c"}
	some := func() vault.Path {
		p := names[r.IntN(len(names))]
		if r.IntN(2) == 0 {
			p = names[4+r.IntN(3)] + "/" + p
		}
		return p
	}
	p, q := some(), some()
	on := func(p vault.Path) string { return filepath.Join(v.Dir(), p.Native()) }
	switch r.IntN(4) {
	case 0:
		if os.RemoveAll(on(p)) != nil {
			return nil
		}
		return []vault.Path{p}
	case 1:
		if os.MkdirAll(filepath.Dir(on(q)), 0o755) != nil || os.Rename(on(p), on(q)) != nil {
			return []vault.Path{q.Dir()}
		}
		return []vault.Path{p, q, q.Dir()}
	}
	if os.MkdirAll(filepath.Dir(on(p)), 0o755) != nil {
		return nil
	}
	_ = os.WriteFile(on(p), fmt.Appendf(nil, "%d [[two]] #t%d", r.IntN(5), r.IntN(3)), 0o644) // a folder may stand there
	return []vault.Path{p, p.Dir()}
}

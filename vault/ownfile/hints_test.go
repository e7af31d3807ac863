package ownfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"ibid/vault/ownfile"
)

// TestHints: what several write at once is all there, and a broken file is empty.
func TestHints(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	hints := ownfile.Hints(dir)
	if all := hints.Read("a.json"); len(all) > 0 {
		t.Errorf("%v", all)
	}
	var writing sync.WaitGroup
	for i := range 8 {
		writing.Go(func() { hints.Set("a.json", fmt.Sprint(i), fmt.Sprint(2000+i)) })
	}
	writing.Wait()
	if all := hints.Read("a.json"); len(all) != 8 || all["3"] != "2003" {
		t.Errorf("%v", all)
	}
	if latest := hints.Latest("a.json", 5); !slices.Equal(latest, []string{"7", "6", "5", "4", "3"}) {
		t.Errorf("%v", latest)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"a": 1`), 0o600); err != nil {
		t.Fatal(err)
	}
	if all := hints.Read("a.json"); len(all) > 0 {
		t.Errorf("%v", all)
	}
}

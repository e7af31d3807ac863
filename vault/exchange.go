//go:build linux || darwin

package vault

import (
	"os"
	"path/filepath"
)

// exchange swaps two files of a folder in one step, where the system can. The last event that a watcher gets is
// that a file was moved to a.
func exchange(root *os.Root, a, b string) error {
	dir, err := root.Open(filepath.Dir(a))
	if err != nil {
		return err
	}
	defer dir.Close()
	return exchangeIn(int(dir.Fd()), filepath.Base(a), filepath.Base(b))
}

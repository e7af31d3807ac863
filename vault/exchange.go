//go:build linux || darwin

package vault

import (
	"os"
	"path/filepath"
)

// exchange lets two files of a folder change places in one step, where the system can.
// The last that a watcher hears of is that a file was moved to a.
func exchange(root *os.Root, a, b string) error {
	dir, err := root.Open(filepath.Dir(a))
	if err != nil {
		return err
	}
	defer dir.Close()
	return exchangeIn(int(dir.Fd()), filepath.Base(a), filepath.Base(b))
}

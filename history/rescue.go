package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rescue writes a chat that cannot be saved in its place to a new file in dir,
// which is made if it is not there, for nobody else to read. It returns the
// file's name.
func Rescue(dir string, c *Chat) (string, error) {
	if dir == "" {
		return "", errors.New("there is no folder to write it to")
	}
	dir = filepath.Join(dir, "unsaved")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf("%d-%d.md", c.Epoch, n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(Encode(c))
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			return "", errors.Join(err, os.Remove(name))
		}
		return name, nil
	}
}

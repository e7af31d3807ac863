package vault

import (
	"fmt"
	"path/filepath"
	"time"
)

// Born is when the file at p was made, where the file system knows that, else when it
// was changed.
func Born(v *Vault, p Path) (time.Time, error) {
	info, err := v.Stat(p)
	if err != nil {
		return time.Time{}, err
	}
	to, _, err := v.destination(p)
	if err != nil {
		return time.Time{}, fmt.Errorf("stat %s: %w", p, bare(err))
	}
	root, name, _ := v.locate(to)
	if t, ok := bornAt(filepath.Join(root.Name(), name), info); ok {
		return t, nil
	}
	return info.ModTime(), nil
}

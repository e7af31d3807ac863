package ownfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// Hints is a folder of small files, each of names and their values: hints for the next
// start. A file that is missing or broken is empty, and one that cannot be written is no
// reason to bother anybody. Several goroutines and processes may use them.
type Hints string

// Read reads a file.
func (dir Hints) Read(name string) map[string]string {
	hints := map[string]string{}
	data, err := Read(filepath.Join(string(dir), name))
	if err != nil || json.Unmarshal(data, &hints) != nil {
		return map[string]string{} // nothing is known yet, as far as anybody can tell
	}
	return hints
}

// Set gives a name of a file another value.
func (dir Hints) Set(name, key, value string) {
	if dir.Read(name)[key] != value {
		dir.Change(name, func(all map[string]string) { all[key] = value })
	}
}

// Change changes a file, which no other process changes meanwhile.
func (dir Hints) Change(name string, change func(all map[string]string)) {
	if os.MkdirAll(string(dir), 0o700) != nil {
		return
	}
	file := filepath.Join(string(dir), name)
	unlock, err := Lock(file)
	if err != nil {
		return
	}
	defer unlock()
	all := dir.Read(name)
	change(all)
	if data, err := json.MarshalIndent(all, "", "  "); err == nil {
		_ = Replace(file, data, 0o600)
	}
}

// Latest is the names of a file whose values are times, the latest first, at most so many.
func (dir Hints) Latest(name string, most int) []string {
	times := dir.Read(name)
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return strings.Compare(times[b]+b, times[a]+a) })
	return names[:min(len(names), most)]
}

// Lock keeps other processes, and others in this one, from changing a file until unlock,
// as far as they take the same lock. It waits for whoever has it.
func Lock(file string) (unlock func(), err error) {
	lock := flock.New(file+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", file, err)
	}
	return func() { _ = lock.Unlock() }, nil // the file is closed
}

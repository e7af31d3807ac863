package ownfile

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Hints is a folder of small files with names and values: hints for the next start. A missing or broken file
// counts as empty, and errors of writing are ignored. Several goroutines and processes may use the files.
type Hints string

// Read returns the values of a file by their names.
func (dir Hints) Read(name string) map[string]string {
	hints := map[string]string{}
	data, err := Read(filepath.Join(string(dir), name))
	if err != nil || json.Unmarshal(data, &hints) != nil {
		return map[string]string{} // the same as if nothing was known yet
	}
	return hints
}

// Set sets one value of a file.
func (dir Hints) Set(name, key, value string) {
	if dir.Read(name)[key] != value {
		dir.Change(name, func(all map[string]string) { all[key] = value })
	}
}

// Touch sets the value of a name to the time of now.
func (dir Hints) Touch(name, key string) {
	dir.Set(name, key, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
}

// Change changes the values of a file under its lock.
func (dir Hints) Change(name string, change func(all map[string]string)) {
	_ = Change(filepath.Join(string(dir), name), "", func([]byte) ([]byte, error) { // errors are ignored
		all := dir.Read(name)
		change(all)
		return json.MarshalIndent(all, "", "  ")
	})
}

// Latest returns at most most names of a file whose values are times, latest first.
func (dir Hints) Latest(name string, most int) []string {
	times := dir.Read(name)
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return strings.Compare(times[b]+b, times[a]+a)
	})
	return names[:min(len(names), most)]
}

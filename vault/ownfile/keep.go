package ownfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// MostBytes is how many bytes are kept of what grows without end: the files of a folder that
// are there to be looked at later.
const MostBytes = 200 << 20

// Pack compresses data.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level exists
	_, _ = w.Write(data)                            // and memory is there
	_ = w.Close()
	return b.Bytes()
}

// Unpack is what was packed; anything else is given back as it is.
func Unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Size is how many bytes the files of a folder have whose names are mine.
func Size(dir string, mine func(name string) bool) (bytes int64) {
	for _, info := range list(dir, mine) {
		bytes += info.Size()
	}
	return bytes
}

// RemoveOldest removes the oldest of the files of a folder whose names are mine, as far as they
// are free, until they have most bytes together. The next time tries again what fails.
func RemoveOldest(dir string, most int64, mine, free func(name string) bool) {
	excess := Size(dir, mine) - most
	if excess <= 0 {
		return
	}
	all := list(dir, mine)
	slices.SortStableFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) }) // by name before
	for _, info := range all {
		if excess > 0 && free(info.Name()) && os.Remove(filepath.Join(dir, info.Name())) == nil {
			excess -= info.Size()
		}
	}
}

// list is the regular files of a folder whose names are mine; one that is not there has
// none.
func list(dir string, mine func(name string) bool) (all []fs.FileInfo) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && mine(e.Name()) {
			all = append(all, info)
		}
	}
	return all
}

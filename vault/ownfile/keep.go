package ownfile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// MaxFolderSize is the limit of the size in bytes of folders that grow without end and whose files are kept for
// later inspection.
const MaxFolderSize = 200 << 20

// Pack compresses data.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	_, _ = w.Write(data)                            // writing to memory cannot fail
	_ = w.Close()
	return b.Bytes()
}

// Unpack decompresses the result of Pack; other data are returned as they are.
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

// Size returns the size in bytes of those files of a folder whose names mine accepts.
func Size(dir string, mine func(name string) bool) (bytes int64) {
	for _, info := range list(dir, mine) {
		bytes += info.Size()
	}
	return bytes
}

// RemoveOldest removes the oldest files of a folder whose names mine and free accept, until all files that mine
// accepts have at most most bytes. The next call tries again what fails.
func RemoveOldest(dir string, most int64, mine, free func(name string) bool) {
	excess := Size(dir, mine) - most
	if excess <= 0 {
		return
	}
	all := list(dir, mine)
	// stable: files with the same time stay in the order of their names
	slices.SortStableFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range all {
		if excess > 0 && free(info.Name()) && os.Remove(filepath.Join(dir, info.Name())) == nil {
			excess -= info.Size()
		}
	}
}

// list returns the regular files of a folder whose names mine accepts; a missing folder is empty.
func list(dir string, mine func(name string) bool) (all []fs.FileInfo) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && mine(e.Name()) {
			all = append(all, info)
		}
	}
	return all
}

// FormatSize formats a size in bytes for people.
func FormatSize(n int64) string {
	const mb = 1 << 20
	if n < mb {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/mb)
}

package openai

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

var _ Recorder = (*DirRecorder)(nil)

// DirRecorder writes every message that goes over the wire into a folder, one
// file each: 20261109-081500-0001-request.json, …-reply.txt, …-error.txt. It
// may be used by several clients and goroutines at once.
type DirRecorder struct {
	dir   string
	stamp string
}

// NewDirRecorder makes dir if it is not there, readable by its owner alone.
func NewDirRecorder(dir string) (*DirRecorder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	return &DirRecorder{dir: dir, stamp: time.Now().Format("20060102-150405")}, nil
}

// Record writes one message. It never overwrites a file.
func (d *DirRecorder) Record(n int64, kind string, body []byte) error {
	ext := "txt"
	if kind == "request" {
		ext = "json"
	}
	for again := 0; again < 1000; again++ {
		name := fmt.Sprintf("%s-%04d-%s.%s", d.stamp, n, kind, ext)
		if again > 0 {
			name = fmt.Sprintf("%s-%04d-%s-%d.%s", d.stamp, n, kind, again, ext)
		}
		f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
		_, err = f.Write(body)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("record %s: too many recordings of the same second", kind)
}

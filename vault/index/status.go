package index

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Status is the state of an index, for people.
type Status struct {
	File    string
	Size    int64     // bytes, with the log that is not merged into the file yet
	Changed time.Time // of the last write
	Ready   bool      // see Index.Ready
	Notes   int       // number of notes in it
	Behind  int       // number of notes that changed since, or are not in it yet
}

// Status compares the index with the notes of src. It changes nothing.
func (x *Index) Status(ctx context.Context, src Source) (Status, error) {
	s := Status{File: x.file, Ready: x.Ready()}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(x.file + suffix); err == nil {
			s.Size += info.Size()
			if info.ModTime().After(s.Changed) {
				s.Changed = info.ModTime()
			}
		}
	}
	known, err := x.known(ctx)
	if err != nil {
		return s, fmt.Errorf("read search index: %w", err)
	}
	s.Notes, s.Behind = len(known), len(plan(known, src.Notes()))
	return s, nil
}

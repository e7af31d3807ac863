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
	Size    int64     // bytes, with what is not merged into the file yet
	Changed time.Time // when it was written last
	Ready   bool      // it has held the whole vault once: searches use it
	Notes   int       // that it holds
	Behind  int       // notes that changed since, or that it does not hold yet
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

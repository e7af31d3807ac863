package wire

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/vault/ownfile"
)

// Recorder records every message of an exchange in a folder, one compressed file each:
// 20261109-081500-0001-request.json.gz, …-reply.txt.gz, …-error.txt.gz. It removes the oldest when they exceed
// ownfile.MostBytes. Several clients and goroutines may use it at once.
type Recorder struct {
	dir       string
	stamp     string
	exchanges atomic.Int64
}

// NewRecorder creates dir if it does not exist, readable by its owner only.
func NewRecorder(dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	return &Recorder{dir: dir, stamp: time.Now().Format("20060102-150405")}, nil
}

// next returns the number of a new exchange, from 1; 0 for a nil Recorder.
func (r *Recorder) next() int64 {
	if r == nil {
		return 0
	}
	return r.exchanges.Add(1)
}

// Record writes one message of exchange n. kind is "request", "reply" or "error". It never overwrites a file.
func (r *Recorder) Record(n int64, kind string, body []byte) error {
	ext := "txt"
	if kind == "request" {
		ext = "json"
	}
	again := ""
	for i := range 1000 {
		name := fmt.Sprintf("%s-%04d-%s%s.%s.gz", r.stamp, n, kind, again, ext)
		again = fmt.Sprintf("-%d", i+1)
		f, err := os.OpenFile(filepath.Join(r.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err == nil {
			_, err = f.Write(ownfile.Pack(body))
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
		ownfile.RemoveOldest(r.dir, ownfile.MaxFolderSize, IsRecording, func(old string) bool { return old != name })
		return nil
	}
	return fmt.Errorf("record %s: too many recordings of the same second", kind)
}

// IsRecording reports whether a file has the name of a recording.
func IsRecording(name string) bool { return recording.MatchString(name) }

var recording = regexp.MustCompile(`^\d{8}-\d{6}-\d{4,}-(request|reply|error)(-\d+)?\.(json|txt)(\.gz)?$`)

// Recorded returns m with its requests and replies recorded, for a model that does not use this package, in the
// form of a protocol. A nil r records nothing.
func (r *Recorder) Recorded(m chains.Model) chains.Model {
	if r == nil {
		return m
	}
	return &recordedModel{model: m, to: r}
}

type recordedModel struct {
	model chains.Model
	to    *Recorder
}

// Stream implements chains.Model.
func (m *recordedModel) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		n := m.to.next()
		body := Marshal(map[string]any{"model": r.Model, "messages": r.Messages, "tools": r.Tools})
		if err := m.to.Record(n, "request", body); err != nil &&
			!yield(chains.Delta{Notice: "Not recorded: " + err.Error()}, nil) {
			return
		}
		var reply strings.Builder
		// the notice about the request has reported an unwritable folder
		defer func() { _ = m.to.Record(n, "reply", []byte(reply.String())) }()
		for d, err := range m.model.Stream(ctx, r) {
			reply.WriteString(d.Text)
			if !yield(d, err) {
				return
			}
		}
	}
}

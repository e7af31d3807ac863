package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"
)

// Pin is a note that is sent with every turn.
type Pin struct {
	Path     Path      `json:"path"`
	PinnedAt time.Time `json:"pinned_at"` // RFC 3339 in the file; zero for a pinned tab of Obsidian
}

const (
	ownDir        = ".ibid"
	pinsBase      = "pins.json"
	pinsFile      = ownDir + "/" + pinsBase
	pinsLock      = ownDir + "/pins.lock"
	maxPinsLength = 4 << 20         // bytes
	pinsLockWait  = 2 * time.Second // pinning takes milliseconds; longer means that another process hangs
)

// ReadPins returns the pins made in ibid, in the order in which they were made, from .ibid/pins.json of the
// vault fsys: a JSON list with one pin per line. Without a file there are no pins. A file that cannot be parsed
// is an error that names the place; the file stays as it is.
func ReadPins(fsys fs.FS) ([]Pin, error) {
	entries, err := readPinEntries(fsys)
	if err != nil {
		return nil, err
	}
	pins := make([]Pin, 0, len(entries))
	for _, e := range entries {
		pins = append(pins, e.Pin)
	}
	return MergePins(pins), nil
}

// AddPin adds a pin for p, as the last one. A note that is pinned already keeps its place and time. Several
// processes may pin at the same time: each rewrites the file atomically, under a lock beside it.
func AddPin(v *Vault, p Path, at time.Time) error {
	p, err := notePath(p)
	if err != nil {
		return err
	}
	return changePins(v, "pin", p, func(entries []pinEntry, _ int) ([]pinEntry, error) {
		pin := Pin{Path: p, PinnedAt: at.UTC().Truncate(time.Second)}
		raw, err := marshalLine(pin)
		return append(entries, pinEntry{Pin: pin, raw: raw}), err
	})
}

// RemovePin removes the pin of p, if there is one.
func RemovePin(v *Vault, p Path) error {
	return changePins(v, "unpin", p, func(entries []pinEntry, _ int) ([]pinEntry, error) {
		return slices.DeleteFunc(entries, func(e pinEntry) bool { return e.Path == p }), nil
	})
}

// MovePin changes the pin of a renamed note to its new path. It does nothing if from is not pinned.
func MovePin(v *Vault, from, to Path) error {
	return changePins(v, "move the pin of", from, func(entries []pinEntry, i int) ([]pinEntry, error) {
		var pin map[string]json.RawMessage // a map keeps fields that a later version may have added
		err := json.Unmarshal(entries[i].raw, &pin)
		if err == nil {
			pin["path"], err = marshalLine(to)
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(entries, func(e pinEntry) bool { return e.Path == to }) {
			return slices.Delete(entries, i, i+1), nil // the new path was pinned in the meantime
		}
		entries[i].Path = to
		entries[i].raw, err = marshalLine(pin)
		return entries, err
	})
}

// MergePins returns the pins made in ibid, followed by Obsidian's pinned tabs, without duplicates.
func MergePins(own []Pin, tabs ...Path) []Pin {
	merged := make([]Pin, 0, len(own)+len(tabs))
	seen := make(map[Path]bool, len(own)+len(tabs))
	add := func(p Pin) {
		if !seen[p.Path] {
			seen[p.Path] = true
			merged = append(merged, p)
		}
	}
	for _, p := range own {
		add(p)
	}
	for _, p := range tabs {
		add(Pin{Path: p})
	}
	return merged
}

// pinEntry is a pin with its bytes in the file, so that rewriting the list keeps fields that a later version
// may have added.
type pinEntry struct {
	Pin
	raw json.RawMessage
}

func readPinEntries(fsys fs.FS) ([]pinEntry, error) {
	data, _, err := readBounded(fsys, pinsFile, maxPinsLength)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", pinsFile, reason(err))
	}
	return parsePins(data)
}

func parsePins(data []byte) ([]pinEntry, error) {
	var raws []json.RawMessage
	err := json.Unmarshal(data, &raws)
	if wrongType := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrongType) {
		err = errors.New("is not a JSON list")
	}
	if err != nil {
		return nil, fmt.Errorf("pins %s%s: %w; correct the file or delete it", pinsFile, atLine(data, err), err)
	}
	entries := make([]pinEntry, 0, len(raws))
	for i, raw := range raws {
		e := pinEntry{raw: raw}
		err := json.Unmarshal(raw, &e.Pin)
		if err == nil {
			e.Path, err = ParsePath(string(e.Path))
		}
		if err == nil && e.Path == "" {
			err = errors.New("no path")
		}
		if err != nil {
			return nil, fmt.Errorf("pins %s, entry %d: %w; correct the file or delete it", pinsFile, i+1, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// atLine returns ", line N" for the position of a JSON syntax error, else "".
func atLine(data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset > int64(len(data)) {
		return ""
	}
	return ", line " + strconv.Itoa(1+bytes.Count(data[:syntax.Offset], []byte("\n")))
}

// formatPins encodes the list with one entry per line, so that people can read it and two copies of a vault
// merge line by line.
func formatPins(entries []pinEntry) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[")
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		if err := json.Compact(&b, e.raw); err != nil {
			return nil, err
		}
	}
	b.WriteString("\n]\n")
	return b.Bytes(), nil
}

// marshalLine encodes v on one line, without escaping the characters that are special in HTML only: file names
// have them.
func marshalLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// notePath cleans a path for storage as JSON. It refuses names that are not UTF-8, since JSON would change
// their bytes.
func notePath(p Path) (Path, error) {
	clean, err := ParsePath(string(p))
	switch {
	case err != nil:
	case clean == "":
		err = errors.New("names no note")
	case !utf8.ValidString(string(clean)):
		err = errors.New("the name is not valid UTF-8; rename the note first")
	}
	if err != nil {
		return "", fmt.Errorf("note %q: %w", string(p), err)
	}
	return clean, nil
}

// changePins rewrites the list under the lock. change gets the entries and the index of p, which is -1 for pinning.
// It is not called if p is pinned already, or not pinned for anything else. Only pinning creates the file.
func changePins(
	v *Vault, what string, p Path, change func(entries []pinEntry, at int) ([]pinEntry, error),
) (err error) {
	defer describeError(&err, "%s %q", what, p)
	if _, err := v.root.Lstat(pinsFile); what != "pin" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := lockPins(v)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := readPinEntries(v.root.FS())
	at := slices.IndexFunc(entries, func(e pinEntry) bool { return e.Path == p })
	if err != nil || (at < 0) != (what == "pin") {
		return err
	}
	if entries, err = change(entries, at); err != nil {
		return err
	}
	data, err := formatPins(entries)
	if err != nil {
		return err
	}
	return v.WriteFile(pinsFile, data, WriteOptions{})
}

// lockPins waits for the lock of the pins. Where the file system has no locks (some network mounts), it goes on
// without: replacing is atomic all the same, and only two changes in the same instant could lose one.
func lockPins(v *Vault) (unlock func(), err error) {
	defer describeError(&err, "lock %s", pinsLock)
	p, err := v.writable(pinsLock)
	if err == nil {
		err = mkdirs(v.root, p.Dir())
	}
	if err != nil {
		return nil, err
	}
	f, err := v.root.OpenFile(p.Native(), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	lock := flock.New(f.Name())
	for deadline := time.Now().Add(pinsLockWait); ; {
		got, err := lock.TryLock()
		if err != nil {
			return func() {}, nil
		}
		if got {
			return func() { _ = lock.Unlock() }, nil
		}
		if time.Now().After(deadline) {
			return nil, errors.New("another process holds it; try again, or delete it when none runs")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

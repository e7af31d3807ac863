package vault

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
	"unicode/utf8"

	"ibid/vault/ownfile"
)

// Pin is a note that is sent with every turn.
type Pin struct {
	Path     Path      `json:"path"`
	PinnedAt time.Time `json:"pinned_at,omitzero"` // RFC 3339 in the file; zero for a pinned tab of Obsidian
}

const (
	ownDir        = ".ibid"
	pinsBase      = "pins.json"
	pinsFile      = ownDir + "/" + pinsBase
	maxPinsLength = 4 << 20 // bytes
	pinsTries     = 100     // each lost one means that another process has pinned something
)

// ReadPins returns the pins made in ibid, in the order in which they were made, from .ibid/pins.json of the
// vault fsys: a JSON list. Without a file there are no pins. A file that cannot be parsed
// is an error that names it; the file stays as it is.
func ReadPins(fsys fs.FS) ([]Pin, error) {
	pins, _, err := parsePins(fsys)
	return MergePins(pins), err
}

// AddPin adds a pin for p, as the last one. A note that is pinned already keeps its place and time.
func AddPin(v *Vault, p Path, at time.Time) error {
	p, err := notePath(p)
	if err != nil {
		return err
	}
	return changePins(v, "pin", p, func(pins []Pin) []Pin {
		return MergePins(append(pins, Pin{Path: p, PinnedAt: at.UTC().Truncate(time.Second)}))
	})
}

// RemovePin removes the pin of p, if there is one.
func RemovePin(v *Vault, p Path) error {
	return changePins(v, "unpin", p, func(pins []Pin) []Pin {
		return slices.DeleteFunc(pins, func(pin Pin) bool { return pin.Path == p })
	})
}

// MovePin changes the pin of a renamed note to its new path. It does nothing if from is not pinned.
func MovePin(v *Vault, from, to Path) error {
	return changePins(v, "move the pin of", from, func(pins []Pin) []Pin {
		for i := range pins {
			if pins[i].Path == from {
				pins[i].Path = to
			}
		}
		return MergePins(pins) // the new path may have been pinned in the meantime
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

// parsePins returns the pins as they stand in the file, and its bytes; nil if there is no file.
func parsePins(fsys fs.FS) ([]Pin, []byte, error) {
	data, _, err := ReadBounded(fsys, pinsFile, maxPinsLength)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", pinsFile, reason(err))
	}
	var pins []Pin
	err = json.Unmarshal(data, &pins)
	for i := range pins {
		var wrong error
		pins[i].Path, wrong = notePath(pins[i].Path)
		err = cmp.Or(err, wrong)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a list of pins, correct it or delete it: %w", pinsFile, err)
	}
	return pins, data, nil
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

// changePins rewrites the list, unless it stays the same. Several processes may do so at the same time: each writes
// only if the file still is what it has read, and else reads it again.
func changePins(v *Vault, what string, p Path, change func([]Pin) []Pin) (err error) {
	defer describeError(&err, "%s %q", what, p)
	for range pinsTries {
		pins, old, err := parsePins(v.FS())
		if err != nil {
			return err
		}
		now := change(slices.Clone(pins))
		if slices.Equal(now, pins) {
			return nil
		}
		data, err := ownfile.FormatJSON(now)
		if err != nil {
			return err
		}
		err = v.WriteFile(pinsFile, data, WriteOptions{Old: old, Create: old == nil})
		if !errors.Is(err, ErrChanged) && (!errors.Is(err, fs.ErrExist) || errors.Is(err, ErrNotDownloaded)) {
			return err
		}
	}
	return ErrChanged
}

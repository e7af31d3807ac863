package usage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ibid/vault"
	"ibid/vault/ownfile"
)

const (
	lastChats = 20  // chats that suggestions count
	halfLife  = 30  // days after which a count is half of what it was
	mostNotes = 12  // of a chat: the pairs of more say little
	mostPairs = 500 // in the file
	mostBytes = 4 << 20
)

// File is where it is kept which notes of a vault were used together.
type File struct {
	vault *vault.Vault
	name  string
	off   atomic.Bool

	mu     sync.Mutex // guards what follows, and writing
	known  *table     // as it was read last, nil if that was not yet
	state  string     // of the file then
	broken error      // why it could not be read, nil if it could
}

// table is what the file holds.
type table struct {
	Version int                `json:"version"`
	Chats   []int64            `json:"chats"` // the last ones, newest last
	Pairs   []pair             `json:"pairs"`
	Ignored map[vault.Path]int `json:"ignored,omitempty"` // how often a suggestion was not taken
}

// pair is two notes, in the order of their paths.
type pair struct {
	Notes [2]vault.Path `json:"notes"`
	Count float64       `json:"count"`
	Last  string        `json:"last"`  // day on which they were used together
	Chats []int64       `json:"chats"` // those of the last ones in which they were
}

// NewFile is the file of a vault in a folder outside of it. Nothing is read yet.
func NewFile(v *vault.Vault, stateDir string) *File {
	return &File{vault: v, name: filepath.Join(stateDir, "usage-"+vault.StateName(v)+".json")}
}

// Name is the path of the file, whether or not it is there.
func (f *File) Name() string { return f.name }

// Count turns the counting on, as it is at first, or off: what was counted stays.
func (f *File) Count(on bool) { f.off.Store(!on) }

// Counts reports whether it is on.
func (f *File) Counts() bool { return !f.off.Load() }

// Status counts the pairs that are kept; the error is why the file cannot be read.
func (f *File) Status() (pairs int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.read()
	return len(t.Pairs), f.broken
}

// Add counts notes that were used in a chat, which is known by when it began, in
// milliseconds. A file that cannot be read is set aside first, and aside is its new name.
func (f *File) Add(chat int64, notes []vault.Path, now time.Time) (aside string, err error) {
	if !f.Counts() {
		return "", nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read(); f.broken != nil {
		aside = f.name + now.Format(".broken-20060102-150405")
		if err := os.Rename(f.name, aside); err != nil {
			return "", fmt.Errorf("set %s aside: %w", f.name, err)
		}
	}
	return aside, f.change(now, func(t *table) bool {
		notes = slices.DeleteFunc(slices.Clone(notes), f.leftOut)
		notes = notes[:min(len(notes), mostNotes)]
		were := len(t.Ignored)
		for _, p := range notes {
			delete(t.Ignored, p)
		}
		if len(notes) > 1 {
			t.add(chat, notes, now)
		}
		return len(notes) > 1 || len(t.Ignored) < were
	})
}

// Ignore counts suggestions that were shown when a message was sent without them.
func (f *File) Ignore(notes []vault.Path, now time.Time) error {
	if !f.Counts() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(now, func(t *table) bool {
		for _, p := range notes {
			if t.Ignored == nil {
				t.Ignored = map[vault.Path]int{}
			}
			t.Ignored[p] = min(t.Ignored[p]+1, mostIgnored)
		}
		return len(notes) > 0
	})
}

// Rename follows notes that were renamed.
func (f *File) Rename(moved map[vault.Path]vault.Path, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(now, func(t *table) bool {
		did := false
		for i := range t.Pairs {
			for k, p := range t.Pairs[i].Notes {
				if to, ok := moved[p]; ok {
					t.Pairs[i].Notes[k], did = to, true
				}
			}
			slices.Sort(t.Pairs[i].Notes[:])
		}
		for from, to := range moved {
			if n, ok := t.Ignored[from]; ok {
				delete(t.Ignored, from)
				t.Ignored[to], did = n, true
			}
		}
		return did
	})
}

// With says in how many of the last chats each note was used together with one, and
// how often suggestions of it were ignored.
func (f *File) With(note vault.Path) Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.read()
	c := Counts{Chats: map[vault.Path]int{}, Ignored: t.Ignored}
	for _, p := range t.Pairs {
		switch note {
		case p.Notes[0]:
			c.Chats[p.Notes[1]] = len(p.Chats)
		case p.Notes[1]:
			c.Chats[p.Notes[0]] = len(p.Chats)
		}
	}
	return c
}

// leftOut reports whether a note is not to stand in the file.
func (f *File) leftOut(p vault.Path) bool {
	n, ok := f.vault.Note(p)
	if !ok {
		return f.vault.Scanned() || f.vault.Ignored(p)
	}
	return n.Private || n.Chat || f.vault.Ignored(p)
}

// change lets do change what the file holds, and writes it if do says so. A file that
// cannot be read stays as it is; mu is held.
func (f *File) change(now time.Time, do func(*table) bool) error {
	t, err := load(f.name)
	if err != nil || !do(t) {
		return nil
	}
	t.tidy(now, f.leftOut)
	if err := f.write(t); err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	return nil
}

// read gives what the file holds, read again if it was changed; mu is held.
func (f *File) read() *table {
	state := ""
	if info, err := os.Stat(f.name); err == nil {
		state = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	if f.known == nil || f.state != state {
		f.state = state
		f.known, f.broken = load(f.name)
	}
	return f.known
}

// load reads a table, an empty one if there is no file, or none that can be read.
func load(name string) (*table, error) {
	data, err := ownfile.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &table{}, nil
	case err == nil && len(data) > mostBytes:
		err = errors.New("the file is too large")
	}
	var t table
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err == nil && t.Version != 1 {
		err = fmt.Errorf("version %d is not known", t.Version)
	}
	if err != nil {
		return &table{}, err
	}
	return &t, nil
}

// write replaces the file in one step; mu is held.
func (f *File) write(t *table) error {
	t.Version = 1
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(t); err != nil {
		return err
	}
	if err := ownfile.Replace(f.name, data.Bytes(), 0o600); err != nil {
		return err
	}
	f.known = nil // the next look reads it
	return nil
}

// add counts every pair of notes once a chat.
func (t *table) add(chat int64, notes []vault.Path, now time.Time) {
	t.Chats = append(slices.DeleteFunc(t.Chats, func(c int64) bool { return c == chat }), chat)
	at := make(map[[2]vault.Path]int, len(t.Pairs))
	for i := range t.Pairs {
		at[t.Pairs[i].Notes] = i
	}
	for i, a := range notes {
		for _, b := range notes[i+1:] {
			both := [2]vault.Path{min(a, b), max(a, b)}
			k, ok := at[both]
			if a == b {
				continue
			}
			if !ok {
				k, at[both] = len(t.Pairs), len(t.Pairs)
				t.Pairs = append(t.Pairs, pair{Notes: both})
			}
			p := &t.Pairs[k]
			if !slices.Contains(p.Chats, chat) {
				p.Count = p.left(now) + 1
				p.Chats = append(p.Chats, chat)
			}
			p.Last = now.Format(time.DateOnly)
		}
	}
}

// tidy drops what is old, what is left out, and what is too much.
func (t *table) tidy(now time.Time, leftOut func(vault.Path) bool) {
	t.Chats = t.Chats[max(len(t.Chats)-lastChats, 0):]
	seen := map[[2]vault.Path]bool{}
	t.Pairs = slices.DeleteFunc(t.Pairs, func(p pair) bool {
		twice := seen[p.Notes] || p.Notes[0] == p.Notes[1] // notes that were renamed onto each other
		seen[p.Notes] = true
		return twice || p.left(now) < 1 || leftOut(p.Notes[0]) || leftOut(p.Notes[1])
	})
	slices.SortFunc(t.Pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.Count, a.Count), slices.Compare(a.Notes[:], b.Notes[:]))
	})
	t.Pairs = t.Pairs[:min(len(t.Pairs), mostPairs)]
	for i := range t.Pairs {
		p := &t.Pairs[i]
		p.Chats = slices.DeleteFunc(p.Chats, func(c int64) bool { return !slices.Contains(t.Chats, c) })
	}
	maps.DeleteFunc(t.Ignored, func(p vault.Path, _ int) bool { return leftOut(p) })
}

// left is what is left of a count.
func (p *pair) left(now time.Time) float64 {
	last, err := time.Parse(time.DateOnly, p.Last)
	if err != nil {
		return 0
	}
	today, _ := time.Parse(time.DateOnly, now.Format(time.DateOnly)) // a day in UTC, so that all have 24 hours
	return p.Count * math.Exp2(-max(math.Floor(today.Sub(last).Hours()/24/halfLife), 0))
}

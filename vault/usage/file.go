package usage

import (
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
	lastChats = 20  // number of chats that count for suggestions
	halfLife  = 30  // days after which a count is halved
	maxNotes  = 12  // notes per chat: pairs of more notes mean little
	maxPairs  = 500 // pairs in the file
)

// File records which notes of a vault were used together.
type File struct {
	vault *vault.Vault
	name  string

	Off atomic.Bool // nothing is counted; what was counted stays

	mu    sync.Mutex // guards the fields below, and writing
	table *table     // content when it was last read, nil before
	state string     // size and time of the file then
}

// table is the content of the file.
type table struct {
	Version int                `json:"version"`
	Chats   []int64            `json:"chats"` // last chats, newest last
	Pairs   []pair             `json:"pairs"`
	Ignored map[vault.Path]int `json:"ignored,omitempty"` // number of times that a suggestion was ignored
}

// pair is a pair of notes, ordered by path.
type pair struct {
	Notes [2]vault.Path `json:"notes"`
	Count float64       `json:"count"`
	Last  string        `json:"last"`  // day on which they were last used together
	Chats []int64       `json:"chats"` // those of the last chats in which they were used together
}

// NewFile returns the file of a vault in a folder outside of it. It does not read it yet.
func NewFile(v *vault.Vault, stateDir string) *File {
	return &File{vault: v, name: filepath.Join(stateDir, "usage-"+vault.StateName(v)+".json")}
}

// Name returns the path of the file, which may not exist.
func (f *File) Name() string { return f.name }

// Status returns the number of pairs, and the reason why the file cannot be read, if any.
func (f *File) Status() (pairs int, err error) {
	t, err := load(f.name)
	return len(t.Pairs), err
}

// Add counts the notes that were used in a chat, identified by its epoch.
func (f *File) Add(chat int64, notes []vault.Path, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(now, func(t *table) bool {
		notes = slices.DeleteFunc(slices.Clone(notes), f.isExcluded)
		notes = notes[:min(len(notes), maxNotes)]
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

// Ignore counts suggestions that were displayed when a message was sent without them.
func (f *File) Ignore(notes []vault.Path, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(now, func(t *table) bool {
		for _, p := range notes {
			if t.Ignored == nil {
				t.Ignored = map[vault.Path]int{}
			}
			t.Ignored[p] = min(t.Ignored[p]+1, maxIgnored)
		}
		return len(notes) > 0
	})
}

// CountsFor returns, for each note, the number of the last chats in which it was used together with note, and how
// often suggestions of it were ignored.
func (f *File) CountsFor(note vault.Path) Counts {
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

// isExcluded reports whether a note must not be in the file.
func (f *File) isExcluded(p vault.Path) bool {
	n, ok := f.vault.Note(p)
	if !ok {
		return f.vault.Scanned() || f.vault.Ignored(p)
	}
	return !n.Ordinary() || f.vault.Ignored(p)
}

// change calls do with the content of the file, and writes it if do returns true. An unreadable file stays as
// it is, without an error, and any file while counting is off; mu must be held.
func (f *File) change(now time.Time, do func(*table) bool) error {
	t, err := load(f.name)
	if err != nil || f.Off.Load() || !do(t) {
		return nil
	}
	t.removeOld(now, f.isExcluded)
	if err := f.write(t); err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	return nil
}

// read returns the content of the file, and reads it again if it changed; mu must be held.
func (f *File) read() *table {
	state := ""
	if info, err := os.Stat(f.name); err == nil {
		state = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	if f.table == nil || f.state != state {
		f.state = state
		f.table, _ = load(f.name) // what cannot be read counts as empty
	}
	return f.table
}

// load reads the file. The table is empty if the file does not exist or cannot be read.
func load(name string) (*table, error) {
	data, err := ownfile.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &table{}, nil
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

// write replaces the file atomically; mu must be held.
func (f *File) write(t *table) error {
	t.Version = 1
	data, err := ownfile.FormatJSON(t)
	if err != nil {
		return err
	}
	if err := ownfile.Replace(f.name, data, 0o600); err != nil {
		return err
	}
	f.table = nil // the next read reads the file
	return nil
}

// add counts every pair of notes, once per chat.
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
				p.Count = p.currentCount(now) + 1
				p.Chats = append(p.Chats, chat)
			}
			p.Last = now.Format(time.DateOnly)
		}
	}
}

// removeOld removes old pairs, those of notes that are left out, and those above the limits.
func (t *table) removeOld(now time.Time, leftOut func(vault.Path) bool) {
	t.Chats = t.Chats[max(len(t.Chats)-lastChats, 0):]
	t.Pairs = slices.DeleteFunc(t.Pairs, func(p pair) bool {
		return p.currentCount(now) < 1 || leftOut(p.Notes[0]) || leftOut(p.Notes[1])
	})
	slices.SortFunc(t.Pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.Count, a.Count),
			slices.Compare(a.Notes[:], b.Notes[:]))
	})
	t.Pairs = t.Pairs[:min(len(t.Pairs), maxPairs)]
	for i := range t.Pairs {
		p := &t.Pairs[i]
		p.Chats = slices.DeleteFunc(p.Chats, func(c int64) bool { return !slices.Contains(t.Chats, c) })
	}
	maps.DeleteFunc(t.Ignored, func(p vault.Path, _ int) bool { return leftOut(p) })
}

// currentCount returns the present value of the count, after halving.
func (p *pair) currentCount(now time.Time) float64 {
	last, err := time.Parse(time.DateOnly, p.Last)
	if err != nil {
		return 0
	}
	today, _ := time.Parse(time.DateOnly, now.Format(time.DateOnly)) // in UTC all days have 24 hours
	return p.Count * math.Exp2(-max(math.Floor(today.Sub(last).Hours()/24/halfLife), 0))
}

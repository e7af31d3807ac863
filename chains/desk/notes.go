package desk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/names"
	"ibid/vault/routine"
)

// Notes is a snapshot of the vault for lists of names. It never changes.
type Notes struct {
	Names    *names.List
	Links    *vault.Links
	Twins    map[string]int // number of notes with the same file name, in lower case, if more than one
	Count    int            // notes that are no chats
	Folders  int
	Recent   []*vault.Note // the five that changed last, newest first, without private ones
	Projects []vault.Path  // see vault.Projects
}

// Update is a report of Run.
type Update struct {
	Notes   *Notes         // nil if nothing in it changed
	Changes []vault.Change // changes of notes, without writes to chats
	Batch   vault.Batch    // what the watcher saw
	Late    string         // why changes are seen late, "" if they are not
	Err     error          // set if the vault cannot be read or watched
}

// Changes is the source of changes for Run, such as a vault.Watcher. The zero value has none.
type Changes struct {
	Watch    func(ctx context.Context) (<-chan vault.Batch, error)
	Degraded func() string // returns why changes are seen late, or ""; may be nil
}

// Run reads the vault, unless that was done, and updates its names and the search index until ctx ends. It calls
// report with one update at a time; changes that come meanwhile are joined. When Run returns, everything that it
// started has ended. A panic in one of its goroutines becomes a panic of Run.
func (d *Desk) Run(ctx context.Context, from Changes, report func(Update)) {
	v := d.opts.Vault
	if !v.Scanned() {
		if err := v.Scan(ctx); err != nil {
			report(Update{Err: err})
			return
		}
	}
	version := v.Version()
	list := names.New(v.Notes(), v.Files())
	report(Update{Notes: newNotes(v, list, d.Links())})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, changed := routine.Group{Stop: stop}, make(chan []vault.Change, 1)
	work.Go(func() { d.keepIndex(ctx, changed) })
	if m := d.search.meaning; m != nil {
		work.Go(func() { m.Run(ctx, m.changed) })
	}
	work.Go(func() { follow(ctx, d, from, list, version, changed, report) })
	work.Wait()
}

// follow applies changes to the vault and its names, reports them, and passes those of notes to the index.
func follow(ctx context.Context, d *Desk, from Changes, list *names.List, version uint64,
	changed chan []vault.Change, report func(Update),
) {
	v := d.opts.Vault
	if from.Watch == nil {
		return
	}
	batches, err := from.Watch(ctx)
	if err != nil {
		report(Update{Err: fmt.Errorf("changes are not seen: %w", err)})
		return
	}
	d.workspace.watched.Store(from.Degraded == nil || from.Degraded() == "")
	defer d.workspace.watched.Store(false)
	for {
		select {
		case <-ctx.Done():
			return
		case b, ok := <-batches:
			if !ok {
				return
			}
			if b.Fault != nil {
				panic(b.Fault)
			}
			u := Update{Batch: b}
			var all []vault.Change
			all, u.Changes, u.Err = d.apply(ctx, b)
			// or other goroutines found changes
			if now := v.Version(); u.Err == nil && (len(u.Changes) > 0 || now != version && len(all) == 0) {
				version = now
				list = list.Rebuild(v.Notes(), v.Files())
				u.Notes = newNotes(v, list, d.Links())
			}
			if from.Degraded != nil {
				u.Late = from.Degraded()
				d.workspace.watched.Store(u.Late == "")
			}
			if len(all) > 0 {
				queueChanges(changed, all)
			}
			report(u)
		}
	}
}

// apply updates the vault. told leaves out writes to chats: a chat that is saved every second while it streams
// changes nothing that lists show.
func (d *Desk) apply(ctx context.Context, b vault.Batch) (all, told []vault.Change, err error) {
	switch {
	case b.Rescan:
		all, err = d.opts.Vault.Revalidate(ctx)
	case len(b.Paths) > 0:
		all, err = d.opts.Vault.Update(ctx, b.Paths)
	}
	for _, c := range all {
		if c.Op != vault.Modified || d.opts.Store == nil || !c.Path.In(d.opts.Store.Folder()) {
			told = append(told, c)
		}
	}
	return all, told, err
}

// newNotes returns a snapshot of the vault.
func newNotes(v *vault.Vault, list *names.List, links *vault.Links) *Notes {
	all := v.Notes()
	n := &Notes{
		Names: list, Links: links, Twins: map[string]int{}, Folders: len(v.Folders()), Projects: vault.Projects(all),
	}
	for _, note := range all {
		n.Twins[strings.ToLower(note.Path.Base())]++
		i, _ := slices.BinarySearchFunc(n.Recent, note, func(a, b *vault.Note) int {
			return b.ModTime.Compare(a.ModTime)
		})
		if !note.Chat {
			n.Count++
		}
		if i < 5 && note.Ordinary() {
			n.Recent = slices.Insert(n.Recent, i, note)
			n.Recent = n.Recent[:min(len(n.Recent), 5)]
		}
	}
	for name, count := range n.Twins {
		if count == 1 {
			delete(n.Twins, name)
		}
	}
	return n
}

// queueChanges adds changes to those that the index has not taken yet. It must have one caller only.
func queueChanges(changed chan []vault.Change, more []vault.Change) {
	select {
	case before := <-changed:
		more = append(before, more...)
	default:
	}
	changed <- more
}

// startTime is the time after indexing within which the links, the names and the first pass of the watcher, which
// also use memory, are done.
const startTime = 10 * time.Second

// keepIndex updates the search index from the vault, and then with each change, until ctx ends.
func (d *Desk) keepIndex(ctx context.Context, changed <-chan []vault.Change) {
	again := time.After(0)
	var started <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
			if !d.Sync(ctx) && d.opts.IndexDir != "" {
				again = time.After(time.Minute) // the disk is full, or another process locks the file
			}
			if d.opts.Store != nil {
				_, err := d.opts.Store.List(ctx)
				d.logIndexError(err)
			}
			d.freeMemory()
			started = time.After(startTime)
			d.search.meaning.missing()
		case <-started:
			d.freeMemory()
		case changes := <-changed:
			if x := d.openIndex(ctx); x != nil {
				d.logIndexError(x.Apply(ctx, changes, d.opts.Vault.Local()))
				d.search.meaning.missing()
			}
		}
	}
}

// fewNotes is the size of a vault below which reading it takes too little memory to be worth returning.
const fewNotes = 100

// freeMemory returns memory to the system, because reading a vault takes several times what its index takes.
func (d *Desk) freeMemory() {
	if len(d.opts.Vault.Notes()) >= fewNotes {
		debug.FreeOSMemory()
	}
}

// reopenInterval is the time after which opening the index is tried again, if another process locks it or it cannot be
// written.
const reopenInterval = 10 * time.Second

// openIndex returns the search index, and opens it when it is first needed; nil if there is none.
func (d *Desk) openIndex(ctx context.Context) *index.Index {
	s := &d.search
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil && d.opts.IndexDir != "" && time.Since(s.tried) > reopenInterval {
		x, err := index.Open(ctx, index.Options{Dir: d.opts.IndexDir, Vault: d.opts.Vault.Dir()})
		if ctx.Err() == nil {
			s.tried = time.Now()
		}
		s.index, s.trouble = x, d.logIndexError(err)
	}
	return s.index
}

// logIndexError logs an error of the index and returns it as a text, "" for none. Searches read the notes then, since the
// index is only derived from them.
func (d *Desk) logIndexError(err error) (trouble string) {
	// a cancelled transaction is no error
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, sql.ErrTxDone) {
		return ""
	}
	d.log.Warn("search index", "err", err)
	return err.Error()
}

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
	"ibid/vault/routine"
)

// Notes is the vault at one moment, for lists of names. It never changes.
type Notes struct {
	Names   *index.Names
	Links   *index.Links
	Twins   map[string]int // how many notes share a file name, in lower case, where several do
	Count   int            // without saved chats
	Folders int
	Recent  []*vault.Note // the five that changed last, newest first, without private ones
	// Projects are the folders with a note of their name, or project.md, in them.
	Projects []vault.Path
}

// Update carries news of Run.
type Update struct {
	Notes   *Notes         // nil if nothing changed that it shows
	Changes []vault.Change // that were taken in; a chat that was written to is not among them
	Batch   vault.Batch    // what was seen
	Late    string         // why changes are seen late, "" while they are not
	Err     error          // the vault cannot be read, or watched
}

// Changes feeds Run, as a vault.Watcher does. The zero
// value tells of none.
type Changes struct {
	Watch    func(ctx context.Context) (<-chan vault.Batch, error)
	Degraded func() string // why changes are seen late; nil is ""
}

// Run reads the vault, unless that was done, and keeps its names and the search
// index up to date until ctx ends. It reports one update at a time; while report works,
// changes grow into one. When Run returns, everything that it started has ended; Run
// panics with what that panics with.
func (d *Desk) Run(ctx context.Context, from Changes, report func(Update)) {
	v := d.opts.Vault
	if !v.Scanned() {
		if err := v.Scan(ctx); err != nil {
			report(Update{Err: err})
			return
		}
	}
	version := v.Version()
	names := index.NewNames(v.Notes(), v.Files())
	report(Update{Notes: newNotes(v, names, d.Links())})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, changed := routine.Group{Stop: stop}, make(chan []vault.Change, 1)
	work.Go(func() { d.keepIndex(ctx, changed) })
	work.Go(func() { follow(ctx, d, from, names, version, changed, report) })
	work.Wait()
}

// follow brings the vault and its names up to date with the changes that come, and
// hands those of notes on.
func follow(ctx context.Context, d *Desk, from Changes, names *index.Names, version uint64,
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
			// or others found them
			if now := v.Version(); u.Err == nil && (len(u.Changes) > 0 || now != version && len(all) == 0) {
				version = now
				names = names.Rebuild(v.Notes(), v.Files())
				u.Notes = newNotes(v, names, d.Links())
			}
			if from.Degraded != nil {
				u.Late = from.Degraded()
				d.workspace.watched.Store(u.Late == "")
			}
			if len(all) > 0 {
				feed(changed, all)
			}
			report(u)
		}
	}
}

// apply brings the vault up to date. told leaves out chats that were written to:
// one that is saved every second while it streams changes nothing that lists show.
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

// newNotes makes what lists show.
func newNotes(v *vault.Vault, names *index.Names, links *index.Links) *Notes {
	all := v.Notes()
	n := &Notes{Names: names, Links: links, Twins: map[string]int{}, Folders: len(v.Folders())}
	for _, note := range all {
		n.Twins[strings.ToLower(note.Path.Base())]++
		i, _ := slices.BinarySearchFunc(n.Recent, note, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
		if !note.Chat {
			n.Count++
		}
		if dir := note.Path.Dir(); dir != "" && (note.Path.Name() == "project.md" || note.Path.Base() == dir.Name()) {
			n.Projects = append(n.Projects, dir)
		}
		if i < 5 && !note.Private && !note.Chat {
			n.Recent = slices.Insert(n.Recent, i, note)
			n.Recent = n.Recent[:min(len(n.Recent), 5)]
		}
	}
	slices.Sort(n.Projects)
	n.Projects = slices.Compact(n.Projects)
	for name, count := range n.Twins {
		if count == 1 {
			delete(n.Twins, name)
		}
	}
	return n
}

// feed adds changes to those that the index has not taken yet. It has one caller.
func feed(changed chan []vault.Change, more []vault.Change) {
	select {
	case before := <-changed:
		more = append(before, more...)
	default:
	}
	changed <- more
}

// startTime is how long after the index the links, the names and the first look of
// the watcher, which take memory of their own, are there at the latest.
const startTime = 10 * time.Second

// keepIndex brings the search index up to date and feeds it changes until ctx ends.
func (d *Desk) keepIndex(ctx context.Context, changed <-chan []vault.Change) {
	again := time.After(0)
	var started <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
			if !d.Sync(ctx) && d.opts.IndexDir != "" {
				again = time.After(time.Minute) // the disk is full, or another process keeps the file
			}
			if d.opts.Store != nil {
				_, err := d.opts.Store.List(ctx)
				d.indexed(err)
			}
			d.freeMemory()
			started = time.After(startTime)
		case <-started:
			d.freeMemory()
		case changes := <-changed:
			if x := d.openIndex(ctx); x != nil {
				d.indexed(x.Apply(ctx, changes, d.opts.Vault))
			}
		}
	}
}

// fewNotes is the size of a vault below which reading it takes too little memory to be given back.
const fewNotes = 100

// freeMemory gives memory back to the system: reading a vault takes several times what knowing it does.
func (d *Desk) freeMemory() {
	if len(d.opts.Vault.Notes()) >= fewNotes {
		debug.FreeOSMemory()
	}
}

// openAgain is how long it is not tried again to open an index that another process
// keeps for itself, or that cannot be kept.
const openAgain = 10 * time.Second

// openIndex is the search index, opened when it is first needed; nil if there is
// none.
func (d *Desk) openIndex(ctx context.Context) *index.Index {
	x, opened, err := tryIndex(ctx, d)
	if opened {
		d.unusable(err)
	}
	return x
}

// tryIndex opens the search index, unless it is open, or was tried a moment ago.
func tryIndex(ctx context.Context, d *Desk) (x *index.Index, opened bool, err error) {
	d.search.mu.Lock()
	defer d.search.mu.Unlock()
	if d.search.index != nil || d.opts.IndexDir == "" || time.Since(d.search.tried) <= openAgain {
		return d.search.index, false, nil
	}
	d.search.index, err = index.Open(ctx, index.Options{Dir: d.opts.IndexDir, Vault: d.opts.Vault.Dir()})
	if ctx.Err() == nil {
		d.search.tried = time.Now()
	}
	return d.search.index, true, err
}

// indexed notes trouble with the index, which is derived: searches read the notes
// then. It reports whether there is any.
func (d *Desk) indexed(err error) bool {
	// rolled back by the context
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, sql.ErrTxDone) {
		return false
	}
	d.log.Warn("search index", "err", err)
	return true
}

// unusable notes whether the index can be used, or brought up to date.
func (d *Desk) unusable(err error) {
	trouble := ""
	if d.indexed(err) {
		trouble = err.Error()
	}
	d.search.mu.Lock()
	defer d.search.mu.Unlock()
	d.search.trouble = trouble
}

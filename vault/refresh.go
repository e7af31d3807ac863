package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"runtime"
	"slices"
	"time"

	"ibid/vault/routine"
)

// manyPaths is the number of paths from which on checking the whole vault is cheaper than checking each of
// them.
const manyPaths = 200

// Scan lists the vault and parses every note, several at a time. Until it returns, the vault is empty for
// readers; they never wait for it. A note that cannot be read or parsed is listed with a Warning. The error is
// that of ctx, or says that the vault's folder itself cannot be read.
func (v *Vault) Scan(ctx context.Context) error {
	_, err := v.Revalidate(ctx)
	return err
}

// Revalidate compares the whole vault with the disk, parses the changed notes and returns the changes, sorted
// by path. After it the metadata is right whether or not a watcher runs. On error nothing changes.
func (v *Vault) Revalidate(ctx context.Context) ([]Change, error) {
	v.refreshing.Lock()
	defer v.refreshing.Unlock()
	return v.revalidate(ctx)
}

func (v *Vault) revalidate(ctx context.Context) (changes []Change, err error) {
	defer describeError(&err, "scan vault %s", v.dir)
	began := time.Now()
	v.done.Store(0)
	v.total.Store(0)
	old := v.filters.Load()
	now := v.loadFilters(old.own, old)
	if now.equal(old) {
		now = old // texts in the cache were judged by it
	}
	if err := v.closeGoneLinks(); err != nil {
		return nil, err
	}
	first := !v.scanned.Load()
	var reading routine.Group
	if first && v.opts.Cache != "" {
		reading.Go(func() { v.disk.kept = loadKept(keptFile(v.opts.Cache, v.dir)) })
	}
	list, err := v.walk(ctx)
	reading.Wait()
	if err != nil {
		return nil, err
	}
	if slices.Contains(list.failed, "") {
		return nil, errors.New(list.warnings[0])
	}
	v.sweepUnfinished(list.unfinished)
	v.filters.Store(now)
	r := &refresh{
		v: v, filters: now, refilter: now != old, known: maps.Keys(v.disk.entries),
		covers: func(p Path) bool {
			return !slices.ContainsFunc(list.failed, func(d Path) bool { return p == d || p.In(d) })
		},
	}
	if err := r.compare(ctx, list); err != nil {
		return nil, err
	}
	v.disk.warnings = list.warnings
	if err := v.mounts.closeOthers(list.linked); err != nil {
		v.disk.warnings = append(v.disk.warnings, err.Error())
	}
	changes = r.apply()
	if len(r.fresh) == 0 {
		v.cost.Store(int64(time.Since(began)) * int64(min(routine.Workers(), runtime.GOMAXPROCS(0))))
	}
	v.scanned.Store(true)
	if first {
		v.disk.kept = nil
		v.saveKept()
	}
	return changes, nil
}

// Update does the work of Revalidate for the given files only, or that of Revalidate itself if a folder is among them.
// It skips paths that are not part of the vault (dot files, files outside).
func (v *Vault) Update(ctx context.Context, paths []Path) ([]Change, error) {
	v.refreshing.Lock()
	defer v.refreshing.Unlock()
	old := v.filters.Load()
	if len(paths) > manyPaths || slices.Contains(paths, "") || slices.Contains(paths, old.config.Join(settingsFile)) {
		return v.revalidate(ctx)
	}
	v.done.Store(0)
	v.total.Store(0)
	list, looked := &listing{}, map[Path]bool{}
	for _, p := range paths {
		p, err := checkPath(p)
		if _, again := looked[p]; again || err != nil || hasDotPart(p) {
			continue
		}
		known, whole := v.listFile(p, list)
		if whole {
			return v.revalidate(ctx)
		}
		looked[p] = known
	}
	r := &refresh{
		v: v, filters: old, known: maps.Keys(looked), covers: func(p Path) bool { return looked[p] },
	}
	if err := r.compare(ctx, list); err != nil {
		return nil, fmt.Errorf("update vault %s: %w", v.dir, err)
	}
	return r.apply(), nil
}

// refresh is one comparison of the known state with the disk.
type refresh struct {
	v        *Vault
	filters  *filters
	refilter bool            // the rules for excluded files have changed
	known    iter.Seq[Path]  // known files that may be gone
	covers   func(Path) bool // whether a known file that is not listed is gone

	dirs  map[Path]bool // folders of the vault now
	gone  []Path        // known files that are gone
	fresh []*entry      // files that are new or may have changed
}

// listFile adds the file p to list, if it exists. known says that it does not exist unless it is in list; whole says
// that p is or was a folder or a link, so that the whole vault must be checked instead.
func (v *Vault) listFile(p Path, list *listing) (known, whole bool) {
	for at := p.Dir(); at != ""; at = at.Dir() {
		root, name := v.locateEntry(at)
		if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 && !v.mounts.has(at) {
			return false, false // behind a link that is not followed
		}
	}
	root, name := v.locateEntry(p)
	info, err := root.Lstat(name)
	switch {
	case v.disk.dirs[p]:
		return false, true
	case err != nil:
		if f, ok := placeholder(v, p); ok {
			list.files = append(list.files, f)
		}
		return !errors.Is(err, fs.ErrPermission), false
	case info.IsDir(), info.Mode()&fs.ModeSymlink != 0:
		return false, true
	case info.Mode().IsRegular() && !isScratch(p):
		list.files = append(list.files, foundFile(p, info))
		return true, false
	}
	return false, false
}

// compare loads the listed files that are new or may have changed, and determines which files are gone.
func (r *refresh) compare(ctx context.Context, list *listing) error {
	seen := make(map[Path]bool, len(list.files))
	for _, f := range list.files {
		seen[f.path] = true
		e := r.v.disk.entries[f.path]
		ignored := e != nil && e.ignored
		if e == nil || r.refilter {
			ignored = r.filters.ignores(f.path)
		}
		if e != nil && !e.again && e.ignored == ignored && e.sameState(f) {
			continue
		}
		r.fresh = append(r.fresh, &entry{walkedFile: f, ignored: ignored})
	}
	for p := range r.known {
		if r.v.disk.entries[p] != nil && !seen[p] && r.covers(p) {
			r.gone = append(r.gone, p)
		}
	}
	r.dirs = make(map[Path]bool, len(list.dirs))
	for p := range r.v.disk.dirs {
		if !r.covers(p) {
			r.dirs[p] = true
		}
	}
	for _, p := range list.dirs {
		r.dirs[p] = true
	}
	for _, e := range r.fresh {
		for at := e.path.Dir(); at != "" && !r.dirs[at]; at = at.Dir() {
			r.dirs[at] = true
		}
	}
	return r.v.load(ctx, r.fresh, r.filters)
}

// apply updates and publishes the known state, and returns the changes.
func (r *refresh) apply() []Change {
	d := &r.v.disk
	var changes []Change
	edit := snapshotEdit{touched: map[Path]bool{}, names: len(r.gone) > 0}
	var created, removed []*entry
	for _, p := range r.gone {
		e := d.entries[p]
		delete(d.entries, p)
		edit.touched[p] = true
		if !e.ignored {
			removed = append(removed, e)
		}
	}
	for _, e := range r.fresh {
		old := d.entries[e.path]
		if old != nil && e.failed && old.size == e.size && old.mtime.Equal(e.mtime) && old.ignored == e.ignored {
			continue // the known note is still right
		}
		d.entries[e.path] = e
		e.again = e.again || mayChangeUnseen(e.mtime, time.Now())
		was, is := old != nil && !old.ignored, !e.ignored
		edit.update(old, e)
		switch {
		case is && !was:
			created = append(created, e)
		case was && !is:
			changes = append(changes, Change{Op: Removed, Path: e.path})
		case was && entriesDiffer(old, e):
			changes = append(changes, Change{Op: Modified, Path: e.path})
		}
	}
	changes = append(changes, pairMoves(created, removed)...)
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	if !maps.Equal(r.dirs, d.dirs) || r.refilter {
		d.dirs, edit.dirs = r.dirs, r.dirs
	}
	r.v.publish(edit)
	if r.v.OnChange != nil && r.v.scanned.Load() && len(changes) > 0 {
		r.v.OnChange(changes)
	}
	return changes
}

// entriesDiffer reports whether a file that was a and is b now has other content. Notes are compared by
// checksum, so that another time alone is no change.
func entriesDiffer(a, b *entry) bool {
	if a.sum == 0 && b.sum == 0 {
		return !a.sameState(b.walkedFile)
	}
	return a.size != b.size || a.sum != b.sum
}

// pairMoves joins a removed and a created file with the same content into one move. The number of the file
// alone does not prove a move: file systems give the number of a deleted file to the next new one.
func pairMoves(created, removed []*entry) []Change {
	bySum := map[uint64][]*entry{}
	byID := map[fileID]*entry{}
	slices.SortFunc(removed, func(a, b *entry) int { return cmp.Compare(a.path, b.path) })
	for _, e := range removed {
		if e.sum != 0 && e.size > 0 {
			bySum[e.sum] = append(bySum[e.sum], e)
		}
		if e.id != (fileID{}) {
			byID[e.id] = e
		}
	}
	taken := map[*entry]bool{}
	var changes []Change
	for _, e := range created {
		from := byID[e.id]
		if from == nil || taken[from] || !from.sameState(e.walkedFile) {
			from = pickSource(bySum[e.sum], taken, e)
		}
		if from == nil {
			changes = append(changes, Change{Op: Created, Path: e.path})
			continue
		}
		taken[from] = true
		changes = append(changes, Change{Op: Renamed, Path: e.path, From: from.path})
	}
	for _, e := range removed {
		if !taken[e] {
			changes = append(changes, Change{Op: Removed, Path: e.path})
		}
	}
	return changes
}

// pickSource returns the removed file that e probably was: one of the same size and name if there is one, else
// the first of the same size; nil if there is none.
func pickSource(from []*entry, taken map[*entry]bool, e *entry) (first *entry) {
	for _, f := range from {
		switch {
		case taken[f] || f.size != e.size:
		case f.path.Name() == e.path.Name():
			return f
		case first == nil:
			first = f
		}
	}
	return first
}

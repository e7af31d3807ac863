package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/vault/routine"
)

// walkedFile is a file as the walk saw it.
type walkedFile struct {
	path  Path
	size  int64
	mtime time.Time
	id    fileID

	dataless bool // not downloaded
}

// listing is what a walk found.
type listing struct {
	files    []walkedFile
	dirs     []Path
	failed   []Path        // folders that could not be listed: what was known in them stays
	skipped  []Path        // links out of the vault that were not followed
	linked   []Path        // links out of the vault that were followed
	inside   map[Path]Path // links among files, and where in the vault they lead
	warnings []string
}

// walker lists folders in parallel. Its goroutines end before walk returns.
type walker struct {
	v   *Vault
	ctx context.Context

	mu      sync.Mutex
	cond    *sync.Cond
	queue   []Path
	pending int    // folders queued or being listed
	links   []Path // symbolic links seen, judged once the folders are done
	out     listing
}

// walk lists everything below the folders of start.
func (v *Vault) walk(ctx context.Context, start ...Path) (*listing, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := &walker{v: v, ctx: ctx, queue: slices.Clone(start), pending: len(start)}
	w.out.inside = map[Path]Path{}
	w.cond = sync.NewCond(&w.mu)
	for w.pending > 0 {
		wg := routine.Group{Stop: func() { stop(); w.wake() }}
		for range workers() {
			wg.Go(w.run)
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.judgeLinks()
	}
	slices.SortFunc(w.out.files, func(a, b walkedFile) int { return strings.Compare(string(a.path), string(b.path)) })
	slices.Sort(w.out.dirs)
	slices.Sort(w.out.skipped)
	slices.Sort(w.out.warnings)
	return &w.out, nil
}

// run lists folders until none is left.
func (w *walker) run() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.queue) == 0 && w.pending > 0 && w.ctx.Err() == nil {
			w.cond.Wait()
		}
		if w.pending == 0 || w.ctx.Err() != nil {
			w.cond.Broadcast()
			return
		}
		dir := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		files, dirs, links, err := w.unlocked(dir)
		w.out.files = append(w.out.files, files...)
		w.out.dirs = append(w.out.dirs, dirs...)
		w.links = append(w.links, links...)
		w.queue = append(w.queue, dirs...)
		w.pending += len(dirs) - 1
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.out.failed = append(w.out.failed, dir)
			w.out.warnings = append(w.out.warnings, fmt.Sprintf("folder %s cannot be read: %v", orRoot(dir), reason(err)))
		}
		w.cond.Broadcast()
	}
}

// wake has those that wait for folders look at the context.
func (w *walker) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cond.Broadcast()
}

// unlocked is list; meanwhile the others work.
func (w *walker) unlocked(dir Path) (files []walkedFile, dirs, links []Path, err error) {
	w.mu.Unlock()
	defer w.mu.Lock()
	return w.list(dir)
}

// list reads one folder.
func (w *walker) list(dir Path) (files []walkedFile, dirs, links []Path, err error) {
	root, name, _ := w.v.locate(dir)
	entries, err := w.v.readDir(root, name)
	for _, e := range entries {
		n := e.Name()
		if n[0] == '.' {
			if real, ok := strings.CutSuffix(n[1:], placeholderEnd); ok {
				if f, ok := placeholder(w.v, joinPath(dir, real)); ok {
					files = append(files, f)
				}
			}
			continue
		}
		p := joinPath(dir, n)
		switch t := e.Type(); {
		case t.IsDir():
			dirs = append(dirs, p)
		case t&fs.ModeSymlink != 0:
			links = append(links, p)
		case t.IsRegular() && !scratch(p):
			// An error means that the file went away since it was listed.
			if info, err := e.Info(); err == nil {
				files = append(files, foundFile(p, info))
			}
		}
	}
	return files, dirs, links, err
}

// judgeLinks decides about the symbolic links of the folders listed so far. It
// runs alone and in the order of the paths, so that of two links to one folder
// the same is followed each time.
func (w *walker) judgeLinks() {
	links := w.links
	w.links = nil
	slices.Sort(links)
	for _, p := range links {
		root, name := w.v.locateEntry(p)
		if info, err := root.Stat(name); err == nil {
			// A link to a folder of the vault would show its notes twice.
			if to, _, err := w.v.destination(p); err == nil && info.Mode().IsRegular() && !hasDotPart(to) {
				w.out.files = append(w.out.files, foundFile(p, info))
				w.out.inside[p] = to
			}
			continue
		}
		target, info, ok := w.v.outside(p)
		if !ok {
			continue
		}
		if !w.v.opts.FollowLinks {
			w.out.skipped = append(w.out.skipped, p)
			continue
		}
		if err := w.v.mounts.add(p, target, info, w.v.real); err != nil {
			if !errors.Is(err, errOverlap) {
				w.out.warnings = append(w.out.warnings, fmt.Sprintf("link %s cannot be followed: %v", p, reason(err)))
			}
			continue
		}
		w.out.linked = append(w.out.linked, p)
		if info.IsDir() {
			w.out.dirs = append(w.out.dirs, p)
			w.queue = append(w.queue, p)
			w.pending++
		} else {
			w.out.files = append(w.out.files, foundFile(p, info))
		}
	}
}

// outside resolves a symbolic link that leads out of the vault. ok is false
// if it is broken, leads back into the vault, or to something that is neither
// a file nor a folder.
func (v *Vault) outside(p Path) (target string, info fs.FileInfo, ok bool) {
	abs := filepath.Join(v.real, filepath.FromSlash(string(p)))
	if mt, rest, ok := v.mounts.lookup(p.Dir()); ok {
		abs = filepath.Join(mt.target, filepath.FromSlash(rest), p.Name())
	}
	target, err := filepath.EvalSymlinks(abs)
	if err != nil || isWithin(target, v.real) || isWithin(v.real, target) {
		return "", nil, false
	}
	info, err = os.Stat(target)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return "", nil, false
	}
	return target, info, true
}

// forgetLinks closes the followed links that are gone, so that another link to
// the same folder can take their place.
func (v *Vault) forgetLinks() error {
	return v.mounts.keep(slices.DeleteFunc(v.mounts.paths(), func(p Path) bool {
		root, name := v.locateEntry(p)
		info, err := root.Lstat(name)
		return err != nil || info.Mode()&fs.ModeSymlink == 0
	}))
}

// readDir lists a folder through root, in no order.
func (v *Vault) readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	d, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(-1)
	return entries, errors.Join(err, d.Close())
}

// same reports whether f and g are the same state of a file, whatever its name.
func (f *walkedFile) same(g walkedFile) bool {
	return f.size == g.size && f.id == g.id && f.mtime.Equal(g.mtime)
}

func foundFile(p Path, info fs.FileInfo) walkedFile {
	return walkedFile{path: p, size: info.Size(), mtime: info.ModTime(), id: idOf(info), dataless: dataless(info)}
}

func joinPath(dir Path, name string) Path {
	if dir == "" {
		return Path(name)
	}
	return dir + "/" + Path(name)
}

func orRoot(dir Path) string {
	if dir == "" {
		return "of the vault"
	}
	return string(dir)
}

// isWithin reports whether the absolute path p is dir or lies in it.
func isWithin(p, dir string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

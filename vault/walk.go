package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/vault/routine"
)

// walkedFile is the state of a file when the walk listed it.
type walkedFile struct {
	path  Path
	size  int64
	mtime time.Time
	id    fileID

	dataless bool // not downloaded
}

// listing is the result of a walk.
type listing struct {
	files    []walkedFile
	dirs     []Path
	failed   []Path // folders that could not be listed: known files in them stay
	skipped  int    // number of links out of the vault that were not followed
	linked   []Path // links out of the vault that were followed
	warnings []string

	unfinished []Path // files of writes that were killed
}

// walker lists folders.
type walker struct {
	v     *Vault
	queue []Path // folders to be listed
	links []Path // symbolic links found, handled once the folders are done
	out   listing
}

// folder is the content of one folder.
type folder struct {
	files       []walkedFile
	dirs, links []Path
	unfinished  []Path
	err         error
}

// walk lists all files, several folders of one depth at a time.
func (v *Vault) walk(ctx context.Context) (*listing, error) {
	w := &walker{v: v, queue: []Path{""}}
	for len(w.queue) > 0 {
		dirs := w.queue
		w.queue = nil
		found := make([]folder, len(dirs))
		if err := routine.Share(ctx, len(dirs), 1, func(mine iter.Seq[int]) {
			for i := range mine {
				found[i] = w.listFolder(dirs[i])
			}
		}); err != nil {
			return nil, err
		}
		for i, f := range found {
			w.out.files = append(w.out.files, f.files...)
			w.out.dirs = append(w.out.dirs, f.dirs...)
			w.out.unfinished = append(w.out.unfinished, f.unfinished...)
			w.links = append(w.links, f.links...)
			w.queue = append(w.queue, f.dirs...)
			if f.err != nil && !errors.Is(f.err, fs.ErrNotExist) {
				w.out.failed = append(w.out.failed, dirs[i])
				w.out.warnings = append(w.out.warnings,
					fmt.Sprintf("folder %s cannot be read: %v", cmp.Or(dirs[i], "of the vault"), reason(f.err)))
			}
		}
		if len(w.queue) == 0 {
			w.followLinks()
		}
	}
	if own, err := readDir(v.root, ownDir); err == nil { // the walk passes over it
		w.out.unfinished = append(w.out.unfinished, unfinishedIn(ownDir, own)...)
	}
	slices.SortFunc(w.out.files, func(a, b walkedFile) int { return cmp.Compare(a.path, b.path) })
	slices.Sort(w.out.dirs)
	slices.Sort(w.out.warnings)
	if n := w.out.skipped; n > 0 {
		w.out.warnings = append(w.out.warnings, fmt.Sprintf(
			"%d linked folders or files lead outside the vault and are not read; files.follow_links = true reads them", n))
	}
	return &w.out, nil
}

// listFolder reads one folder.
func (w *walker) listFolder(dir Path) (f folder) {
	root, name, linked := w.v.locate(dir)
	entries, err := readDir(root, name)
	f.err = err
	if !linked { // nothing is written behind a link out of the vault
		f.unfinished = unfinishedIn(dir, entries)
	}
	for _, e := range entries {
		n := e.Name()
		if n[0] == '.' {
			if real, ok := strings.CutSuffix(n[1:], placeholderEnd); ok {
				if file, ok := placeholder(w.v, dir.Join(real)); ok {
					f.files = append(f.files, file)
				}
			}
			continue
		}
		p := dir.Join(n)
		switch t := e.Type(); {
		case t.IsDir():
			f.dirs = append(f.dirs, p)
		case t&fs.ModeSymlink != 0:
			f.links = append(f.links, p)
		case t.IsRegular() && !isScratch(p):
			// An error means that the file was removed since it was listed.
			if info, err := e.Info(); err == nil {
				f.files = append(f.files, foundFile(p, info))
			}
		}
	}
	return f
}

// followLinks decides which symbolic links of the folders listed so far to follow. It runs alone and in the
// order of the paths, so that of two links to one folder always the same is followed.
func (w *walker) followLinks() {
	links := w.links
	w.links = nil
	slices.Sort(links)
	for _, p := range links {
		target, info, ok := w.v.resolveOutside(p)
		if !ok {
			continue
		}
		if !w.v.opts.FollowLinks {
			w.out.skipped++
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
		} else {
			w.out.files = append(w.out.files, foundFile(p, info))
		}
	}
}

// resolveOutside resolves a symbolic link that leads out of the vault. ok is false if it is broken, leads back into
// the vault, where all is listed under its own name, or to something that is neither a file nor a folder.
func (v *Vault) resolveOutside(p Path) (target string, info fs.FileInfo, ok bool) {
	abs := filepath.Join(v.real, p.Native())
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

// closeGoneLinks closes the followed links that do not exist any more, so that another link to the same folder can
// be followed.
func (v *Vault) closeGoneLinks() error {
	return v.mounts.closeOthers(slices.DeleteFunc(v.mounts.paths(), func(p Path) bool {
		root, name := v.locateEntry(p)
		info, err := root.Lstat(name)
		return err != nil || info.Mode()&fs.ModeSymlink == 0
	}))
}

// readDir lists a folder through root, in no order.
func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	d, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(-1)
	return entries, errors.Join(err, d.Close())
}

// sameState reports whether f and g have the same size, time and identity, whatever their names.
func (f *walkedFile) sameState(g walkedFile) bool {
	return f.size == g.size && f.id == g.id && f.mtime.Equal(g.mtime)
}

func foundFile(p Path, info fs.FileInfo) walkedFile {
	return walkedFile{path: p, size: info.Size(), mtime: info.ModTime(), id: idOf(info), dataless: isDataless(info)}
}

// isWithin reports whether the absolute path p is dir or in it.
func isWithin(p, dir string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

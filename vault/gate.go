package vault

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxHops limits the symbolic links on the way of a path.
const maxHops = 40

// resolveLinks returns the path to which p, below the folder dir, leads through symbolic links, and the file there. A
// link that is absolute or leads above dir fails with ErrOutside, as in os.Root; with fs.ErrNotExist, to is the
// path where the file would be. It goes one element at a time, since ".." behind a link means the folder above
// the link's target.
func resolveLinks(dir string, p Path) (to Path, info fs.FileInfo, err error) {
	todo := string(p)
	for hops := 0; todo != ""; {
		var part string
		part, todo, _ = strings.Cut(todo, "/")
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && to == "":
			return "", nil, ErrOutside
		case part == "..":
			to, info = to.Dir(), nil
			continue
		}
		next := to.Join(part)
		name := filepath.Join(dir, next.Native())
		now, err := os.Lstat(name)
		if err != nil {
			to, outside := checkPath(next.Join(todo))
			return to, nil, cmp.Or(outside, err)
		}
		if now.Mode()&fs.ModeSymlink == 0 {
			to, info = next, now
			continue
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", nil, err
		}
		if hops++; filepath.IsAbs(link) || hops > maxHops {
			return "", nil, ErrOutside
		}
		todo = filepath.ToSlash(link) + "/" + todo
	}
	if info == nil {
		info, err = os.Lstat(filepath.Join(dir, to.Native()))
	}
	return to, info, err
}

// destination is follow for a path in the vault or below a linked folder.
func (v *Vault) destination(p Path) (to Path, info fs.FileInfo, err error) {
	mt, rest, ok := v.mounts.lookup(p)
	switch {
	case !ok:
		return resolveLinks(v.real, p)
	case mt.base != "":
		return p, nil, nil // the link was followed to its end when it was opened
	}
	to, info, err = resolveLinks(mt.target, Path(rest))
	return p[:len(p)-len(rest)] + to, info, err
}

// readableFile is a requested file that may be read.
type readableFile struct {
	path Path        // the requested path, cleaned
	at   Path        // path to which its links lead
	info fs.FileInfo // nil if not known yet
}

// readable checks by name whether the file p may leave this machine, and so the file to which its links lead.
func (v *Vault) readable(p Path) (f readableFile, err error) {
	if f.path, err = checkPath(p); err != nil {
		return f, err
	}
	if f.at, f.info, err = v.destination(f.path); err != nil {
		f.at, err = f.path, absentError(v, f.path, err)
		if !errors.Is(err, ErrNotDownloaded) {
			return f, err
		}
	}
	if f.hidden(v) {
		return f, ErrIgnored
	}
	return f, err
}

func (f *readableFile) hidden(v *Vault) bool {
	return hasDotPart(f.path) || v.Ignored(f.path) || f.at != f.path && (hasDotPart(f.at) || v.Ignored(f.at))
}

// isNote reports whether the file, or the link to it, has the name of a note.
func (f *readableFile) isNote() bool { return f.path.IsNote() || f.at.IsNote() }

// writable checks that p may be written, and resolves links inside of the vault, so that a write replaces the
// file that a link leads to and not the link.
func (v *Vault) writable(p Path) (Path, error) { return v.checkWritable(p, false) }

// movable works like writable, but does not follow a link in the last element: a link is moved itself.
func (v *Vault) movable(p Path) (Path, error) { return v.checkWritable(p, true) }

// checkWritable implements writable and movable. Dot folders of other programs are refused, whether p names them or
// a link leads there.
func (v *Vault) checkWritable(p Path, moved bool) (to Path, err error) {
	if p, err = checkPath(p); err != nil {
		return "", err
	}
	way := p
	if moved {
		way = p.Dir()
	}
	_, _, linked := v.mounts.lookup(way)
	switch {
	case linked:
		return "", fmt.Errorf("linked from outside the vault, for reading only: %w", ErrOutside)
	case p == "":
		return "", fmt.Errorf("this is the vault itself: %w", fs.ErrInvalid)
	case hasDotPart(p) && !ownDotFile(p):
		return "", dotFileError(p)
	}
	if to, _, err = resolveLinks(v.real, way); moved {
		to = to.Join(p.Name())
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && hasDotPart(to) && !(ownDotFile(to) && ownDotFile(p)) {
		err = dotFileError(to)
	}
	return to, err
}

// dotFileError returns the error for files that this program neither reads nor writes.
func dotFileError(to Path) error {
	return fmt.Errorf("dot files such as %s belong to other programs: %w", to, ErrIgnored)
}

// ownDotFile reports whether p is in one of the dot folders that this program writes to, without further dot
// elements.
func ownDotFile(p Path) bool {
	first, rest, ok := strings.Cut(string(p), "/")
	return ok && (first == ownDir || first == trashDir) && !hasDotPart(Path(rest))
}

// Destination returns the path of the file that WriteFile(p) writes: p, or the target of its links inside of
// the vault.
func Destination(v *Vault, p Path) (_ Path, err error) {
	defer describeError(&err, "write %s", p)
	return v.writable(p)
}

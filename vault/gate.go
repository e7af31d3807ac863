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

// maxHops bounds how many symbolic links a path may lead through.
const maxHops = 40

// follow is where the path p below the folder dir leads once the symbolic
// links on its way are followed, and what is there. A link that is absolute or
// leads above dir fails with ErrOutside, as os.Root has it; with
// fs.ErrNotExist, to is where the file would be. It goes one element at a time,
// since ".." behind a link is above where the link leads.
func follow(dir string, p Path) (to Path, info fs.FileInfo, err error) {
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
		next := joinPath(to, part)
		name := filepath.Join(dir, filepath.FromSlash(string(next)))
		now, err := os.Lstat(name)
		if err != nil {
			to, outside := checkPath(joinPath(next, todo))
			return to, nil, cmp.Or(outside, reason(err))
		}
		if now.Mode()&fs.ModeSymlink == 0 {
			to, info = next, now
			continue
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", nil, reason(err)
		}
		if hops++; filepath.IsAbs(link) || hops > maxHops {
			return "", nil, ErrOutside
		}
		todo = filepath.ToSlash(link) + "/" + todo
	}
	if info == nil {
		info, err = os.Lstat(filepath.Join(dir, filepath.FromSlash(string(to))))
	}
	return to, info, err
}

// destination is follow for a path of the vault or below a followed link.
func (v *Vault) destination(p Path) (to Path, info fs.FileInfo, err error) {
	mt, rest, ok := v.mounts.lookup(p)
	switch {
	case !ok:
		return follow(v.real, p)
	case mt.base != "":
		return p, nil, nil // the link was followed to its end when it was opened
	}
	to, info, err = follow(mt.target, Path(rest))
	return p[:len(p)-len(rest)] + to, info, err
}

// file is a file that was asked for and may be read.
type file struct {
	path Path        // as asked for, cleaned
	at   Path        // where its links lead
	info fs.FileInfo // nil if that is not known yet
}

// readable checks that p may leave this machine as far as names say that, its
// own and that of the file to which its links lead.
func (v *Vault) readable(p Path) (f file, err error) {
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

func (f *file) hidden(v *Vault) bool {
	return hasDotPart(f.path) || v.Ignored(f.path) || f.at != f.path && (hasDotPart(f.at) || v.Ignored(f.at))
}

// isNote reports whether the file, or what a link calls it, is a note.
func (f *file) isNote() bool { return f.path.IsNote() || f.at.IsNote() }

// writable checks that p may be written and resolves links inside the vault,
// so that the file that a link names is replaced and not the link.
func (v *Vault) writable(p Path) (Path, error) { return v.own(p, false) }

// movable is writable without following a link in the last element: a link is
// moved as what it is.
func (v *Vault) movable(p Path) (Path, error) { return v.own(p, true) }

func (v *Vault) own(p Path, moved bool) (Path, error) {
	p, err := checkPath(p)
	if err != nil {
		return "", err
	}
	way := p
	if moved {
		way = p.Dir()
	}
	if _, _, linked := v.mounts.lookup(way); linked {
		return "", fmt.Errorf("linked from outside the vault, for reading only: %w", ErrOutside)
	}
	return ownPath(v.real, p, moved)
}

// ownPath is own for the vault in the folder dir. Dot folders of other programs
// are out of bounds whether they are named or a link leads there.
func ownPath(dir string, p Path, moved bool) (to Path, err error) {
	switch {
	case p == "":
		return "", fmt.Errorf("this is the vault itself: %w", fs.ErrInvalid)
	case hasDotPart(p) && !ownDotFile(p):
		return "", dotFile(p)
	case moved:
		to, _, err = follow(dir, p.Dir())
		to = joinPath(to, p.Name())
	default:
		to, _, err = follow(dir, p)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && hasDotPart(to) && !(ownDotFile(to) && ownDotFile(p)) {
		err = dotFile(to)
	}
	return to, err
}

// dotFile is the error for what this program neither reads nor writes.
func dotFile(to Path) error {
	return fmt.Errorf("dot files such as %s belong to other programs: %w", to, ErrIgnored)
}

// ownDotFile reports whether p is in one of the dot folders that this program
// writes to, and has no dot elements below it.
func ownDotFile(p Path) bool {
	first, rest, ok := strings.Cut(string(p), "/")
	return ok && (first == ownDir || first == trashDir) && !hasDotPart(Path(rest))
}

// Destination is the file that WriteFile(p) writes: p, or where its links inside of
// the vault lead.
func Destination(v *Vault, p Path) (Path, error) {
	to, err := v.writable(p)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", p, err)
	}
	return to, nil
}

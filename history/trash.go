package history

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"ibid/vault"
)

// trashName is the vault's trash.
const trashName = vault.Path(".trash")

// mostTrash bounds how many files of the trash are looked at.
const mostTrash = 20_000

// Trashed is a chat in the trash.
type Trashed struct {
	Summary            // Path is where it is in the trash
	From    vault.Path // where it was, and would be again
	Deleted time.Time  // when it came there; where the system does not tell, when it was changed last
}

// Trash is the chats in the vault's trash: what has messages and was in the folder
// of chats, and what else its properties call a chat. It is as safe for concurrent
// use as its Store.
type Trash struct{ store *Store }

// Trash is where Delete moves chats.
func (s *Store) Trash() Trash { return Trash{s} }

// List lists the chats that are there, the one deleted last in front.
func (in Trash) List(ctx context.Context) ([]Trashed, error) {
	s := in.store
	var all []Trashed
	left := mostTrash
	err := s.walk(trashName, ctx.Err, func(p vault.Path, info fs.FileInfo) {
		if left--; left >= 0 {
			if t, ok := s.trashed(p, info); ok {
				all = append(all, t)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list the chats in %s: %w", trashName, err)
	}
	slices.SortStableFunc(all, func(a, b Trashed) int {
		return cmp.Or(b.Deleted.Compare(a.Deleted), strings.Compare(string(a.Path), string(b.Path)))
	})
	return all, nil
}

// trashed describes a file in the trash, if it is a chat.
func (s *chatDir) trashed(p vault.Path, info fs.FileInfo) (t Trashed, ok bool) {
	data, err := s.read(p)
	if err != nil {
		return t, false
	}
	t.From = vault.Path(strings.TrimPrefix(string(p), string(trashName)+"/"))
	if r, _ := parts(string(data)); !r.src.isChat(len(r.spans), s.holds(t.From)) {
		return t, false
	}
	if t.From.Dir() == "" { // another program's trash has no folders
		t.From = join(s.folder, p.Name())
	}
	t.Summary, ok = summary(p, data, s.opts.Zone)
	t.Modified, t.Deleted = info.ModTime(), info.ModTime()
	if at := vault.ChangedAt(info); at != 0 { // it was moved here
		t.Deleted = time.Unix(0, at)
	}
	return t, ok
}

// Restore brings a chat back from the trash to where it was, or beside it if
// something else is there now, and returns its path. The chat is named by its
// path, its file name or its title, as List has them.
func (in Trash) Restore(ctx context.Context, name string) (vault.Path, error) {
	s := in.store
	all, err := in.List(ctx)
	if err != nil {
		return "", err
	}
	plain := path.Clean(s.relative(name))
	var found []Trashed
	for _, t := range all {
		switch plain {
		case string(t.Path), string(t.From):
			return in.restore(t)
		}
		if t.called(name) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return in.restore(found[0])
	case 0:
		return "", fmt.Errorf("find %s in the trash: %w: `ibid chats trash` lists what is there", show(name), fs.ErrNotExist)
	}
	var paths []vault.Path
	for _, t := range found {
		paths = append(paths, t.From)
	}
	return "", fmt.Errorf("find %s in the trash: several have this name: %s", show(name), showAll(paths[:min(len(paths), 5)], ", "))
}

func (in Trash) restore(t Trashed) (to vault.Path, err error) {
	s := in.store
	err = s.perform("bring back", t.Path, func() (err error) {
		to, err = freePath(t.From, func(to vault.Path) error { return s.vault.Restore(t.Path, to) })
		return err
	})
	return to, err
}

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

// trashName is the path of the vault's trash.
const trashName = vault.Path(".trash")

// TrashedChat is a chat in the trash.
type TrashedChat struct {
	Summary            // Path is in the trash
	From    vault.Path `json:"from"` // where it was, and where Restore puts it
	// when it was moved there; where the system does not record that, its last change
	Deleted time.Time `json:"deleted"`
}

// ListTrash returns the chats in the vault's trash, last deleted first: files with messages that were in the folder
// of chats, and others with the properties of a chat.
func (s *Store) ListTrash(ctx context.Context) ([]TrashedChat, error) {
	var all []TrashedChat
	err := s.walk(trashName, ctx.Err, func(p vault.Path, info fs.FileInfo) {
		if t, ok := s.describeTrashed(p, info); ok {
			all = append(all, t)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list the chats in %s: %w", trashName, err)
	}
	slices.SortStableFunc(all, func(a, b TrashedChat) int {
		return cmp.Or(b.Deleted.Compare(a.Deleted), cmp.Compare(a.Path, b.Path))
	})
	return all, nil
}

// describeTrashed describes a file in the trash; ok is false if it is no chat.
func (s *chatDir) describeTrashed(p vault.Path, info fs.FileInfo) (t TrashedChat, ok bool) {
	data, err := s.read(p)
	if err != nil {
		return t, false
	}
	t.From = vault.Path(strings.TrimPrefix(string(p), string(trashName)+"/"))
	t.Summary, ok = parseSummary(p, data, s.opts.Zone, s.inChatFolder(t.From))
	if t.From.Dir() == "" { // another program's trash has no folders
		t.From = s.folder.Join(p.Name())
	}
	t.Modified, t.Deleted = info.ModTime(), info.ModTime()
	if at := vault.ChangedAt(info); at != 0 { // it was moved here
		t.Deleted = time.Unix(0, at)
	}
	return t, ok
}

// Restore moves a chat from the trash to its old path, or beside that if it is taken, and returns the new path.
// name is its path, its file name or its title, as in ListTrash.
func (s *Store) Restore(ctx context.Context, name string) (to vault.Path, err error) {
	all, err := s.ListTrash(ctx)
	if err != nil {
		return "", err
	}
	plain := path.Clean(s.relative(name))
	var found TrashedChat
	var paths []vault.Path
	for _, t := range all {
		if plain == string(t.Path) || plain == string(t.From) || t.hasName(name) {
			found, paths = t, append(paths, t.From)
		}
	}
	if _, err := onlyOne(paths, "find "+displayText(name)+" in the trash",
		"`ibid chats trash` lists what is there"); err != nil {
		return "", err
	}
	err = s.perform("bring back", found.Path, func() (err error) {
		to, err = freePath(found.From, func(to vault.Path) error { return s.vault.Rename(found.Path, to) })
		return err
	})
	return to, err
}

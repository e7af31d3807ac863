package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"ibid/vault"
	"ibid/vault/md"
)

// archiveName is the name of the archive folder in the folder of chats.
const archiveName = "Archive"

// perform calls do with the store locked, and wraps its error with what and p.
func (s *Store) perform(what string, p vault.Path, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := do(); err != nil {
		return fmt.Errorf("%s chat %s: %w", what, p, err)
	}
	return nil
}

// claim locks the store and the chat at p against other processes, and calls do with the chat.
func (s *Store) claim(what string, p vault.Path, do func(c *Chat) error) error {
	return s.perform(what, p, func() error {
		c, err := s.load(p)
		if err != nil {
			return err
		}
		done, err := s.lockFor(c.Epoch)
		if err != nil {
			return err
		}
		defer done()
		return do(&c)
	})
}

// writeProperties writes the changed properties of a claimed chat; the messages keep their bytes.
func (s *Store) writeProperties(c *Chat) error {
	if c.ReadOnly {
		return ErrReadOnly
	}
	data := encode(c, c.file.version > 0 || c.Pinned)
	if bytes.Equal(data, c.file.saved) {
		return nil
	}
	return s.vault.WriteFile(c.Path, data, vault.WriteOptions{Old: c.file.saved})
}

// Rename sets the title of the chat at p, gives its file the name for that title, and returns the new path.
// Only the properties change: the messages keep their bytes. A title without visible characters is an error.
func (s *Store) Rename(p vault.Path, title string) (to vault.Path, err error) {
	err = s.claim("rename", p, func(c *Chat) (err error) {
		if c.Title = cleanTitle(title); c.Title == "" {
			return errors.New("a title needs at least one character")
		}
		if err := s.writeProperties(c); err != nil {
			return err
		}
		to, err = s.putInFolder(c, p.Dir(), func(to vault.Path) error { return moveFile(s, c.Epoch, p, to) })
		return err
	})
	return to, err
}

// moveFile moves the file of a chat, and updates the path if this store has the chat open.
func moveFile(s *Store, epoch int64, from, to vault.Path) error {
	if from == to {
		return nil
	}
	if err := s.vault.Rename(from, to); err != nil {
		return err
	}
	if o := s.open[epoch]; o != nil && o.path == from {
		o.path = to
	}
	return nil
}

// Pin sets whether lists show the chat at p first. Only the properties change.
func (s *Store) Pin(p vault.Path, on bool) error {
	return s.claim("pin", p, func(c *Chat) error {
		c.Pinned = on
		return s.writeProperties(c)
	})
}

// Tag changes the tags of the chat at p as [EditTags] does, and returns the new tags. Only the properties
// change.
func (s *Store) Tag(p vault.Path, changes ...string) (tags []string, err error) {
	err = s.claim("tag", p, func(c *Chat) (err error) {
		if c.Tags, err = EditTags(c.Tags, changes...); err != nil {
			return err
		}
		tags = c.Tags
		return s.writeProperties(c)
	})
	return tags, err
}

// EditTags returns a changed copy of tags: "+tag" or "tag" appends a tag, "-tag" removes it, ignoring case and
// with or without "#". It returns an error for text that Obsidian does not take for a tag, and for removing the tag
// by which Copilot finds its chats.
func EditTags(tags []string, changes ...string) ([]string, error) {
	tags = slices.Clone(tags)
	for _, change := range changes {
		gone, off := strings.CutPrefix(change, "-")
		t := strings.TrimPrefix(strings.TrimPrefix(gone, "+"), "#")
		switch {
		case off && strings.EqualFold(t, chatTag):
			return nil, fmt.Errorf("#%s stays: by it Obsidian Copilot finds its chats", chatTag)
		case off:
			tags = slices.DeleteFunc(tags, func(o string) bool { return strings.EqualFold(o, t) })
		case t == "" || md.TagLen(t) != len(t):
			return nil, fmt.Errorf("%q is no tag: a tag has letters, digits, - _ and /, and not only digits",
				displayText(t))
		case !hasTag(tags, t):
			tags = append(tags, t)
		}
	}
	return tags, nil
}

func hasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// Archived reports whether p is in the archive.
func (s *Store) Archived(p vault.Path) bool {
	return p.In(s.folder.Join(archiveName))
}

// Archive moves the chat at p to the archive, or back out of it if on is false, keeping name and subfolder. It
// returns the new path.
func (s *Store) Archive(p vault.Path, on bool) (vault.Path, error) {
	to := p
	switch rest := s.inFolder(p); {
	case on && !s.Archived(p):
		to = s.folder.Join(archiveName + "/" + rest)
	case !on && s.Archived(p):
		to = s.folder.Join(strings.TrimPrefix(rest, archiveName+"/"))
	}
	err := s.claim("move", p, func(c *Chat) (err error) {
		to, err = freePath(to, func(to vault.Path) error { return moveFile(s, c.Epoch, p, to) })
		return err
	})
	if err != nil {
		return "", err
	}
	return to, nil
}

// inFolder returns p relative to the folder of chats; for a chat in another folder, its file name.
func (s *chatDir) inFolder(p vault.Path) string {
	if rest, ok := strings.CutPrefix(string(p), string(s.folder)+"/"); ok {
		return rest
	}
	return p.Name()
}

// freePath calls put with p, and with a number added to its name as long as put fails with fs.ErrExist. It
// returns the path that put accepted.
func freePath(p vault.Path, put func(vault.Path) error) (to vault.Path, err error) {
	return to, tryNumbered(func(suffix string) error {
		to = vault.Path(strings.TrimSuffix(string(p), ".md") + suffix + ".md")
		return put(to)
	})
}

// tryNumbered calls put with "", " 2", " 3" and so on, until it does not fail with fs.ErrExist.
func tryNumbered(put func(suffix string) error) (err error) {
	suffix := ""
	for n := 2; n <= 10000; n++ {
		if err = put(suffix); !errors.Is(err, fs.ErrExist) {
			break
		}
		suffix = " " + strconv.Itoa(n)
	}
	return err
}

// rank returns 0 for pinned chats, which lists show first, and 1 for the others.
func rank(sum *Summary) int {
	if sum.Pinned {
		return 0
	}
	return 1
}

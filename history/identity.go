package history

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/vault"
)

// isChat reports whether the file is a chat. In the folder of chats it needs a message; elsewhere it needs the
// properties of a chat: a numeric epoch, and a property of the programs that write chats.
func (s *source) isChat(messages int, inFolder bool) bool {
	p := &s.read
	ours := s.front.legacy || s.front.mapping || p.ModelKey != "" || hasTag(p.Tags, chatTag)
	return inFolder && messages > 0 || p.Epoch != 0 && ours
}

// inChatFolder reports whether p is in the folder of chats.
func (s *chatDir) inChatFolder(p vault.Path) bool {
	return strings.HasPrefix(string(p), string(s.folder)+"/")
}

// settleTime is the time that a program may take to finish a file that was read half written.
const settleTime = 100 * time.Millisecond

// identity finds the files of the chat with an epoch.
type identity struct {
	store *Store
	epoch int64
}

// maxAhead limits how much later than the last write of its file an epoch may be: chats that begin in the same second
// get the seconds that follow.
const maxAhead = time.Hour

// withEpoch returns the files in the folder of chats that have the epoch, none if the folder cannot be listed: that
// fails when a chat is written.
func (d identity) withEpoch() (found []vault.Path) {
	s := d.store
	for _, f := range s.readableFiles(s.folder) {
		if f.mtime.Add(maxAhead).UnixMilli() < d.epoch {
			continue
		}
		if l := s.list.at(&s.chatDir, f); l.chat && l.sum.Epoch == d.epoch {
			found = append(found, f.path)
		}
	}
	return found
}

// taken reports whether a chat has the epoch.
func (d identity) taken() bool { return d.store.open[d.epoch] != nil || len(d.withEpoch()) > 0 }

// nextFreeEpoch returns the first second after the epoch that no chat has.
func (d identity) nextFreeEpoch() int64 {
	for d.epoch = wholeSecond(d.epoch) + 1000; d.taken(); {
		d.epoch += 1000
	}
	return d.epoch
}

// isAt reports whether the file at p is a chat with the epoch.
func (d identity) isAt(p vault.Path) bool {
	data, err := d.store.read(p)
	if err != nil || !bytes.Contains(data, strconv.AppendInt(nil, d.epoch, 10)) {
		return false
	}
	r, _ := parseFile(string(data)) // the error is ignored: damaged properties give what can be read
	return r.src.read.Epoch == d.epoch && r.src.isChat(len(r.spans), d.store.inChatFolder(p))
}

// locateFile finds the present file of the chat, anywhere in the vault: by the epoch, else a file in the folder
// of chats that has no epoch and begins with the messages of saved, the last known content. Several files with
// the epoch rank as in pickOriginal, one with the content of saved first.
func (d identity) locateFile(saved []byte) (vault.Path, bool) {
	found := d.withEpoch()
	if len(found) == 0 {
		for _, f := range d.store.readableFiles("") {
			if d.isAt(f.path) {
				found = append(found, f.path)
			}
		}
	}
	for _, p := range found {
		if data, err := d.store.read(p); err == nil && bytes.Equal(data, saved) {
			return p, true
		}
	}
	if p := d.pickOriginal(found); p != "" {
		return p, true
	}
	return d.byMessages(saved)
}

// byMessages finds a chat without an epoch that begins with the messages of file.
func (d identity) byMessages(file []byte) (vault.Path, bool) {
	base, _, err := decode(file, d.store.opts.Zone)
	if err != nil || len(base.Messages) == 0 {
		return "", false
	}
	want := mergeKeys(base.Messages)
	for _, f := range d.store.readableFiles(d.store.folder) {
		data, err := d.store.read(f.path)
		if err != nil {
			continue
		}
		other, _, err := decode(data, d.store.opts.Zone)
		if err != nil || other.file.src.read.Epoch != 0 {
			continue
		}
		if k := mergeKeys(other.Messages); len(k) >= len(want) && slices.Equal(k[:len(want)], want) {
			return f.path, true
		}
	}
	return "", false
}

// findAnywhere finds chats anywhere in the vault by their epoch or file name.
func (s *Store) findAnywhere(name string) []vault.Path {
	epoch, err := strconv.ParseInt(name, 10, 64)
	if err == nil && epoch > 1e9 { // smaller numbers may be titles
		p, ok := identity{s, epoch}.locateFile(nil)
		if !ok {
			return nil
		}
		return []vault.Path{p}
	}
	p, err := vault.ParsePath(s.relative(name))
	if err != nil {
		return nil
	}
	base := strings.TrimSuffix(p.Name(), ".md")
	var found []vault.Path
	for _, f := range s.readableFiles("") {
		if !strings.EqualFold(f.path.Base(), base) {
			continue
		}
		if _, err := s.load(f.path); err == nil {
			found = append(found, f.path)
		}
	}
	return found
}

// handleMissing handles an open chat whose file is gone. If the file was moved, it updates the path and returns done
// false. If it was deleted, it writes the file again, since the last messages may exist nowhere else.
func (s *Store) handleMissing(c *Chat) (warnings []Warning, done bool, err error) {
	if w, ok := (identity{s, c.Epoch}).updatePath(c); ok {
		return w, false, nil
	}
	data := Encode(c)
	err = s.vault.WriteFile(c.Path, data, vault.WriteOptions{Create: true})
	if errors.Is(err, fs.ErrExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	s.recordWrite(c, c.Path, data)
	return warning("recreated", "%s was deleted elsewhere: written again, since it is open here",
		displayText(c.Path)), true, nil
}

// updatePath sets c's path to the present place of its file. It returns false if the file was not found
// elsewhere.
func (d identity) updatePath(c *Chat) ([]Warning, bool) {
	p, ok := d.locateFile(c.file.saved)
	if !ok || p == c.Path {
		return nil, false
	}
	c.Path = p
	d.store.open[c.Epoch].path = p
	return warning("moved", "the chat is now %s", displayText(p)), true
}

// Moved returns the new path of an open chat whose file is no longer where it was. ok is false if the file is
// still there or cannot be found.
func (s *Store) Moved(c *Chat) (vault.Path, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.file.saved == nil || s.exists(c.Path) {
		return "", false
	}
	return identity{s, c.Epoch}.locateFile(c.file.saved)
}

package history

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/ownfile"
)

// Copilot writes a chat that it continues anew, without what it does not know: the
// hidden block, the variants, ibid's properties and those of the person. What
// stands above the messages is therefore kept in the state folder too, and goes
// back into a file that returns without it.

// backup is what stood above the messages of a chat.
type backup struct {
	Path vault.Path `json:"chat"`
	Top  string     `json:"top"`
}

const (
	mostTop     = 1 << 20             // bytes of a top that is kept
	mostBackups = 5000                // of a vault
	backupAge   = 90 * 24 * time.Hour // for which the backup of a chat that is gone is kept
	pruneEvery  = 100                 // new backups
)

// backup is the file for that of a chat.
func (f *stateFolder) backup(epoch int64) string {
	return filepath.Join(f.dir, "chats", fmt.Sprintf("%s%d.json", f.prefix(), epoch))
}

// merging is the file that says what was merged into a chat last.
func (f *stateFolder) merging(epoch int64) string {
	return strings.TrimSuffix(f.backup(epoch), ".json") + ".merge"
}

// readBackup reads that of a chat.
func (f *stateFolder) readBackup(epoch int64) (b backup, ok bool) {
	if f.dir == "" {
		return b, false
	}
	data, err := ownfile.Read(f.backup(epoch))
	return b, err == nil && json.Unmarshal(data, &b) == nil && b.Top != ""
}

// backups keeps those of the chats of a store.
type backups struct{ s *Store }

// keep makes a backup of a chat that was written. While a reply streams it
// waits for its end.
func (b backups) keep(c *Chat) {
	s := b.s
	o := s.open[c.Epoch]
	if n := len(c.Messages); n == 0 || c.Messages[n-1].Status == StatusCut {
		return
	}
	now := backup{Path: c.Path, Top: string(appendTop(nil, c, true))}
	if now == o.backup || len(now.Top) > mostTop || s.state.folder("chats") == "" {
		return
	}
	name := s.state.backup(c.Epoch)
	_, err := os.Stat(name)
	isNew := err != nil
	if err = replace(name, marshal(now)); err != nil {
		s.state.err = err
		return
	}
	if o.backup = now; isNew {
		b.prune()
	}
}

// prune removes, once in a while, the old backups of chats that are gone,
// and the oldest of too many.
func (b backups) prune() {
	s := b.s
	files, _ := filepath.Glob(filepath.Join(s.state.dir, "chats", s.state.prefix()+"*.json"))
	if len(files) == 0 || len(files)%pruneEvery != 0 {
		return
	}
	age := map[string]time.Duration{}
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			age[name] = s.opts.Now().Sub(info.ModTime())
		}
	}
	slices.SortFunc(files, func(a, b string) int { return int(age[a].Seconds() - age[b].Seconds()) })
	for i, name := range files {
		d := identity{s: s}
		_, err := fmt.Sscanf(strings.TrimPrefix(filepath.Base(name), s.state.prefix()), "%d.json", &d.epoch)
		if i >= mostBackups || age[name] > backupAge && (err != nil || d.gone()) {
			_ = os.Remove(name) // one that stays is tried again
			_ = os.Remove(strings.TrimSuffix(name, ".json") + ".merge")
		}
	}
}

// gone reports whether no file of the chat is known.
func (d identity) gone() bool {
	b, _ := d.s.state.readBackup(d.epoch)
	return !d.s.exists(b.Path) && len(d.known()) == 0
}

// restore gives a chat what another program has left out when it wrote the file:
// the properties, and of the hidden data what fits the messages.
func (c *Chat) restore(state *stateFolder) {
	if c.file.version > 0 || c.file.src.block {
		return
	}
	b, ok := state.readBackup(c.Epoch)
	if !ok {
		return
	}
	r, _ := parts(b.Top) // of damaged properties and hidden data what can be read
	h, _ := r.src.cutHidden(r.text.next(len(r.norm)))
	was := r.front.chat
	was.file.src = r.src
	back := was
	back.Path, back.Epoch, back.Messages, back.file.compat = c.Path, c.Epoch, c.Messages, c.file.compat
	mergeProperties(&back, &was, c, true)
	back.file.src.crlf = c.file.src.crlf
	back.file.saved, back.file.restored = c.file.saved, true
	if h.block != nil && len(h.block.known) > 0 && h.block.apply(&back) == len(h.block.known) {
		return // none of its messages is there any more
	}
	back.recall(h.variants)
	*c = back
}

// rewrite writes what was restored into the file, and says so.
func (b backups) rewrite(c *Chat) []Warning {
	if !c.file.restored {
		return nil
	}
	c.file.restored = false
	text := "Obsidian Copilot has written this file anew, without what ibid and you had added to it: that is back"
	warnings, err := b.s.update(c)
	if err != nil {
		text += fmt.Sprintf(", but not in the file (%v)", err)
	}
	return append(warnings, Warning{Kind: "restored", Text: text})
}

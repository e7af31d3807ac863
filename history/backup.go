package history

import (
	"fmt"

	"ibid/history/statefolder"
	"ibid/vault"
)

// Copilot writes a chat that it continues anew, without what it does not know: the
// hidden block, the variants, ibid's properties and those of the person. What
// stands above the messages is therefore kept in the state folder too, and goes
// back into a file that returns without it.

// keepBackup makes a backup of a chat that was written. While a reply streams it
// waits for its end.
func (s *Store) keepBackup(c *Chat) {
	if n := len(c.Messages); n == 0 || c.Messages[n-1].Status == StatusCut {
		return
	}
	o := s.open[c.Epoch]
	now := statefolder.Backup{Path: string(c.Path), Top: string(appendTop(nil, c, true))}
	if now != o.backup && s.state.KeepBackup(c.Epoch, now, func(epoch int64) bool { return identity{s, epoch}.gone() }) {
		o.backup = now
	}
}

// gone reports whether no file of the chat is known.
func (d identity) gone() bool {
	b, _ := d.s.state.Backup(d.epoch)
	return !d.s.exists(vault.Path(b.Path)) && len(d.known()) == 0
}

// restore gives a chat what another program has left out when it wrote the file:
// the properties, and of the hidden data what fits the messages.
func (c *Chat) restore(state *statefolder.Folder) {
	if c.file.version > 0 || c.file.src.block {
		return
	}
	b, ok := state.Backup(c.Epoch)
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
func (s *Store) rewrite(c *Chat) []Warning {
	if !c.file.restored {
		return nil
	}
	c.file.restored = false
	text := "Obsidian Copilot has written this file anew, without what ibid and you had added to it: that is back"
	warnings, err := s.update(c)
	if err != nil {
		text += fmt.Sprintf(", but not in the file (%v)", err)
	}
	return append(warnings, Warning{Kind: "restored", Text: text})
}

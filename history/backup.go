package history

import (
	"fmt"
	"slices"

	"ibid/history/statefolder"
)

// Copilot rewrites a chat that it continues and drops what it does not know: the hidden block, the variants,
// ibid's properties and those of the person. So the text above the messages is also kept in the state folder,
// and is put back when the file returns without it.

// keepBackup backs up the top of a chat that was just written. While a reply streams it does nothing: the save
// at the end of the reply makes the backup.
func (s *Store) keepBackup(c *Chat) {
	if n := len(c.Messages); n == 0 || c.Messages[n-1].Status == StatusCut {
		return
	}
	o := s.open[c.Epoch]
	now := statefolder.Backup{Path: string(c.Path), Top: string(appendTop(nil, c, true))}
	if now != o.backup && s.state.KeepBackup(c.Epoch, now) {
		o.backup = now
	}
}

// restore adds to c what another program dropped when it wrote the file: the properties, and the hidden data
// whose messages are still there. It changes nothing in a chat that ibid wrote, or that has no backup.
func (c *Chat) restore(state *statefolder.Folder) {
	if c.file.version > 0 || c.file.src.block {
		return
	}
	b, ok := state.Backup(c.Epoch)
	if !ok {
		return
	}
	r, _ := parseFile(b.Top) // the error is ignored: damaged properties and hidden data give what can be read
	blk, _ := readBlock(r.hidden.block)
	variants, _ := readVariants(r.hidden.variants)
	was := r.front.chat
	was.file.src = r.src
	back := was
	back.Path, back.Epoch, back.Messages, back.file.compat = c.Path, c.Epoch, slices.Clone(c.Messages), c.file.compat
	mergeProperties(&back, &was, c, true)
	back.file.src.crlf = c.file.src.crlf
	back.file.saved, back.file.restored = c.file.saved, true
	if blk != nil && len(blk.entries) > 0 && blk.apply(&back) == len(blk.entries) {
		return // none of the messages of the backup exists any more
	}
	back.attachVariants(variants)
	*c = back
}

// writeRestored saves what restore added to c, and returns a warning that says so.
func (s *Store) writeRestored(c *Chat) []Warning {
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

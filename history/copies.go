package history

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
)

// copyMark is what programs that keep folders the same add to the name of a file
// of which they found two.
var copyMark = regexp.MustCompile(`(?i)(?:\.sync-conflict-\d{8}-\d{6}(?:-\w+)?|[ _-]*\([^()]*conflict[^()]*\)|[ _-]+conflicted copy[^@]*| \(\d{1,2}\)| \d{1,2})$`)

// syncedFrom is the file of which a program made the copy at p: one of all, in the
// same folder, with the name that p has without what such programs add.
func syncedFrom(p vault.Path, all []vault.Path) (vault.Path, bool) {
	base := p.Base()
	plain := copyMark.ReplaceAllString(base, "")
	if plain == base {
		return "", false
	}
	i := slices.IndexFunc(all, func(o vault.Path) bool { return o.Dir() == p.Dir() && o.Base() == plain })
	if i < 0 {
		return "", false
	}
	return all[i], true
}

// copiesOf is which of all files programs made of the one at p.
func copiesOf(p vault.Path, all []vault.Path) (copies []vault.Path) {
	for _, o := range all {
		if from, ok := syncedFrom(o, all); ok && from == p {
			copies = append(copies, o)
		}
	}
	return copies
}

// original is which of several files with the epoch is the chat; the others are
// copies of it. "" of none.
func (d identity) original(all []vault.Path) vault.Path {
	if len(all) == 0 {
		return ""
	}
	no := func(b bool) int {
		if b {
			return 0
		}
		return 1
	}
	last, _ := d.s.state.readBackup(d.epoch)
	return slices.MinFunc(all, func(a, b vault.Path) int {
		_, copyA := syncedFrom(a, all)
		_, copyB := syncedFrom(b, all)
		return cmp.Or(
			no(!copyA)-no(!copyB), no(a == last.Path)-no(b == last.Path), no(d.s.holds(a))-no(d.s.holds(b)), no(d.names(a))-no(d.names(b)),
			len(a)-len(b), strings.Compare(string(a), string(b)),
		)
	})
}

// names reports whether the name of a file says that the chat began then.
func (d identity) names(p vault.Path) bool {
	from, ok := nameTime(p.Base())
	return ok && sameSecond(from, d.epoch)
}

// tell says what other files have the identity of the chat at p, which is opened.
// of is the chat if p is a copy, which goes on as a chat of its own.
func (d identity) tell(p vault.Path) (warnings []Warning, of vault.Path) {
	all := d.known()
	if !slices.Contains(all, p) {
		all = append(all, p)
	}
	of = d.original(all)
	if o := d.s.open[d.epoch]; o != nil && d.s.exists(o.path) {
		of = o.path
	}
	if of != p {
		text := fmt.Sprintf("a copy of %s: it goes on as a chat of its own", show(string(of)))
		if _, ok := syncedFrom(p, all); ok {
			text = fmt.Sprintf("a copy of %s that a sync program left: `ibid chats merge` or /merge puts them together; else it goes on as a chat of its own", show(string(of)))
		}
		return []Warning{{Kind: "copy", Text: text}}, of
	}
	if copies := copiesOf(p, all); len(copies) > 0 {
		text := fmt.Sprintf("a sync program left a copy of this chat: %s; `ibid chats merge` or /merge puts them together", showAll(copies, ", "))
		warnings = append(warnings, Warning{Kind: "copies", Text: text})
	}
	return warnings, ""
}

// part makes c, a copy of the chat at of, a chat of its own: what both have spent
// stands in that chat.
func (d identity) part(c *Chat, of vault.Path, epoch int64) {
	if chat, _, err := d.s.loadFile(of); err == nil {
		c.Totals = beyond(c.Totals, chat.Totals)
	}
	c.renumber(epoch)
}

// own is the epoch of the copy at p as a chat of its own: the one that it is open
// with, or the first that is free.
func (d identity) own(p vault.Path) int64 {
	for epoch, o := range d.s.open {
		if o.path == p && o.file == d.epoch {
			return epoch
		}
	}
	return d.next()
}

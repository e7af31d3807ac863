package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
)

// copyMark matches what sync programs append to the name of a file when they find two versions of it.
var copyMark = regexp.MustCompile(
	`(?i)(?:\.sync-conflict-\d{8}-\d{6}(?:-\w+)?|[ _-]*\([^()]*conflict[^()]*\)|[ _-]+conflicted copy[^@]*| \(\d{1,2}\)| \d{1,2})$`)

// syncedFrom returns the file of which a sync program made the copy at p: the one of all in the same folder
// that has p's name without the program's suffix. ok is false if there is none.
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

// copiesOf returns those of all that sync programs made as copies of p.
func copiesOf(p vault.Path, all []vault.Path) (copies []vault.Path) {
	for _, o := range all {
		if from, ok := syncedFrom(o, all); ok && from == p {
			copies = append(copies, o)
		}
	}
	return copies
}

// pickOriginal returns the file of all that is the chat itself; the others, which have the same epoch, are copies
// of it. It returns "" if all is empty.
func (d identity) pickOriginal(all []vault.Path) vault.Path {
	if len(all) == 0 {
		return ""
	}
	last, _ := d.store.state.Backup(d.epoch)
	rankCopy := func(p vault.Path) (n int) {
		_, copied := syncedFrom(p, all)
		// strongest evidence first
		for _, is := range []bool{!copied, string(p) == last.Path, d.store.inChatFolder(p)} {
			if n *= 2; !is {
				n++
			}
		}
		return n
	}
	return slices.MinFunc(all, func(a, b vault.Path) int {
		return cmp.Or(rankCopy(a)-rankCopy(b), len(a)-len(b), cmp.Compare(a, b))
	})
}

// reportDuplicates warns of other files with the identity of the chat at p, which is being opened. If p is a
// copy, of is the path of the chat, and the copy has to become a chat of its own.
func (d identity) reportDuplicates(p vault.Path) (warnings []Warning, of vault.Path) {
	all := d.withEpoch()
	if !slices.Contains(all, p) {
		all = append(all, p)
	}
	of = d.pickOriginal(all)
	if o := d.store.open[d.epoch]; o != nil && d.store.exists(o.path) {
		of = o.path
	}
	if of != p {
		text := "a copy of %s: it goes on as a chat of its own"
		if _, ok := syncedFrom(p, all); ok {
			text = "a copy of %s that a sync program left: /merge puts them together; else it goes on as a chat of its own"
		}
		return warning("copy", text, displayText(of)), of
	}
	if copies := copiesOf(p, all); len(copies) > 0 {
		warnings = warning("copies",
			"a sync program left a copy of this chat: %s; /merge puts them together",
			displayPaths(copies, ", "))
	}
	return warnings, ""
}

// separate turns c, a copy of another chat, into a chat of its own with that epoch. Costs stay with the other chat.
func (c *Chat) separate(epoch int64) {
	c.Totals = nil
	c.renumber(epoch)
}

// MergeResult is a planned or finished merge of a copy into its chat.
type MergeResult struct {
	Chat, Copy vault.Path
	Added      int // number of messages of the copy that the chat lacks

	before, after []byte // the chat's file
	copied        []byte
	store         *Store
}

// String describes the merge for a person.
func (m *MergeResult) String() string {
	return fmt.Sprintf("merging %s into %s adds %d message(s) of the copy and completes those cut off; "+
		"the copy goes to the trash",
		displayText(m.Copy), displayText(m.Chat), m.Added)
}

// Copies returns the chat at p and the copies that sync programs made of it; if p is such a copy itself, the
// chat that it was made of and p. These are the arguments for PlanMerge.
func (s *Store) Copies(p vault.Path) (chat vault.Path, copies []vault.Path) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, _, err := s.loadFile(p)
	if err != nil {
		return "", nil
	}
	all := identity{s, c.Epoch}.withEpoch()
	if from, ok := syncedFrom(p, all); ok {
		return from, []vault.Path{p}
	}
	return p, copiesOf(p, all)
}

// PlanMerge prepares merging the file at copied into the chat at p. It writes nothing, and returns an error if
// they cannot be merged.
func (s *Store) PlanMerge(p, copied vault.Path) (MergeResult, error) {
	m := MergeResult{Chat: p, Copy: copied, store: s}
	c, _, err := s.loadFile(p)
	var other Chat
	if err == nil && p == copied {
		err = errors.New("it is the same file")
	}
	if err == nil {
		other, _, err = s.loadFile(copied)
	}
	if err == nil && (c.ReadOnly || other.ReadOnly) {
		err = ErrReadOnly
	}
	if err == nil {
		m.before, m.copied = c.file.saved, other.file.saved
		m.Added, err = combine(&c, &other)
	}
	if err != nil {
		return m, fmt.Errorf("merge %s into %s: %w: nothing was changed", copied, p, err)
	}
	m.after = encode(&c, c.file.version > 0 || other.file.version > 0)
	return m, nil
}

// Do carries out the planned merge. It fails if one of the files has changed since, or another process has the
// chat open.
func (m *MergeResult) Do() error {
	return m.store.claim(fmt.Sprintf("merge %s into", m.Copy), m.Chat, m.do)
}

func (m *MergeResult) do(*Chat) error {
	s := m.store
	if now, err := s.read(m.Copy); err != nil || !bytes.Equal(now, m.copied) {
		return cmp.Or(err, vault.ErrChanged)
	}
	if err := s.vault.WriteFile(m.Chat, m.after, vault.WriteOptions{Old: m.before}); err != nil {
		return err
	}
	_, err := s.vault.Trash(m.Copy)
	for e, o := range s.open {
		if o.path == m.Copy {
			err = errors.Join(err, s.releaseLock(e))
		}
	}
	return err
}

// combine merges the messages of a copy into c. Both must begin with the same messages; where both go on
// differently, each must do so with a question.
func combine(c, other *Chat) (added int, err error) {
	ours, theirs := slices.Clone(c.Messages), other.Messages
	variants, more := c.variantLines(), other.variantLines()
	ok, tk := mergeKeys(ours), mergeKeys(theirs)
	k := 0
	for ; k < min(len(ours), len(theirs)) && ok[k] == tk[k]; k++ {
		ours[k].addMissing(&theirs[k])
	}
	if k < min(len(ours), len(theirs)) && ours[k].Role == Assistant && theirs[k].Role == Assistant {
		a, b := ours[k].Text, theirs[k].Text // one of them was copied while it streamed
		switch {
		case strings.HasPrefix(a, b):
			k++
		case strings.HasPrefix(b, a):
			ours[k] = theirs[k]
			k++
		}
	}
	rest, add := ours[k:], theirs[k:]
	switch {
	case k == 0:
		return 0, errors.New("they do not begin with the same message")
	case len(rest) == 0 || len(add) == 0:
	case rest[0].Role != User || add[0].Role != User:
		return 0, fmt.Errorf("message %d is another one in each", k+1)
	case slices.ContainsFunc(add, func(m Message) bool {
		return m.Role == Assistant && slices.Contains(ok[k:], m.mergeKey())
	}):
		return 0, fmt.Errorf("from message %d on they differ and agree again", k+1)
	}
	c.Messages = slices.Concat(ours, add)
	c.mergeVariants(variants, nil, more)
	c.Title = cmp.Or(c.Title, other.Title)
	c.Tags = unique(append(slices.Clone(c.Tags), other.Tags...))
	c.Muted, c.Forgotten = unique(append(c.Muted, other.Muted...)), unique(append(c.Forgotten, other.Forgotten...))
	c.file.src = c.file.src.withMissing(other.file.src)
	return len(add), nil
}

// addMissing adds to m what only the copy of the message has.
func (m *Message) addMissing(copied *Message) {
	if !strings.Contains(m.After, copied.After) {
		m.After = strings.Trim(m.After+"\n\n"+copied.After, "\n")
	}
	if m.Context.Empty() {
		m.Context = copied.Context
	}
	if len(m.Meta.Items) == 0 {
		m.Meta = copied.Meta
	}
	if len(m.Notes) == 0 {
		m.Notes = copied.Notes
	}
}

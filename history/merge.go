package history

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Merging. Both sides started from base: we changed the end of it (a reply that streams, new turns, or
// everything from an edited message on), somebody else changed the file. The messages that we changed are
// searched in their version; what they have before them stays theirs, what they appended after them is kept
// after them, and our new messages end the chat. If they changed the same messages, or removed the last message
// of base, there is no way to merge: that is a conflict.

// mergeKey returns a hash that is the same after other programs rewrote the message: it ignores white space at the
// ends and the kind of line ends.
func (m *Message) mergeKey() string {
	return messageHash(m.Role, strings.ReplaceAll(strings.TrimSpace(m.Text), "\r\n", "\n"))
}

func mergeKeys(all []Message) []string {
	k := make([]string, len(all))
	for i := range all {
		k[i] = all[i].mergeKey()
	}
	return k
}

// merge applies the changes from base to theirs to c. It returns false, with c unchanged, if they conflict.
func merge(c, base, theirs *Chat) bool {
	ours, b, t := c.Messages, base.Messages, theirs.Messages
	ok, bk, tk := mergeKeys(ours), mergeKeys(b), mergeKeys(t)
	p := 0
	for p < len(bk) && p < len(ok) && bk[p] == ok[p] {
		p++
	}
	// tail is the index in base and ours of the first message that we changed. When we only appended, it is the
	// last common message, which anchors the search.
	tail := p
	if tail == len(bk) && tail > 0 {
		tail--
	}
	at := lastRun(tk, bk[tail:])
	if at < 0 && p == len(bk) && len(tk) >= len(bk) {
		tail, at = p, len(tk) // they edited the last message, and we only appended
	}
	if at < 0 {
		return false
	}
	run := len(bk) - tail
	same := min(run, len(ours)-tail)
	merged := make([]Message, 0, len(ours)+len(t))
	for i, j := range align(tk[:at], ok[:tail]) {
		if j < 0 {
			merged = append(merged, t[i])
		} else {
			merged = append(merged, mergeMessage(ours[j], b[j], t[i]))
		}
	}
	for k := range same {
		merged = append(merged, mergeMessage(ours[tail+k], b[tail+k], t[at+k]))
	}
	for k := same; k < run; k++ { // we removed messages, but text that they wrote below one stays
		keepAfter(merged, t[at+k].After, b[tail+k].After)
	}
	merged = append(merged, t[at+run:]...)
	merged = append(merged, ours[tail+same:]...)
	mergeProperties(c, base, theirs, theirs.file.version == 0 && base.file.version != 0)
	variants := c.variantLines()
	c.Messages = merged
	c.mergeVariants(variants, base.variantLines(), theirs.variantLines())
	return true
}

// lastRun returns the index of the last occurrence of run in keys, -1 if there is none. An empty run is at the
// end.
func lastRun(keys, run []string) int {
	for at := len(keys) - len(run); at >= 0; at-- {
		if slices.Equal(keys[at:at+len(run)], run) {
			return at
		}
	}
	return -1
}

// mergeMessage returns our version of a message with their changes of its context and of the text below it.
func mergeMessage(ours, base, theirs Message) Message {
	if ours.Text == theirs.Text {
		ours.src = theirs.src
	}
	if theirs.After != base.After {
		ours.After = theirs.After
	}
	if !theirs.Context.equal(&base.Context) {
		ours.Context = theirs.Context
	}
	return ours
}

// keepAfter appends text that was written below a removed message to the last message that stays.
func keepAfter(merged []Message, after, before string) {
	if after == before || len(merged) == 0 {
		return
	}
	last := &merged[len(merged)-1]
	last.After = strings.Trim(last.After+"\n\n"+after, "\n")
}

func (c *Context) equal(d *Context) bool {
	other := d.lists()
	for i, list := range c.lists() {
		if !slices.Equal(*list, *other[i]) {
			return false
		}
	}
	return c.Active == d.Active && slices.Equal(c.Other, d.Other)
}

// mergeProperties applies their changes of the properties and of the text above the messages. rewritten says
// that another program wrote the file: then missing properties are those that it does not know, and are kept.
func mergeProperties(c, base, theirs *Chat, rewritten bool) {
	take := func(mine *string, was, is string) {
		if is != was && !(rewritten && is == "") {
			*mine = is
		}
	}
	take(&c.Title, base.Title, theirs.Title)
	if theirs.Accessed != base.Accessed && theirs.Accessed != 0 {
		c.Accessed = theirs.Accessed
	}
	if rewritten {
		c.file.src = cmp.Or(c.file.src, base.file.src).withMissing(theirs.file.src)
		return
	}
	c.file.src = theirs.file.src
	if !slices.Equal(base.Tags, theirs.Tags) {
		c.Tags = theirs.Tags
	}
	if base.Pinned != theirs.Pinned {
		c.Pinned = theirs.Pinned
	}
	was, is := base.ownTexts(), theirs.ownTexts()
	for i, p := range c.ownTexts() {
		take(p.text, *was[i].text, *is[i].text)
	}
	take(&c.ModelKey, base.ModelKey, theirs.ModelKey)
}

// align matches the messages of a file with the entries of its block by hash, in order, as many as possible:
// match[i] is the entry of message i, or -1.
func align(messages, entries []string) (match []int) {
	match = make([]int, len(messages))
	i, j := 0, 0
	common := func(end int) {
		for ; i < end; i, j = i+1, j+1 {
			match[i] = j
		}
	}
	if slices.Equal(messages, entries) { // as in every chat that nobody has edited
		common(len(messages))
		return match
	}
	for _, d := range lcs.DiffLines(messages, entries) {
		for common(d.Start); i < d.End; i++ {
			match[i] = -1
		}
		j = d.ReplEnd
	}
	common(len(messages))
	return match
}

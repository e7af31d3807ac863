package transcript

import (
	"iter"
	"math"
)

// MessagesFrom yields the messages of t from the n-th on, with streamed text.
func MessagesFrom(t *Transcript, n int) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		for _, it := range t.items[min(n, len(t.items)):] {
			if !yield(it.message()) {
				return
			}
		}
	}
}

// Version returns a number that changes whenever a message of t is added, replaced, completed or
// removed. It stays the same while text is streamed into one.
func Version(t *Transcript) int { return t.edits }

// Reload replaces all messages by those of the same conversation, read again. If the user has scrolled
// up, the top message stays.
func Reload(t *Transcript, ms []Message) {
	pos, follow := t.pos, t.follow
	said := 0 // messages of the conversation above it
	for _, it := range t.items[:min(pos.item, len(t.items))] {
		if it.Role == You || it.Role == Assistant {
			said++
		}
	}
	t.Reset(ms)
	if follow {
		return
	}
	for i, it := range t.items {
		switch {
		case it.Role != You && it.Role != Assistant:
			continue
		case said == 0:
			t.stopFollowing()
			t.pos = position{i, pos.line}
			t.settle()
			return
		}
		said--
	}
}

// Mark is a place between blocks: below a number of messages, and a number of blocks of the next one.
type Mark struct{ Message, Blocks int }

// StableMark returns the place below all blocks of the streaming reply that will not change. It is the
// zero Mark if no reply streams, or no block of it is complete.
func StableMark(t *Transcript) Mark {
	last := len(t.items) - 1
	if last < 0 || !t.items[last].stream || t.width == 0 {
		return Mark{}
	}
	t.refresh()
	if n := t.items[last].view.Closed(); n > 0 {
		return Mark{last, n}
	}
	return Mark{}
}

// StepMark returns a place after from and not after to, with n lines between them, or a few more: the next
// place between blocks.
func StepMark(t *Transcript, from, to Mark, n int) Mark {
	if t.width == 0 {
		return to
	}
	t.refresh()
	at := from
	for n > 0 && (at.Message < to.Message || at.Message == to.Message && at.Blocks < to.Blocks) {
		begin, end := at, t.itemHeight(at.Message)
		it := t.items[at.Message]
		if at.Blocks++; at.Message < to.Message && (it.view == nil || at.Blocks >= it.view.Closed()) {
			at = Mark{at.Message + 1, 0}
		} else {
			end = lineBelowBlocks(t, at.Message, at.Blocks)
		}
		n -= end - lineBelowBlocks(t, begin.Message, begin.Blocks)
	}
	return at
}

// LastLines returns the last lines below a place, at most n, as View shows them at the end. It lays out
// nothing that they do not need.
func LastLines(t *Transcript, from Mark, n int) []string {
	return lines(t, from, Mark{len(t.items), 0}, n)
}

// LinesBetween returns the lines between two places. A streaming reply gets the header of a complete
// one.
func LinesBetween(t *Transcript, from, to Mark) []string {
	if last := len(t.items) - 1; to.Message == last && t.items[last].stream {
		t.refresh()
		it := t.items[last]
		kept := it.Status
		it.Status = Complete
		it.stale = true
		t.layOut(it)
		defer func() { it.Status = kept; t.invalidate(it) }()
	}
	return lines(t, from, to, math.MaxInt)
}

// lines returns the last lines between two places, at most n.
func lines(t *Transcript, from, to Mark, n int) []string {
	if t.width == 0 {
		return nil
	}
	t.refresh()
	var parts [][]string
	for i := min(to.Message, len(t.items)-1); i >= max(from.Message, 0) && n > 0; i-- {
		begin, end := 0, t.itemHeight(i)
		if i == from.Message && from.Blocks > 0 {
			begin = min(lineBelowBlocks(t, i, from.Blocks), end)
		}
		if i == to.Message {
			end = min(lineBelowBlocks(t, i, to.Blocks), end)
		}
		part := make([]string, 0, max(end-begin, 0))
		for line := max(begin, end-n); line < end; line++ {
			t.items[i].colour(line-t.gapOf(i), true)
			part = append(part, t.visible(itemLine{t.items[i], line - t.gapOf(i)}, false))
		}
		parts = append(parts, part)
		n -= len(part)
	}
	var all []string
	for i := len(parts) - 1; i >= 0; i-- {
		all = append(all, parts[i]...)
	}
	return all
}

// lineBelowBlocks returns the line of item i below its first blocks, 0 for none of them.
func lineBelowBlocks(t *Transcript, i, blocks int) int {
	it := t.items[i]
	if blocks == 0 || it.view == nil {
		return 0
	}
	return t.gapOf(i) + len(it.head) + it.view.EndOf(blocks)
}

// FollowsEnd reports whether the view follows new text at the end of t.
func FollowsEnd(t *Transcript) bool { return t.follow }

package transcript

import (
	"iter"
	"math"
	"slices"
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

// LinesOf returns the lines of the n-th message.
func LinesOf(t *Transcript, n int) []string { return lines(t, n, n+1, math.MaxInt) }

// LastLines returns the last lines of the messages from the n-th on, at most most, as View shows them at the end.
// It lays out nothing that they do not need.
func LastLines(t *Transcript, n, most int) []string { return lines(t, n, len(t.items), most) }

// lines returns the last lines of the messages from..to, at most most.
func lines(t *Transcript, from, to, most int) []string {
	if t.width == 0 {
		return nil
	}
	t.refresh()
	var parts [][]string
	for i := to - 1; i >= from && most > 0; i-- {
		end := t.itemHeight(i)
		var part []string
		for line := max(0, end-most); line < end; line++ {
			t.items[i].colour(line-t.gapOf(i), true)
			part = append(part, t.visible(itemLine{t.items[i], line - t.gapOf(i)}, false))
		}
		parts = append(parts, part)
		most -= len(part)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// FollowsEnd reports whether the view follows new text at the end of t.
func FollowsEnd(t *Transcript) bool { return t.follow }

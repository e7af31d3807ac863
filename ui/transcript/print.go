package transcript

import "iter"

// All are the messages of t in order, each with what was streamed into it.
func All(t *Transcript) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		for _, it := range t.items {
			if !yield(it.message()) {
				return
			}
		}
	}
}

// Reload replaces all messages by those of the same conversation, read again. Who has
// scrolled up stays at the message that was on top.
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
			t.leave()
			t.pos = position{i, pos.line}
			t.settle()
			return
		}
		said--
	}
}

// Tail returns the last lines, at most n, of the messages from the first-th on, as
// View shows them at the end; nothing is laid out that they do not need.
func Tail(t *Transcript, first, n int) []string {
	if t.width == 0 {
		return nil
	}
	t.refresh()
	var parts [][]string
	for i := len(t.items) - 1; i >= max(first, 0) && n > 0; i-- {
		h := t.itemHeight(i)
		from := max(h-n, 0)
		lines := make([]string, 0, h-from)
		for line := from; line < h; line++ {
			lines = append(lines, t.visible(position{i, line}, false))
		}
		parts = append(parts, lines)
		n -= len(lines)
	}
	var all []string
	for i := len(parts) - 1; i >= 0; i-- {
		all = append(all, parts[i]...)
	}
	return all
}

// Following reports whether the end of t is shown, also when more comes.
func Following(t *Transcript) bool { return t.follow }

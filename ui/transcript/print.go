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

package prompt

// tape is an append-only list whose older values stay valid: pushing to a tape
// gives a new tape and leaves the old one as it was. Tapes that grew from each
// other share their memory; pushing to an old one (after a rollback, say)
// copies it first. The zero value is an empty tape.
//
// It exists so that every turn can keep its own conversation value without
// copying the conversation: a push is amortised O(1).
type tape[T any] struct {
	buf *[]T
	n   int
}

func (t tape[T]) push(x T) tape[T] {
	if t.buf == nil {
		t.buf = new([]T)
	} else if len(*t.buf) != t.n {
		fork := make([]T, t.n, t.n+8)
		copy(fork, *t.buf)
		t.buf = &fork
	}
	*t.buf = append(*t.buf, x)
	return tape[T]{t.buf, t.n + 1}
}

func (t tape[T]) len() int { return t.n }

// all is the list; the caller must not change it.
func (t tape[T]) all() []T {
	if t.buf == nil {
		return nil
	}
	return (*t.buf)[:t.n:t.n]
}

package prompt

// tape is an append-only list whose older values stay valid: pushing returns a new tape and leaves the old one
// unchanged. Tapes derived from each other share memory; pushing to an old one, for instance after a rollback,
// copies it first. The zero value is an empty tape.
//
// It lets every turn keep its own conversation value without copying the conversation: a push is amortised O(1).
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

// all returns the list, which the caller must not change.
func (t tape[T]) all() []T {
	if t.buf == nil {
		return nil
	}
	return (*t.buf)[:t.n:t.n]
}

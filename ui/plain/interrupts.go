package plain

import "sync"

// Interrupts passes presses of ctrl+c to the part of the program that takes them. Its methods may be called from
// any goroutine.
type Interrupts struct {
	mu sync.Mutex
	to chan struct{} // nil while nothing takes them
}

// Press reports whether a press was taken; else it is to end the program. One that
// comes before the last one was looked at is not taken.
func (i *Interrupts) Press() (taken bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	select {
	case i.to <- struct{}{}:
		return true
	default:
		return false
	}
}

// Take sends presses to a channel until release is called.
func (i *Interrupts) Take() (presses <-chan struct{}, release func()) {
	to := make(chan struct{}, 1)
	set := func(to chan struct{}) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.to = to
	}
	set(to)
	return to, func() { set(nil) }
}

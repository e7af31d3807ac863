package routine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Panic is the panic of a goroutine.
type Panic struct {
	Value any
	Stack []byte // stack of that goroutine
}

// String returns the value and the stack, which the process prints if nothing recovers.
func (p *Panic) String() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// NewPanic returns a Panic for a value from recover, nil for nil. A Panic that came from another goroutine
// keeps its stack. The deferred function must call it directly.
func NewPanic(v any) *Panic {
	if v == nil {
		return nil
	}
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack()}
}

// Call calls f, and returns its panic, nil if there was none.
func Call(f func()) (p *Panic) {
	defer func() { p = NewPanic(recover()) }()
	f()
	return nil
}

// Catch is for defer: it turns a panic into an error, so that it costs one note or query of many.
func Catch(err *error) {
	if p := NewPanic(recover()); p != nil {
		*err = fmt.Errorf("a fault of ibid: %v", p.Value)
	}
}

// Await returns the result of f, or the error of ctx if that ends first. Then f continues, since it cannot be
// stopped, and its goroutine ends with it.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() { done <- a }()
		defer Catch(&a.err)
		a.value, a.err = f()
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Group is a group of goroutines that can be waited for. The zero value is empty. It must not be copied.
type Group struct {
	// Stop tells the other goroutines to end when one panics, so that Wait returns. It is called once for each
	// panic, in the goroutine that panicked. If it is nil, the others run to their end.
	Stop func()

	running sync.WaitGroup
	mu      sync.Mutex
	first   *Panic // the first panic, until Wait has passed it on
}

// Go calls f in a goroutine.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		p := Call(f)
		if p == nil {
			return
		}
		g.mu.Lock()
		if g.first == nil {
			g.first = p
		}
		g.mu.Unlock()
		if g.Stop != nil {
			g.Stop()
		}
	})
}

// Wait returns when all goroutines have ended. If one of them panicked, Wait panics with its *Panic, once.
func (g *Group) Wait() {
	g.running.Wait()
	g.mu.Lock()
	p := g.first
	g.first = nil
	g.mu.Unlock()
	if p != nil {
		panic(p)
	}
}

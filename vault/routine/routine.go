package routine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Panic is what a goroutine panicked with.
type Panic struct {
	Value any
	Stack []byte // of that goroutine
}

// String is the value and the stack: what the process ends with if nothing recovers.
func (p *Panic) String() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// NewPanic is a Panic of what recover returned, nil for nil. One that came from
// another goroutine has the stack of that one. It is called by the deferred function.
func NewPanic(v any) *Panic {
	if v == nil {
		return nil
	}
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack()}
}

// Call calls f, and returns what f panicked with, nil if it did not.
func Call(f func()) (p *Panic) {
	defer func() { p = NewPanic(recover()) }()
	f()
	return nil
}

// Catch is deferred where a panic is to be an error: of one note or query of many.
func Catch(err *error) {
	if p := NewPanic(recover()); p != nil {
		*err = fmt.Errorf("a fault of ibid: %v", p.Value)
	}
}

// Await is what f returns, unless ctx ends first. Then f, which cannot be stopped, is left
// to itself, and its goroutine ends when it does.
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

// Group is goroutines that are waited for. The zero value is an empty one. It must not
// be copied.
type Group struct {
	// Stop ends the others once one panics, so that Wait returns. It is called by
	// that goroutine, once for each that panics. Nil leaves them to their end.
	Stop func()

	running sync.WaitGroup
	mu      sync.Mutex
	first   *Panic // that Wait has not passed on
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

// Wait returns when all goroutines have ended. If one of them panicked, Wait panics
// with a *Panic, once.
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

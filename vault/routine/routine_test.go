package routine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibid/vault/routine"
)

func fails() { panic("oh") }

// TestGroup: what one goroutine panics with reaches whoever waits, once, with its stack,
// after the others were stopped.
func TestGroup(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	g := routine.Group{Stop: stop}
	ended := false
	g.Go(func() {
		<-ctx.Done()
		ended = true
	})
	g.Go(fails)
	p := routine.Call(g.Wait)
	if p == nil || p.Value != "oh" || !strings.Contains(string(p.Stack), "routine_test.fails") || !ended {
		t.Errorf("Wait panicked with %v, the other has ended: %v", p, ended)
	}
	if p := routine.Call(g.Wait); p != nil {
		t.Errorf("and again with %v", p)
	}
}

// TestGroupInGroup: the stack is that of the goroutine that failed.
func TestGroupInGroup(t *testing.T) {
	var outer routine.Group
	outer.Go(func() {
		var inner routine.Group
		inner.Go(fails)
		inner.Wait()
	})
	if p := routine.Call(outer.Wait); p == nil || p.Value != "oh" || !strings.Contains(p.String(), "routine_test.fails") {
		t.Errorf("Wait panicked with %v", p)
	}
}

func ExampleGroup() {
	var g routine.Group
	g.Go(func() { panic("a fault") })
	defer func() { fmt.Println(routine.NewPanic(recover()).Value) }()
	g.Wait()
	// Output: a fault
}

// TestAwait: what hangs is left to itself, and what panics is an error.
func TestAwait(t *testing.T) {
	if n, err := routine.Await(t.Context(), func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := routine.Await(t.Context(), func() (int, error) { fails(); return 0, nil }); err == nil ||
		!strings.Contains(err.Error(), "oh") {
		t.Errorf("a panic is %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	hangs := make(chan struct{})
	defer close(hangs)
	stop()
	if _, err := routine.Await(ctx, func() (int, error) { <-hangs; return 0, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("what hangs is %v", err)
	}
}

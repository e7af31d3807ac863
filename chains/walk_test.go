package chains_test

import (
	"errors"
	"sync"
	"testing"

	"ibid/chains"
)

func TestWalk(t *testing.T) {
	var w chains.Walk
	walks, version := 0, uint64(1)
	walk := func() error { walks++; return nil }
	current := func() uint64 { return version }
	need := func(when string, want int) {
		t.Helper()
		if _, err := w.Make(walk, current); err != nil || walks != want {
			t.Errorf("%s: %d walks, want %d (%v)", when, walks, want, err)
		}
	}
	var calls sync.WaitGroup
	for range 16 {
		calls.Go(func() { _, _ = w.Make(walk, current) })
	}
	calls.Wait()
	need("calls that began together", 1)
	version++
	need("after a write", 2)
	need("after that", 2)
	begun := w.Begun()
	w.Expire(begun)
	need("after a note was found gone", 3)
	w.Expire(begun)
	need("what another call found before this walk", 3)
	version++
	if _, err := w.Make(func() error { return errors.New("broken") }, current); err == nil {
		t.Error("no error")
	}
	need("after a walk that failed", 4)

	for range 2 {
		made, err := (*chains.Walk)(nil).Make(walk, current)
		if !made || err != nil {
			t.Errorf("without a Walk: %v, %v", made, err)
		}
	}
	need("each call without a Walk makes its own, which this one does not know", 6)
}

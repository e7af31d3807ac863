package ui_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"ibid/chains"
)

// slowly pulls a model in ten seconds; one called lost breaks off.
func slowly(ctx context.Context, name string) iter.Seq2[chains.Progress, error] {
	return func(yield func(chains.Progress, error) bool) {
		for i := range int64(11) {
			if !yield(chains.Progress{Doing: "pulling", Done: i * 1e9, Total: 10e9}, nil) {
				return
			}
			select {
			case <-ctx.Done():
				yield(chains.Progress{}, ctx.Err())
				return
			case <-time.After(time.Second):
			}
			if name == "lost" && i == 2 {
				yield(chains.Progress{}, errors.New("the pull broke off"))
				return
			}
		}
	}
}

// loader is a model that has to be loaded first, which takes a while.
type loader struct{}

func (loader) Stream(ctx context.Context, _ chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		if !yield(chains.Delta{Notice: "the server loads the model"}, nil) {
			return
		}
		select {
		case <-ctx.Done():
			yield(chains.Delta{}, ctx.Err())
		case <-time.After(4 * time.Second):
			yield(chains.Delta{Text: "Thirds.", Finish: chains.FinishStop}, nil)
		}
	}
}

// TestProviderNotice: what the server does before the first word is said while it
// does it, and stays below the reply.
func TestProviderNotice(t *testing.T) {
	playOn(t, 100, 30, rigWith(band, func(g *rig) {
		g.store, g.desk = g.open(g.t, loader{}, "test-model")
	}), func(r *stage) {
		start := r.now()
		r.Ask("what shall I practise", "the server loads the model")
		if wait := r.now().Sub(start); wait > 3*time.Second {
			r.Errorf("it was said after %v", wait)
		}
		r.WaitFor("Thirds.")
		r.Want("· the server loads the model")
	})
}

package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// work is what a command does: it is made from values and answers with a message.
type work func(ctx context.Context) tea.Msg

// crew makes commands of work. All of it can be ended, and waited for.
type crew struct {
	begin func(work) tea.Cmd // lives until the crew stops

	// scope is begin for work that can be ended before.
	scope func() (begin func(work) tea.Cmd, cancel context.CancelFunc)

	stop func() // ends all work and waits for it; what has not begun never does
}

func newCrew(ctx context.Context) crew {
	ctx, cancel := context.WithCancel(ctx)
	var mu sync.Mutex // taken by commands, never by Update
	var running sync.WaitGroup
	stopped := false
	enter := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if !stopped {
			running.Add(1)
		}
		return !stopped
	}
	within := func(ctx context.Context) func(work) tea.Cmd {
		return func(w work) tea.Cmd {
			return func() tea.Msg {
				if !enter() {
					return nil
				}
				defer running.Done()
				return w(ctx)
			}
		}
	}
	return crew{
		begin: within(ctx),
		scope: func() (func(work) tea.Cmd, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			return within(ctx), cancel
		},
		stop: func() {
			cancel()
			mu.Lock()
			stopped = true
			mu.Unlock()
			running.Wait()
		},
	}
}

// after sends msg when d has passed.
func (c crew) after(d time.Duration, msg tea.Msg) tea.Cmd {
	return c.begin(func(ctx context.Context) tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			return msg
		}
	})
}

package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// work is what a command does: it is made from values and answers with a message.
type work func(ctx context.Context) tea.Msg

// tasks makes commands of work. All of it can be ended, and waited for.
type tasks struct {
	// ctx ends the work. It is kept because commands are made in one place and
	// run in another, by Bubble Tea, which hands them no context.
	ctx    context.Context
	cancel context.CancelFunc
	all    *running

	last context.CancelFunc // of latest, nil if nothing was begun
}

// running counts the work of all scopes.
type running struct {
	done   <-chan struct{}   // closed when all of it ends
	fail   func(*PanicError) // ends the program; nil lets panics pass
	mu     sync.Mutex        // taken by commands, never by Update
	wg     sync.WaitGroup
	closed bool
}

func newTasks(ctx context.Context) *tasks {
	ctx, cancel := context.WithCancel(ctx)
	return &tasks{ctx: ctx, cancel: cancel, all: &running{done: ctx.Done()}}
}

// scope makes tasks that can be ended before the others, by their cancel.
func (t *tasks) scope() *tasks {
	ctx, cancel := context.WithCancel(t.ctx)
	return &tasks{ctx: ctx, cancel: cancel, all: t.all}
}

// start is the command that does the work; nothing of it runs before.
func (t *tasks) start(w work) tea.Cmd {
	return func() tea.Msg {
		if !t.all.enter() {
			return nil
		}
		defer t.all.wg.Done()
		defer t.all.catch()
		return w(t.ctx)
	}
}

// latest is start for work of which only the last counts: what it began before is
// ended. nil only ends that.
func (t *tasks) latest(w work) tea.Cmd {
	if t.last != nil {
		t.last()
		t.last = nil
	}
	if w == nil {
		return nil
	}
	s := t.scope()
	t.last = s.cancel
	return s.start(w)
}

// after sends msg when d has passed.
func (t *tasks) after(d time.Duration, msg tea.Msg) tea.Cmd {
	return t.start(delayed(d, func() tea.Msg { return msg }))
}

// delayed makes a message when d has passed.
func delayed(d time.Duration, message func() tea.Msg) work {
	return func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return message()
		}
	}
}

// close ends all work and waits for it; what has not begun never does.
func (t *tasks) close() {
	t.cancel()
	t.all.mu.Lock()
	t.all.closed = true
	t.all.mu.Unlock()
	t.all.wg.Wait()
}

// enter counts one more piece of work, unless all of it was ended.
func (r *running) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Add(1)
	}
	return !r.closed
}

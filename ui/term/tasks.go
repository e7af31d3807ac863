package term

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Work is what a command does: it is made from values and answers with a message.
type Work func(ctx context.Context) tea.Msg

// Tasks makes commands of work. All of it can be ended, and waited for.
type Tasks struct {
	// ctx ends the work. It is kept because commands are made in one place and
	// run in another, by Bubble Tea, which hands them no context.
	ctx    context.Context
	Cancel context.CancelFunc
	all    *runningWork

	last context.CancelFunc // of latest, nil if nothing was begun
}

// runningWork counts the work of all scopes.
type runningWork struct {
	done   <-chan struct{}   // closed when all of it is to end
	fail   func(*PanicError) // ends the program; nil lets panics pass
	mu     sync.Mutex        // taken by commands, never by Update
	wg     sync.WaitGroup
	closed bool
}

// NewTasks makes tasks that end with ctx.
func NewTasks(ctx context.Context) *Tasks {
	ctx, cancel := context.WithCancel(ctx)
	return &Tasks{ctx: ctx, Cancel: cancel, all: &runningWork{done: ctx.Done()}}
}

// Scope makes tasks that can be ended before the others, by their cancel.
func (t *Tasks) Scope() *Tasks {
	ctx, cancel := context.WithCancel(t.ctx)
	return &Tasks{ctx: ctx, Cancel: cancel, all: t.all}
}

// Start is the command that does the work; nothing of it runs before.
func (t *Tasks) Start(w Work) tea.Cmd {
	return func() tea.Msg {
		if !t.all.enter() {
			return nil
		}
		defer t.all.wg.Done()
		defer t.Catch()
		return w(t.ctx)
	}
}

// Latest is start for work of which only the last counts: what it began before is
// ended. nil only ends that.
func (t *Tasks) Latest(w Work) tea.Cmd {
	if t.last != nil {
		t.last()
		t.last = nil
	}
	if w == nil {
		return nil
	}
	s := t.Scope()
	t.last = s.Cancel
	start := s.Start(w)
	return func() tea.Msg { return latestAnswer{s.ctx, start()} }
}

// latestAnswer is what work of Latest answered.
type latestAnswer struct {
	ctx context.Context
	msg tea.Msg
}

// Current is a message as it is to be handled: nil for an answer of work that Latest has
// ended since, which may come behind the answer of what was begun later.
func Current(msg tea.Msg) tea.Msg {
	a, ok := msg.(latestAnswer)
	switch {
	case !ok:
		return msg
	case a.ctx.Err() != nil:
		return nil
	}
	return a.msg
}

// After sends msg when d has passed.
func (t *Tasks) After(d time.Duration, msg tea.Msg) tea.Cmd {
	return t.Start(MessageAfter(d, func() tea.Msg { return msg }))
}

// MessageAfter makes a message when d has passed.
func MessageAfter(d time.Duration, message func() tea.Msg) Work {
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

// Done is closed when all work is to end.
func (t *Tasks) Done() <-chan struct{} { return t.all.done }

// Close ends all work and waits for it; what has not begun never does.
func (t *Tasks) Close() {
	t.Cancel()
	t.all.mu.Lock()
	t.all.closed = true
	t.all.mu.Unlock()
	t.all.wg.Wait()
}

// enter counts one more piece of work, unless all of it was ended.
func (r *runningWork) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Add(1)
	}
	return !r.closed
}

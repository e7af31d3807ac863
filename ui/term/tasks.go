package term

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Work runs in the background and returns a message. It may use only values, not the state of the loop.
type Work func(ctx context.Context) tea.Msg

// Tasks makes commands from work. All work can be canceled and waited for.
type Tasks struct {
	// ctx cancels the work. It is stored because commands are made in one place and run in another, by
	// Bubble Tea, which passes them no context.
	ctx    context.Context
	Cancel context.CancelFunc
	all    *runningWork

	last context.CancelFunc // cancels the last work of Latest, nil if there was none
}

// runningWork counts the work of all scopes.
type runningWork struct {
	done   <-chan struct{}   // closed when all work is canceled
	fail   func(*PanicError) // handles panics of the loop; nil lets them pass
	mu     sync.Mutex        // locked by commands, never by Update
	wg     sync.WaitGroup
	closed bool
}

// NewTasks returns tasks that are canceled with ctx.
func NewTasks(ctx context.Context) *Tasks {
	ctx, cancel := context.WithCancel(ctx)
	return &Tasks{ctx: ctx, Cancel: cancel, all: &runningWork{done: ctx.Done()}}
}

// Scope returns tasks that can be canceled before the others, with their Cancel.
func (t *Tasks) Scope() *Tasks {
	ctx, cancel := context.WithCancel(t.ctx)
	return &Tasks{ctx: ctx, Cancel: cancel, all: t.all}
}

// Start returns a command that does the work when Bubble Tea runs it. Its message is a *Fault if the work panics.
func (t *Tasks) Start(w Work) tea.Cmd {
	w = w.Guarded(func(f *Fault) tea.Msg { return f }, "stopped work in the background")
	return func() tea.Msg {
		if !t.all.enter() {
			return nil
		}
		defer t.all.wg.Done()
		return w(t.ctx)
	}
}

// Guarded returns work whose panic is a message: what instead returns for the fault.
func (w Work) Guarded(instead func(*Fault) tea.Msg, effect string) Work {
	return func(ctx context.Context) (msg tea.Msg) {
		if f := Guard(effect, func() { msg = w(ctx) }); f != nil {
			return instead(f)
		}
		return msg
	}
}

// Latest is like Start for work that replaces the last work of Latest, which it cancels. A nil w only
// cancels it.
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

// latestAnswer is the message of work started by Latest.
type latestAnswer struct {
	ctx context.Context
	msg tea.Msg
}

// Current returns the message to handle: nil for an answer of work that Latest has canceled, because
// such an answer can arrive after that of the later work.
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

// After sends msg after d.
func (t *Tasks) After(d time.Duration, msg tea.Msg) tea.Cmd {
	return t.Start(Work(func(context.Context) tea.Msg { return msg }).After(d))
}

// After returns work that waits for d first.
func (w Work) After(d time.Duration) Work {
	return func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return w(ctx)
		}
	}
}

// Done is closed when all work is canceled.
func (t *Tasks) Done() <-chan struct{} { return t.all.done }

// Close cancels all work and waits for it. Work that has not begun never runs.
func (t *Tasks) Close() {
	t.Cancel()
	t.all.mu.Lock()
	t.all.closed = true
	t.all.mu.Unlock()
	t.all.wg.Wait()
}

// enter counts the beginning of some work; false if the tasks are closed.
func (r *runningWork) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Add(1)
	}
	return !r.closed
}

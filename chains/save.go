package chains

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ibid/history"
)

// A reply is safe in the journal within a second. The note is written at the start and the end of the turn, and in
// between only if all writes together are at most twice the reply, so that a small reply in a long chat does not
// rewrite the chat over and over. Without a journal the note is the only copy, and is written every second.
const (
	saveEvery          = 3 * time.Second
	saveWithoutJournal = time.Second
)

// retryEvery is the time between two attempts to save a chat.
const retryEvery = 5 * time.Second

// gate is the lock of a session. It fails instead of blocking, except that callers wait for a running background
// save, and a turn waits for other methods.
type gate struct {
	sync.Mutex
	background sync.Mutex
	turn       atomic.Bool // a turn runs
}

// enter takes the lock for a turn, and returns false if another turn runs; leave releases it.
func (g *gate) enter() bool {
	if !g.turn.CompareAndSwap(false, true) {
		return false
	}
	g.Lock()
	return true
}

func (g *gate) leave() {
	g.Unlock()
	g.turn.Store(false)
}

// TryLock takes the lock, or returns false if a turn or another method has it.
func (g *gate) TryLock() bool {
	g.background.Lock()
	defer g.background.Unlock()
	return g.Mutex.TryLock()
}

// whenIdle calls do with the lock of the session, or returns ErrBusy.
func whenIdle[T any](s *Session, do func() (T, error)) (v T, err error) {
	if !s.busy.TryLock() {
		return v, ErrBusy
	}
	defer s.busy.Unlock()
	return do()
}

// save writes the chat, if it has a store and is not read-only, and publishes the new state. keepTrying and Close
// retry a failed save.
func (s *Session) save() ([]history.Warning, error) {
	defer s.publish()
	if s.opts.Store == nil || s.chat.ReadOnly {
		return nil, nil
	}
	if a, ok := s.conv.Arrangement(); ok && !s.stale {
		s.chat.Sent = history.LastRequest{At: s.sentAt, Arrangement: a}
	}
	was := s.chat.Messages
	warnings, err := s.opts.Store.Save(&s.chat)
	if err == nil && s.unsaved != nil {
		s.unsaved.Stop()
		s.unsaved = nil
	}
	if slices.ContainsFunc(warnings, func(w history.Warning) bool { return w.Kind == "merged" }) &&
		!sameTranscript(was, s.chat.Messages) {
		s.dropEarlierStates()
	}
	return warnings, err
}

// keepTrying starts to retry a failed save. Close stops the timer, and waits for an attempt that is running.
func (s *Session) keepTrying() {
	if s.unsaved == nil {
		s.unsaved = time.AfterFunc(retryEvery, s.tryAgain)
		s.publish()
	}
}

func (s *Session) tryAgain() {
	s.busy.background.Lock()
	defer s.busy.background.Unlock()
	if !s.busy.Mutex.TryLock() { // a turn runs: it saves the chat itself, and that may fail, too
		time.AfterFunc(retryEvery, s.tryAgain)
		return
	}
	defer s.busy.Unlock()
	if s.unsaved == nil {
		return
	}
	if _, err := s.save(); err != nil {
		s.unsaved.Reset(retryEvery)
	}
}

// UnsavedError is the error that a chat could not be saved, with the file that its text was written to instead.
type UnsavedError struct {
	Path string // of the file written instead, "" if that failed, too
	Err  error
}

func (e *UnsavedError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("the chat could not be saved: %v", e.Err)
	}
	return fmt.Sprintf("the chat could not be saved (%v); the next start offers it, and all of it is in %s",
		e.Err, e.Path)
}

func (e *UnsavedError) Unwrap() error { return e.Err }

// Close saves a chat whose last save failed. If that fails again, it writes the chat to another place and returns
// an *UnsavedError. It waits up to a second for a running turn, then returns ErrBusy, and cancels a running
// summary.
func (s *Session) Close() error {
	for wait := time.Millisecond; !s.busy.TryLock(); wait *= 2 {
		if wait > time.Second {
			return ErrBusy
		}
		time.Sleep(wait)
	}
	defer s.busy.Unlock()
	s.takeSummary(0, true)
	if s.unsaved == nil {
		return nil
	}
	_, err := s.save()
	if err == nil {
		return nil
	}
	name, rescueErr := s.opts.Store.Rescue(&s.chat)
	if rescueErr != nil {
		return &UnsavedError{Err: errors.Join(err, rescueErr)}
	}
	s.unsaved.Stop()
	s.unsaved = nil
	return &UnsavedError{Path: name, Err: err}
}

// dropEarlierStates records that another program changed the conversation in the file: the next turn rebuilds the
// state, and earlier states are dropped, because restoring them would remove what the other program wrote.
func (s *Session) dropEarlierStates() {
	s.stale = true
	s.version++
	s.edits++
	s.redo, s.changes = nil, nil
	clear(s.turns.begun)
	clear(s.turns.ended)
}

// sameTranscript reports whether two transcripts are the same for the engine.
func sameTranscript(a, b []history.Message) bool {
	return slices.EqualFunc(a, b, func(a, b history.Message) bool {
		return a.Role == b.Role && a.Text == b.Text && slices.Equal(a.Notes, b.Notes) && slices.Equal(a.Refs(), b.Refs())
	})
}

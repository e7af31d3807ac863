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

// A reply is safe in the journal within a second. The note is written when the turn
// begins, when it ends, and between only as far as the reply is worth it: what was
// written meanwhile is at most twice the reply, so that a small reply in a long
// chat does not write the chat over and over. Without a journal the note is the
// only place, and is written every second.
const (
	saveEvery = 3 * time.Second
	saveAlone = time.Second
)

// retryEvery is how long a chat that could not be saved waits for the next try.
const retryEvery = 5 * time.Second

// gate fails instead of blocking, except that callers wait for a running background
// save. A turn waits for other work.
type gate struct {
	sync.Mutex
	background sync.Mutex
	turn       atomic.Bool // one runs
}

// enter takes the lock for a turn if no other one runs; leave gives it back.
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

// TryLock takes the lock if no other method works.
func (g *gate) TryLock() bool {
	g.background.Lock()
	defer g.background.Unlock()
	return g.Mutex.TryLock()
}

// whenIdle does something with a session in which no turn runs and no other method works.
func whenIdle[T any](s *Session, do func() (T, error)) (v T, err error) {
	if !s.busy.TryLock() {
		return v, ErrBusy
	}
	defer s.busy.Unlock()
	return do()
}

// save writes the chat, if it is to be kept. What cannot be written is tried again
// after a while, and by Close.
func (s *Session) save() ([]history.Warning, error) {
	defer s.publish()
	if s.opts.Store == nil || s.chat.ReadOnly {
		return nil, nil
	}
	was := s.chat.Messages
	warnings, err := s.opts.Store.Save(&s.chat)
	if err == nil && s.unsaved != nil {
		s.unsaved.Stop()
		s.unsaved = nil
	}
	if slices.ContainsFunc(warnings, func(w history.Warning) bool { return w.Kind == "merged" }) &&
		!sameTalk(was, s.chat.Messages) {
		s.rewritten()
	}
	return warnings, err
}

// keepTrying saves the chat later, since that did not work now. The timer belongs to
// the session; Close stops it, and waits for a try that is under way.
func (s *Session) keepTrying() {
	if s.unsaved == nil {
		s.unsaved = time.AfterFunc(retryEvery, s.tryAgain)
		s.publish()
	}
}

func (s *Session) tryAgain() {
	s.busy.background.Lock()
	defer s.busy.background.Unlock()
	if !s.busy.Mutex.TryLock() { // a turn saves by itself; it may fail too
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

// UnsavedError says that a chat could not be saved, and where its text is now.
type UnsavedError struct {
	Path string // of the file that was written instead, "" if that failed too
	Err  error
}

func (e *UnsavedError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("the chat could not be saved: %v", e.Err)
	}
	return fmt.Sprintf("the chat could not be saved (%v); the next start offers it, and all of it is in %s", e.Err, e.Path)
}

func (e *UnsavedError) Unwrap() error { return e.Err }

// Close tries once more to save a reply that could not be saved. If that fails
// too the chat is written to another place, and the error is an *UnsavedError. A
// turn that still runs is given a second to end; a summary that is being written
// is given up.
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

// rewritten notes that somebody else wrote into the conversation: what is known
// of it is not what the chat says now, and earlier states would take away what
// they wrote.
func (s *Session) rewritten() {
	s.stale = true
	s.version++
	s.edits++
	s.redo, s.changes = nil, nil
	clear(s.turns.begun)
	clear(s.turns.ended)
}

// sameTalk reports whether two transcripts are the same to the engine.
func sameTalk(a, b []history.Message) bool {
	return slices.EqualFunc(a, b, func(a, b history.Message) bool {
		return a.Role == b.Role && a.Text == b.Text && slices.Equal(a.Refs(), b.Refs())
	})
}

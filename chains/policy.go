package chains

import (
	"slices"
	"sync"
)

// Mode says what becomes of the changes that a model proposes.
type Mode string

// The modes of a conversation. Each begins with ModeAsk.
const (
	ModeAsk      Mode = "ask"      // a person is asked
	ModeNote     Mode = "note"     // and for some notes agreed to all changes
	ModeReadOnly Mode = "readonly" // they are refused
)

// Policy remembers how a person wants changes in a conversation to be treated. It is not saved: a
// chat that is opened again asks. The zero value is ready, and may be used from
// several goroutines, also while a turn runs.
type Policy struct {
	mu       sync.Mutex
	readOnly bool
	notes    []string // to whose changes the person agreed
}

// Mode may have changed since the turn began.
func (p *Policy) Mode() Mode {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.readOnly:
		return ModeReadOnly
	case len(p.notes) > 0:
		return ModeNote
	}
	return ModeAsk
}

// Set makes the conversation ask about everything again, or refuse everything.
func (p *Policy) Set(readOnly bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readOnly, p.notes = readOnly, nil
}

// Allow agrees to all changes of a note from now on.
func (p *Policy) Allow(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.notes, path) {
		p.notes = append(p.notes, path)
	}
}

// Notes are those to whose changes the person agreed.
func (p *Policy) Notes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes)
}

// allows reports whether changes of a note need no question.
func (p *Policy) allows(path string) bool { return slices.Contains(p.Notes(), path) }

// Policy decides about the changes that are proposed in this conversation.
func (s *Session) Policy() *Policy { return &s.tools.policy }

package chains

import (
	"slices"
	"sync"
)

// Mode is the treatment of changes that a model proposes.
type Mode string

// The modes of a conversation. Each conversation begins with ModeAsk.
const (
	ModeAsk      Mode = "ask"      // the person is asked
	ModeNote     Mode = "note"     // the person is asked, except about some notes
	ModeReadOnly Mode = "readonly" // all are refused
)

// Policy records how a person wants changes in a conversation to be treated. It is not saved: a reopened chat asks.
// The zero value is ready. Several goroutines may use it, also while a turn runs.
type Policy struct {
	mu       sync.Mutex
	readOnly bool
	notes    []string // paths of the notes whose changes need no question
}

// Mode returns the current mode, which may change during a turn.
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

// Set refuses all changes, or asks about all of them again.
func (p *Policy) Set(readOnly bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readOnly, p.notes = readOnly, nil
}

// Allow accepts all further changes of a note.
func (p *Policy) Allow(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.notes, path) {
		p.notes = append(p.notes, path)
	}
}

// Notes returns the paths of the notes whose changes need no question.
func (p *Policy) Notes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes)
}

// allows reports whether changes of a note need no question.
func (p *Policy) allows(path string) bool { return slices.Contains(p.Notes(), path) }

// Policy returns the policy for changes in this conversation.
func (s *Session) Policy() *Policy { return &s.tools.policy }

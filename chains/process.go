package chains

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"ibid/history"
)

// Process is the state that the sessions of a process share. The zero value is ready. Its sessions may run in any
// goroutine.
type Process struct {
	said    sync.Map // notices that a chat gives only once, also after it was reopened
	widened sync.Map // other words of a question, by the request for them

	mu    sync.Mutex
	spent []history.Total
}

// first reports whether the text is new to the chat that began at epoch, and records it.
func (p *Process) first(epoch int64, text string) bool {
	_, known := p.said.LoadOrStore(fmt.Sprint(epoch, " ", text), true)
	return !known
}

// Spent returns the cost of the requests of all sessions, by month and model.
func (p *Process) Spent() []history.Total {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.spent)
}

// spend adds the cost of requests to the process and, with counts, to the chat.
func spend(s *Session, at time.Time, t history.Total, counts bool) {
	t.Provider = s.opts.Cache.At
	if counts {
		s.chat.Spend(at, t)
	}
	p := s.opts.Process
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent = history.Add(p.spent, at, t)
}

// spendSideRequest adds the cost of a side request, such as one for a title. It counts the cached tokens as predicted,
// since there was no prediction that they could contradict. The caller holds busy.
func spendSideRequest(s *Session, model string, u *Usage) {
	if u != nil {
		spend(s, s.opts.Now(),
			history.Total{Model: model, Requests: 1, Predicted: max(u.Cached, 0), Usage: *u}, true)
	}
}

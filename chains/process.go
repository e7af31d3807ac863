package chains

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"ibid/history"
)

// Process is shared by the sessions of a process. The zero value is ready; its
// sessions may run in any goroutine.
type Process struct {
	said    sync.Map // once a chat, so that a chat which is opened again does not repeat it
	widened sync.Map // other words of a question, by the request for them

	mu    sync.Mutex
	spent []history.Total
}

// first reports whether a text is new to the chat that began at epoch.
func (p *Process) first(epoch int64, text string) bool {
	_, known := p.said.LoadOrStore(fmt.Sprint(epoch, " ", text), true)
	return !known
}

// spend adds what requests have cost.
func (p *Process) spend(at time.Time, t history.Total) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent = history.Add(p.spent, at, t)
}

// Spent sums the requests of all sessions by month and model.
func (p *Process) Spent() []history.Total {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.spent)
}

// spend adds what requests to a model have cost to the chat, if that counts, and to the
// process.
func spend(s *Session, at time.Time, t history.Total, counts bool) {
	t.Provider = s.opts.Cache.At
	s.opts.Process.spend(at, t)
	if counts {
		s.chat.Spend(at, t)
	}
}

// spendAside adds what a request has cost that was no turn, such as one for a title;
// busy is held.
// Nothing was predicted of it, so that what it found in the cache is no surprise.
func spendAside(s *Session, model string, u *Usage) {
	if u != nil {
		spend(s, s.opts.Now(),
			history.Total{Model: model, Requests: 1, Predicted: max(u.Cached, 0), Usage: history.Usage(*u)}, true)
	}
}

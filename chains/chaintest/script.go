package chaintest

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

var _ chains.Model = (*Script)(nil)

// Step is one thing that a scripted reply does: it waits, then yields.
type Step struct {
	Wait  time.Duration // ends early, with ctx.Err(), when the context does
	Delta chains.Delta
	Err   error // ends the reply
}

// Say is a piece of text.
func Say(text string) Step { return Step{Delta: chains.Delta{Text: text}} }

// Think is a piece of reasoning.
func Think(text string) Step { return Step{Delta: chains.Delta{Reasoning: text}} }

// Notify is a notice, such as a retry.
func Notify(text string) Step { return Step{Delta: chains.Delta{Notice: text}} }

// Call ends the reply with tool calls.
func Call(calls ...prompt.ToolCall) Step {
	return Step{Delta: chains.Delta{ToolCalls: calls, Finish: chains.FinishTools}}
}

// Report is the provider's count: tokens of the prompt, those of them that
// were cached, and tokens of the reply.
func Report(prompt, cached, completion int) Step {
	return Step{Delta: chains.Delta{Usage: &chains.Usage{
		Prompt: prompt, Cached: cached, CacheWrite: -1, Completion: completion, Reasoning: -1, Cost: -1,
	}}}
}

// Finish ends the reply.
func Finish(f chains.Finish) Step { return Step{Delta: chains.Delta{Finish: f}} }

// Fail ends the reply with err.
func Fail(err error) Step { return Step{Err: err} }

// Pause waits.
func Pause(d time.Duration) Step { return Step{Wait: d} }

// Reply is a whole reply: the pieces of text, then a good end.
func Reply(pieces ...string) []Step {
	var steps []Step
	for _, p := range pieces {
		steps = append(steps, Say(p))
	}
	return append(steps, Finish(chains.FinishStop))
}

// Script is a model that plays prepared replies, one per request. Make it with
// NewScript.
type Script struct {
	mu       sync.Mutex
	replies  [][]Step
	requests []chains.Request
}

// NewScript makes a model that answers the first request with the first
// reply, and so on.
func NewScript(replies ...[]Step) *Script { return &Script{replies: replies} }

// Add appends replies.
func (s *Script) Add(replies ...[]Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Requests is what the model was asked so far, oldest first.
func (s *Script) Requests() []chains.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]chains.Request(nil), s.requests...)
}

// Left is how many replies were not asked for.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.replies)
}

// Stream plays the next reply. When none is left it fails with kind config.
func (s *Script) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		steps, err := s.next(r)
		if err != nil {
			yield(chains.Delta{}, err)
			return
		}
		for _, step := range steps {
			err := wait(ctx, step.Wait)
			if err == nil {
				err = step.Err
			}
			if err != nil {
				yield(chains.Delta{}, err)
				return
			}
			if isPause(step) {
				continue
			}
			if !yield(step.Delta, nil) {
				return
			}
		}
	}
}

// isPause says that s yields nothing.
func isPause(s Step) bool {
	d := s.Delta
	return d.Text == "" && d.Reasoning == "" && d.Notice == "" && d.Finish == "" && d.Usage == nil && len(d.ToolCalls) == 0
}

// next remembers r and takes the reply for it.
func (s *Script) next(r chains.Request) ([]Step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(s.replies) == 0 {
		return nil, &chains.ProviderError{
			Kind:    chains.ErrConfig,
			Message: fmt.Sprintf("The script has no reply for request %d.", len(s.requests)),
		}
	}
	steps := s.replies[0]
	s.replies = s.replies[1:]
	return steps, nil
}

func wait(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil || d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

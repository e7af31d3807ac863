package chaintest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

var _ chains.Model = (*Script)(nil)

// Reply is the answer of a Script to one request. The zero value is an empty reply with a
// normal end.
type Reply struct {
	Text      string
	Model     *chains.Options   // that answers from now on, before all else; nil is the one that was asked
	Notice    string            // said at once, before anything comes
	Wait      time.Duration     // that Notice announces
	Reasoning string            // comes before the text
	Thought   string            // text that comes first and turns out to be thinking
	Chunks    []string          // the text in these pieces, instead of Text
	Split     int               // characters per piece of Text and Reasoning, 0: in one piece
	Delay     time.Duration     // before every piece
	ToolCalls []prompt.ToolCall // come after the text
	Usage     *chains.Usage
	Finish    chains.Finish // "" is FinishStop, or FinishTools with tool calls

	Err      *chains.ProviderError // ends the reply, in place of its regular end
	ErrAfter int                   // pieces that come before Err; 0 is none

	// Func makes the reply from the request; the other fields are then ignored.
	Func func(chains.Request) Reply
}

// Script is a chains.Model that plays replies in order. After the last reply, a request is an
// error, or gets another reply of the last Func.
type Script struct {
	mu       sync.Mutex
	replies  []Reply
	requests []chains.Request
}

// New returns a Script of replies.
func New(replies ...Reply) *Script { return &Script{replies: slices.Clone(replies)} }

// Add appends replies to the script.
func (s *Script) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Requests returns the requests so far, oldest first.
func (s *Script) Requests() []chains.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns the number of replies that have not been played.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, len(s.replies)-len(s.requests))
}

// Stream plays the next reply. The end of ctx ends it with ctx's error.
func (s *Script) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		reply, err := s.next(r)
		if err != nil {
			yield(chains.Delta{}, err)
			return
		}
		if reply.Model != nil && !yield(chains.Delta{Model: reply.Model}, nil) {
			return
		}
		if reply.Notice != "" && !yield(chains.Delta{Notice: reply.Notice, Wait: reply.Wait}, nil) {
			return
		}
		pieces := reply.pieces()
		for i, d := range pieces {
			if reply.Err != nil && i == reply.ErrAfter {
				break
			}
			if err := pause(ctx, reply.Delay); err != nil {
				yield(chains.Delta{}, err)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
		switch err := ctx.Err(); {
		case err != nil:
			yield(chains.Delta{}, err)
		case reply.Err != nil:
			yield(chains.Delta{}, reply.Err)
		default:
			yield(chains.Delta{Usage: reply.Usage, Finish: reply.finish()}, nil)
		}
	}
}

// next records a request and returns its reply.
func (s *Script) next(r chains.Request) (Reply, error) {
	r.Messages, r.Tools, r.Documents = slices.Clone(r.Messages), slices.Clone(r.Tools), slices.Clone(r.Documents)
	s.mu.Lock()
	i := len(s.requests)
	s.requests = append(s.requests, r)
	if n := len(s.replies); i >= n && n > 0 && s.replies[n-1].Func != nil {
		i = n - 1
	}
	var reply Reply
	known := i < len(s.replies)
	if known {
		reply = s.replies[i]
	}
	s.mu.Unlock()
	if !known {
		return Reply{}, &chains.ProviderError{
			Kind: chains.ErrConfig, Message: fmt.Sprintf("The script has no reply to request %d.", i+1),
		}
	}
	for reply.Func != nil {
		reply = reply.Func(r)
	}
	return reply, nil
}

// pieces returns the deltas of the reply, without its end.
func (r Reply) pieces() []chains.Delta {
	var all []chains.Delta
	for _, p := range split(r.Reasoning, r.Split) {
		all = append(all, chains.Delta{Reasoning: p})
	}
	for _, p := range split(r.Thought, r.Split) {
		all = append(all, chains.Delta{Text: p})
	}
	if r.Thought != "" {
		all = append(all, chains.Delta{Thought: true})
	}
	chunks := r.Chunks
	if chunks == nil {
		chunks = split(r.Text, r.Split)
	}
	for _, p := range chunks {
		all = append(all, chains.Delta{Text: p})
	}
	if len(r.ToolCalls) > 0 {
		all = append(all, chains.Delta{ToolCalls: r.ToolCalls})
	}
	return all
}

func (r Reply) finish() chains.Finish {
	switch {
	case r.Finish != "":
		return r.Finish
	case len(r.ToolCalls) > 0:
		return chains.FinishTools
	}
	return chains.FinishStop
}

// split cuts text into pieces of n characters, or returns it whole if n is 0.
func split(text string, n int) []string {
	if text == "" {
		return nil
	}
	if n <= 0 {
		return []string{text}
	}
	var pieces []string
	count, from := 0, 0
	for i := range text {
		if count == n {
			pieces = append(pieces, text[from:i])
			count, from = 0, i
		}
		count++
	}
	return append(pieces, text[from:])
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

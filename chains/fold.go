package chains

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault/routine"
)

// summary is a running request for a summary, made after the reply of a turn in a goroutine of its own.
// Session.takeSummary stops it and waits for it.
type summary struct {
	stop    context.CancelFunc
	done    chan struct{} // closed when text, usage and err are set
	text    string
	usage   *Usage
	err     error
	version int    // of the session at the start
	model   string // name of the model that writes it
}

// summaryWait limits how long a turn waits for a summary before it starts without one.
const summaryWait = 3 * time.Second

// startSummary requests a summary of the conversation in the background, if the engine wants one after this reply.
// It goes on when ctx, which belongs to the answered turn, ends. The caller holds busy.
func (s *Session) startSummary(ctx context.Context, env prompt.Envelope, reply string) {
	if !s.opts.Background.Summaries {
		return
	}
	messages, tokens := env.Summarize(reply)
	if messages == nil {
		return
	}
	request := s.request(env, messages)
	request.Question, request.MaxTokens = messages[len(messages)-1].Content,
		sideRequestTokens(s, request.Model, 2*tokens)
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	w := &summary{stop: stop, done: make(chan struct{}), version: s.version, model: request.Model}
	s.summary = w
	go func(model Model, log *slog.Logger) {
		defer close(w.done)
		fault := routine.Call(func() { w.text, w.usage, w.err = wholeReply(ctx, model, request, nil) })
		if fault != nil { // the conversation continues without a summary
			w.err = fmt.Errorf("panic: %v", fault.Value)
			log.ErrorContext(ctx, "summary-panic", "stack", string(fault.Stack))
		}
		log.DebugContext(ctx, "summary", "turn", env.Turn, "bytes", len(w.text), "err", w.err)
	}(s.opts.Model, s.opts.Log)
}

// takeSummary gives the finished summary to the engine. It waits for one at most so long; with stop it then cancels
// it, else leaves it running. The caller holds busy.
func (s *Session) takeSummary(wait time.Duration, stop bool) {
	w := s.summary
	if w == nil {
		return
	}
	late := false
	select {
	case <-w.done:
	case <-time.After(wait):
		if !stop {
			return
		}
		late = wait > 0 // another one would be as late
		w.stop()
		<-w.done
	}
	w.stop()
	s.summary = nil
	spendSideRequest(s, w.model, w.usage)
	if w.version == s.version && (late || !errors.Is(w.err, context.Canceled)) {
		s.conv = s.conv.Summarized(w.text) // "" records that there is none
	}
}

// thinkTokens is added to the token limit of titles, summaries and plans for models that think.
const thinkTokens = 8 << 10

// sideRequestTokens returns the token limit for a side request whose answer needs so many tokens of text.
func sideRequestTokens(s *Session, model string, words int) int {
	thinks := s.opts.Background.Thinks != nil && s.opts.Background.Thinks(model)
	if thinks || model == s.opts.ModelName && s.last.usage != nil && s.last.usage.Reasoning > 0 {
		return words + thinkTokens
	}
	return words
}

// maxSideReply limits the bytes that are read of the answer to a side request.
const maxSideReply = 64 << 10

// wholeReply returns the text of a complete reply without its note-to-self, and the reported usage, which may be
// set even with an error. Notices of the provider go to say, which may be nil.
func wholeReply(ctx context.Context, m Model, r Request, say func(Notice)) (string, *Usage, error) {
	var text strings.Builder
	var usage *Usage
	for d, err := range m.Stream(ctx, r) {
		if err != nil {
			return "", usage, err
		}
		if d.Usage != nil {
			usage = d.Usage
		}
		if d.Notice != "" && say != nil {
			say(Notice{Kind: "provider", Text: d.Notice, Wait: d.Wait})
		}
		if text.WriteString(d.Text); text.Len() > maxSideReply {
			break
		}
	}
	visible, _, _ := prompt.SplitNote(text.String())
	return strings.TrimSpace(visible), usage, nil
}

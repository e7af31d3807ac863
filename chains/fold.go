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

// summary is a request for a summary that runs behind the answer of a turn, in a
// goroutine of its own. The session that started it stops it and waits for it
// with takeSummary.
type summary struct {
	stop    context.CancelFunc
	done    chan struct{} // closed when text, usage and err are there
	text    string
	usage   *Usage
	err     error
	version int    // of the session
	model   string // that writes it
}

// summaryWait is how long a turn waits for a summary before it goes on without.
const summaryWait = 3 * time.Second

// startSummary asks for a summary of the conversation, if the engine wants one
// after this reply; busy is held. The turn that was answered does not end it.
func (s *Session) startSummary(ctx context.Context, env prompt.Envelope, reply string) {
	if !s.opts.Background.Summaries {
		return
	}
	messages, tokens := env.Summarize(reply)
	if messages == nil {
		return
	}
	request := s.request(env, messages)
	request.Question, request.MaxTokens = messages[len(messages)-1].Content, tokensAside(s, request.Model, 2*tokens)
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	w := &summary{stop: stop, done: make(chan struct{}), version: s.version, model: request.Model}
	s.summary = w
	go func(model Model, log *slog.Logger) {
		defer close(w.done)
		fault := routine.Call(func() { w.text, w.usage, w.err = wholeReply(ctx, model, request, nil) })
		if fault != nil { // the conversation goes on without a summary
			w.err = fmt.Errorf("panic: %v", fault.Value)
			log.ErrorContext(ctx, "summary-panic", "stack", string(fault.Stack))
		}
		log.DebugContext(ctx, "summary", "turn", env.Turn, "bytes", len(w.text), "err", w.err)
	}(s.opts.Model, s.opts.Log)
}

// takeSummary gives the engine the summary that was asked for, if it is there
// within so long; with stop, one that is not is given up. busy is held.
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
		late = wait > 0 // it would be as late the next time
		w.stop()
		<-w.done
	}
	w.stop()
	s.summary = nil
	spendAside(s, w.model, w.usage)
	if w.version == s.version && (late || !errors.Is(w.err, context.Canceled)) {
		s.conv = s.conv.Summarized(w.text) // an empty one says that there is none
	}
}

// thinkTokens leaves a model that thinks room for that in an answer that is no turn.
const thinkTokens = 8 << 10

// tokensAside is the longest answer to ask for, where so many tokens are to be words.
func tokensAside(s *Session, model string, words int) int {
	thinks := s.opts.Background.Thinks != nil && s.opts.Background.Thinks(model)
	if thinks || model == s.opts.ModelName && s.last.usage != nil && s.last.usage.Reasoning > 0 {
		return words + thinkTokens
	}
	return words
}

// mostAside bounds what is read of an answer that is no turn, in bytes.
const mostAside = 64 << 10

// wholeReply is the text of a reply that ended well, without a note-to-self, and
// what was reported about it. say gets what there is to say meanwhile; nil hears nothing.
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
		if text.WriteString(d.Text); text.Len() > mostAside {
			break
		}
	}
	visible, _, _ := prompt.SplitNote(text.String())
	return strings.TrimSpace(visible), usage, nil
}

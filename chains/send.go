package chains

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/history"
)

// Send runs one turn and yields what happens, ending with Done. The person's
// message is on disk before anything leaves the machine; the reply is saved
// while it streams, when it ends, and when it fails. An error instead of an
// event means that the turn did not begin: nothing was sent and nothing changed.
//
// The turn ends early when ctx does, or when the loop over it is left: what
// came until then is kept and marked, and the engine goes back to where it was,
// so that nothing counts as known that the model has not finished reading.
func (s *Session) Send(ctx context.Context, in Input) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if !s.busy.TryLock() {
			yield(nil, ErrBusy)
			return
		}
		defer s.busy.Unlock()
		if s.stale {
			s.dropUnanswered()
		}
		s.run(ctx, in, yield)
	}
}

// run is one turn from the message to Done; busy is held.
func (s *Session) run(ctx context.Context, in Input, yield func(Event, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &turn{s: s, in: in, yield: yield, cancel: cancel, refs: slices.Clone(in.Attach)}
	if err := t.begin(ctx); err != nil {
		yield(nil, err)
		return
	}
	if t.prepare(ctx) {
		t.stream(ctx)
		if t.learned() && t.prepare(ctx) {
			t.stream(ctx)
		}
	}
	t.end(ctx)
}

// turn is the state of one running turn.
type turn struct {
	s      *Session
	in     Input
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the loop over the events was left

	refs   []prompt.Ref
	user   int // index of the person's message in the chat
	reply  int // index of the reply, 0 until there is one
	start  prompt.Conversation
	env    prompt.Envelope
	filter prompt.NoteFilter
	raw    strings.Builder // the reply as it came
	shown  strings.Builder // what of it may be shown
	saved  time.Time
	usage  *Usage
	finish Finish
	err    *ProviderError
}

func (t *turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

// begin puts the person's message into the chat and the chat onto the disk.
func (t *turn) begin(ctx context.Context) error {
	s := t.s
	if s.chat.ReadOnly {
		return errors.New("the chat is open elsewhere, so it is read-only here: /branch continues it in a file of its own")
	}
	s.redo, s.changes = nil, nil
	t.start = s.conv
	now := s.opts.Now()
	if s.chat.Epoch == 0 {
		s.chat.Epoch = now.UnixMilli()
	}
	var missing []prompt.Missing
	t.refs, missing = s.refs(ctx, &t.in)
	var pins []string
	for _, p := range t.in.Pins {
		pins = append(pins, p.ID)
	}
	// What is attached again is no longer forgotten.
	s.chat.Forgotten = slices.DeleteFunc(slices.Clone(s.chat.Forgotten), func(r prompt.Ref) bool { return slices.Contains(t.refs, r) })
	t.user = len(s.chat.Messages)
	s.chat.Messages = append(s.chat.Messages, history.Message{
		Role: history.User, Text: t.in.Text, Time: now,
		Context: history.ContextOf(t.refs, t.in.Active.ID, pins),
		Meta:    history.Meta{Refs: t.refs},
	})
	warnings, err := s.save()
	if err != nil {
		s.chat.Messages = s.chat.Messages[:t.user]
		return fmt.Errorf("save the chat: %w", err)
	}
	n := s.chat.Turns()
	s.before[n], s.inputs[n] = s.conv, t.in
	t.saved = now
	t.emit(TurnStarted{N: n, Chat: string(s.chat.Path)})
	t.warn(warnings)
	for _, m := range missing {
		t.emit(Notice{Kind: m.State + "_note", Text: m.Reason})
	}
	return nil
}

func (t *turn) warn(warnings []history.Warning) {
	for _, w := range warnings {
		t.emit(Notice{Kind: w.Kind, Text: w.Text})
	}
}

// prepare makes the request; it reports whether there is one to send.
func (t *turn) prepare(ctx context.Context) bool {
	s := t.s
	if s.lost {
		conv, _, err := s.rebuild(ctx, t.earlier(), true)
		if err != nil {
			t.fail(err)
			return false
		}
		s.conv, t.start = conv, conv
		s.before[s.chat.Turns()] = conv
	}
	engineTurn, missing, err := s.turn(ctx, &t.in, t.refs, nil)
	for _, m := range missing {
		t.emit(Notice{Kind: m.State + "_note", Text: m.Reason})
	}
	if err == nil {
		t.env, err = s.conv.Prepare(engineTurn)
	}
	if f := t.env.Fold; err == nil && f != nil && !f.Summary && s.opts.Summarize {
		if text := t.summarize(ctx, *f); text != "" {
			engineTurn.Summary = map[int]string{f.Turns: text}
			t.env, err = s.conv.Prepare(engineTurn)
		}
	}
	if err != nil {
		t.fail(err)
		return false
	}
	m := &s.chat.Messages[t.user]
	m.Meta.Items = nil
	m.Meta.Layers = map[string]string{}
	for _, l := range t.env.Layers {
		m.Meta.Layers[l.ID] = l.SHA256[:16]
	}
	if t.env.Epoch.New {
		m.Meta.Epoch = string(t.env.Epoch.Cause)
	}
	for _, a := range t.env.Attached {
		for _, it := range engineTurn.Attached {
			if it.Ref == a.Ref && a.State != "muted" {
				m.Meta.Items = append(m.Meta.Items, history.Item{Ref: it.Ref, Revision: it.Revision.Short()})
			}
		}
	}
	t.emit(ContextReady{Envelope: t.env, Missing: missing})
	if b := t.env.Break; b != nil {
		t.emit(Notice{Kind: "prefix_changed", Text: fmt.Sprintf("The prompt changed at byte %d of %s without a cause: please report this.", b.Offset, b.Layer)})
	}
	for _, c := range t.env.Shortened {
		t.emit(Notice{Kind: "shortened", Text: fmt.Sprintf("Shortened to fit the window: %s (%s, about %d tokens).", c.What, c.How, c.Tokens)})
	}
	return ctx.Err() == nil
}

// earlier is the chat as it was before this turn.
func (t *turn) earlier() *history.Chat {
	c := t.s.chat
	c.Messages = c.Messages[:t.user:t.user]
	return &c
}

// stream sends the request and takes the reply in.
func (t *turn) stream(ctx context.Context) {
	s := t.s
	s.sentAt = s.opts.Now()
	s.requests = append(s.requests, t.env)
	request := Request{
		Model: s.opts.ModelName, Messages: t.env.Messages(), CacheKey: fmt.Sprintf("ibid-%d", s.chat.Epoch),
		Documents: t.env.Documents(), Question: t.in.Text,
	}
	for d, err := range s.opts.Model.Stream(ctx, request) {
		if err != nil {
			t.fail(err)
			break
		}
		t.take(d)
		if t.left {
			break
		}
	}
}

// take handles one piece of the reply.
func (t *turn) take(d Delta) {
	if d.Notice != "" {
		t.emit(Notice{Kind: "provider", Text: d.Notice})
	}
	if d.Reasoning != "" {
		t.emit(ReasoningDelta{Text: d.Reasoning})
	}
	if d.Text != "" {
		t.raw.WriteString(d.Text)
		t.show(t.filter.Write(d.Text))
		if now := t.s.opts.Now(); now.Sub(t.saved) >= t.s.opts.SaveEvery {
			t.saved = now
			t.keep(history.StatusCut)
		}
	}
	if d.Usage != nil {
		t.usage = d.Usage
	}
	if d.Finish != "" {
		t.finish = d.Finish
	}
}

func (t *turn) show(text string) {
	if text != "" {
		t.shown.WriteString(text)
		t.emit(TextDelta{Text: text})
	}
}

// fail notes why the turn ends; the end of ctx is no failure.
func (t *turn) fail(err error) {
	var provider *ProviderError
	var long *prompt.TooLongError
	switch {
	case errors.Is(err, context.Canceled):
		t.finish = FinishCancelled
	case errors.As(err, &provider):
		t.finish, t.err = FinishError, provider
		if provider.Kind == ErrCutOff {
			t.finish = FinishCutOff
		}
	case errors.As(err, &long):
		t.finish, t.err = FinishError, &ProviderError{Kind: ErrContext, Message: long.Error() + ". Drop or mute something, or choose a model with a larger window.", Err: err}
	default:
		t.finish, t.err = FinishError, &ProviderError{Kind: ErrConfig, Message: err.Error(), Err: err}
	}
}

// keep puts the reply, as far as it came, into the chat and saves.
func (t *turn) keep(status history.Status) {
	t.record(status)
	s := t.s
	before := len(s.chat.Messages)
	warnings, err := s.save()
	if len(s.chat.Messages) != before {
		t.locate()
	}
	t.warn(warnings)
	if err != nil {
		t.emit(Notice{Kind: "not_saved", Text: fmt.Sprintf("The chat could not be saved: %v. It is kept in memory.", err)})
	} else if s.chat.Path != "" && s.opts.Store != nil {
		t.emit(Saved{Path: string(s.chat.Path)})
	}
}

// locate finds the messages of this turn again after the file, in which somebody
// else had written meanwhile, was merged into the chat.
func (t *turn) locate() {
	messages := t.s.chat.Messages
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == history.User && messages[i].Text == t.in.Text {
			t.user = i
			break
		}
	}
	if t.reply > 0 {
		t.reply = min(t.user+1, len(messages)-1)
	}
}

// record puts the reply, as far as it came, into the chat.
func (t *turn) record(status history.Status) {
	if strings.TrimSpace(t.shown.String()) == "" {
		return
	}
	s := t.s
	if t.reply == 0 {
		t.reply = len(s.chat.Messages)
		s.chat.Messages = append(s.chat.Messages, history.Message{Role: history.Assistant, Time: s.opts.Now()})
	}
	m := &s.chat.Messages[t.reply]
	m.Text, m.Status = t.shown.String(), status
}

// end closes the turn: commit or go back, save, say how it ended.
func (t *turn) end(ctx context.Context) {
	s := t.s
	if t.left || ctx.Err() != nil && t.err == nil && t.finish == "" {
		t.finish, t.err = FinishCancelled, nil
	}
	rest, _, _ := t.filter.Close()
	if t.err == nil && t.finish != FinishCancelled {
		t.show(rest)
		s.conv = t.env.Commit(t.raw.String())
		if t.finish == "" {
			t.finish = FinishStop
		}
	} else {
		s.conv = t.start.Aside(t.in.Text, t.raw.String(), s.opts.Count)
	}
	status := t.status()
	t.record(status)
	if notes := s.conv.Notes(); len(notes) > len(t.start.Notes()) {
		s.chat.Messages = append(s.chat.Messages, history.Message{Role: history.NoteToSelf, Text: notes[len(notes)-1]})
	}
	t.report()
	t.log(ctx)
	t.keep(status)
	s.stale = t.finish == FinishCancelled && t.reply == 0
	t.emit(Done{Finish: t.finish, Err: t.err})
}

// status is how the chat file marks the reply.
func (t *turn) status() history.Status {
	switch {
	case t.finish == FinishCancelled:
		return history.StatusCancelled
	case t.finish == FinishCutOff:
		return history.StatusCut
	case t.err != nil:
		return history.StatusError(string(t.err.Kind))
	}
	return ""
}

// report hands the provider's numbers on, and looks for a prompt that was cut
// without a word.
func (t *turn) report() {
	s := t.s
	if t.usage == nil {
		return
	}
	s.usage = t.usage
	u := history.Usage(*t.usage)
	s.chat.Messages[t.user].Meta.Usage = &u
	t.emit(UsageReported{Usage: *t.usage})
	counted := t.env.Predicted.Counted
	if s.opts.Truncated != nil && s.opts.Truncated(counted, t.usage.Prompt) {
		t.emit(Notice{Kind: "truncated_by_server", Text: fmt.Sprintf("The server read %d of about %d tokens: it cut the prompt. Give it a larger context window (OLLAMA_CONTEXT_LENGTH, num_ctx) or choose another model.", t.usage.Prompt, counted)})
	} else if s.opts.Observe != nil && t.usage.Prompt > 0 {
		s.opts.Observe(counted, t.usage.Prompt)
	}
}

// dropUnanswered takes a message away that was cancelled before anything came.
func (s *Session) dropUnanswered() {
	s.stale = false
	if n := len(s.chat.Messages); n > 0 && s.chat.Messages[n-1].Role == history.User {
		s.chat.Messages = s.chat.Messages[:n-1]
	}
}

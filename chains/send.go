package chains

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
		s.run(ctx, s.plan(ctx, in, true), yield)
	}
}

// run is one turn from the message to Done; busy is held.
func (s *Session) run(ctx context.Context, p *Pending, yield func(Event, error) bool) {
	t := &turn{Pending: p, yield: yield}
	ctx, t.cancel = context.WithCancel(ctx)
	defer t.cancel()
	if err := t.begin(ctx); err != nil {
		yield(nil, err)
		return
	}
	if t.ready(ctx) {
		t.stream(ctx)
		if t.learned() && t.ready(ctx) {
			t.stream(ctx)
		}
	}
	t.end(ctx)
}

// turn is the state of one running turn.
type turn struct {
	*Pending
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the loop over the events was left

	user  int       // index of the person's message in the chat
	reply int       // index of the reply, 0 until there is one
	asked time.Time // of the person's message
	meta  history.Meta

	answer answer
}

// attempt is what a turn that runs again goes back to if nothing comes of it.
type attempt struct {
	at     int           // index of the person's message in the chat
	inline []prompt.Item // what was saved inside the message, in old chats
	failed bool
}

// answer is the reply as far as it came.
type answer struct {
	filter prompt.NoteFilter
	raw    strings.Builder // as it came
	shown  strings.Builder // what of it may be shown
	saved  time.Time
	failed bool // the last save did, and the person was told
	usage  *Usage
	finish Finish
	err    *ProviderError
	told   []Notice
}

func (t *turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

// notice tells the person something, once a turn.
func (t *turn) notice(kind, text string) {
	n := Notice{Kind: kind, Text: text}
	if !slices.Contains(t.answer.told, n) {
		t.answer.told = append(t.answer.told, n)
		t.emit(n)
	}
}

func (t *turn) warn(warnings []history.Warning) {
	for _, w := range warnings {
		t.notice(w.Kind, w.Text)
	}
}

func (t *turn) missing(all []prompt.Missing) {
	for _, m := range all {
		t.notice(m.State+"_note", m.Reason)
	}
}

// begin puts the person's message into the chat and the chat onto the disk.
func (t *turn) begin(ctx context.Context) error {
	s := t.s
	if s.chat.ReadOnly {
		return errReadOnly
	}
	was, epoch, edits := s.mark(), s.chat.Epoch, s.edits
	s.version++
	s.chat.Forgotten = t.named.withdrawn
	now := s.opts.Now()
	t.meta = history.Meta{Refs: t.named.refs, Layers: map[string]string{"L5": hashOf(t.in.Text)}}
	if t.again == nil {
		t.ask(now)
	} else {
		t.user, t.asked = t.again.at, s.chat.Messages[t.again.at].Time
	}
	s.lost = t.lost
	warnings, err := s.save()
	t.locate()
	if err != nil {
		t.withdraw(was, epoch, s.edits > edits)
		return fmt.Errorf("%w; nothing was sent (--no-save goes on without a file)", err)
	}
	if s.edits > edits { // another program wrote into the file: it counts
		t.lost, t.in = true, t.given
		t.earlier = s.chat
		t.earlier.Messages = s.chat.Messages[:t.user:t.user]
		t.prepare(ctx, true)
		s.lost = t.lost
	}
	s.redo, s.changes = nil, nil
	n := s.chat.Turns()
	s.origins[n] = t.began
	t.answer.saved = now
	t.emit(TurnStarted{N: n, Chat: string(s.chat.Path)})
	t.warn(warnings)
	for _, n := range t.notices {
		if !slices.Contains(s.told, n) {
			t.notice(n.Kind, n.Text)
		}
	}
	t.missing(t.Missing)
	return nil
}

// ask puts the person's message at the end of the chat.
func (t *turn) ask(now time.Time) {
	s := t.s
	s.dropUnanswered()
	if s.chat.Epoch == 0 {
		s.chat.Epoch = now.UnixMilli()
	}
	t.user, t.asked = len(s.chat.Messages), now
	s.chat.Messages = append(s.chat.Messages, history.Message{Role: history.User, Text: t.text, Time: now})
	t.describe()
}

// describe writes down what went with the person's message.
func (t *turn) describe() {
	m := &t.s.chat.Messages[t.user]
	var pins []string
	for _, p := range t.in.Pins {
		pins = append(pins, p.ID)
	}
	m.Context = history.ContextOf(t.named.refs, t.in.Active.ID, pins)
	m.Meta = t.meta
}

// withdraw takes back what begin did to the chat. What somebody else wrote into
// the file meanwhile stays.
func (t *turn) withdraw(was moment, epoch int64, edited bool) {
	s := t.s
	if edited {
		if t.again == nil {
			s.chat.Messages = slices.Delete(s.chat.Messages, t.user, t.user+1)
		}
		s.chat.Forgotten = was.chat.Forgotten
		return
	}
	s.restore(was)
	if s.chat.Path == "" {
		s.chat.Epoch = epoch
	}
}

// ready has a summary made of what the request folds away, and announces the
// request; it reports whether there is one to send.
func (t *turn) ready(ctx context.Context) bool {
	if f := t.Envelope.Fold; t.err == nil && f != nil && !f.Summary && t.s.opts.Summarize {
		if text := t.summarize(ctx, *f); text != "" {
			t.engine.Summary = map[int]string{f.Turns: text}
			t.render()
		}
	}
	if t.err != nil {
		t.fail(t.err)
		return false
	}
	t.facts()
	t.emit(ContextReady{Envelope: t.Envelope, Missing: t.Missing})
	if b := t.Envelope.Break; b != nil {
		t.notice("prefix_changed", fmt.Sprintf("The prompt changed at byte %d of %s without a cause: please report this.", b.Offset, b.Layer))
	}
	for _, c := range t.Envelope.Shortened {
		t.notice("shortened", fmt.Sprintf("Shortened to fit the window: %s (%s, about %d tokens).", c.What, c.How, c.Tokens))
	}
	return ctx.Err() == nil
}

// facts notes what the request was made of. In a turn that runs again it is
// written down with the reply.
func (t *turn) facts() {
	m := history.Meta{Refs: t.named.refs, Layers: map[string]string{}}
	for _, l := range t.Envelope.Layers {
		m.Layers[l.ID] = l.SHA256[:16]
	}
	if t.Envelope.Epoch.New {
		m.Epoch = string(t.Envelope.Epoch.Cause)
	}
	for _, a := range t.Envelope.Attached {
		for _, it := range t.engine.Attached {
			if it.Ref == a.Ref && a.State != "muted" && it.Kind != inlined {
				m.Items = append(m.Items, history.Item{Ref: it.Ref, Revision: it.Revision.Short()})
			}
		}
	}
	t.meta = m
	if t.again == nil || t.reply > 0 {
		t.s.chat.Messages[t.user].Meta = m
	}
}

// stream sends the request and takes the reply in.
func (t *turn) stream(ctx context.Context) {
	s := t.s
	s.sentAt = s.opts.Now()
	s.requests = append(s.requests, t.Envelope)
	request := Request{
		Model: s.opts.ModelName, Messages: t.Envelope.Messages(), CacheKey: fmt.Sprintf("ibid-%d", s.chat.Epoch),
		Documents: t.Envelope.Documents(), Question: t.in.Text,
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
	a := &t.answer
	if d.Text != "" {
		a.raw.WriteString(d.Text)
		t.show(a.filter.Write(d.Text))
		if now := t.s.opts.Now(); now.Sub(a.saved) >= t.s.opts.SaveEvery {
			a.saved = now
			t.keep(history.StatusCut)
		}
	}
	if d.Usage != nil {
		a.usage = d.Usage
	}
	if d.Finish != "" {
		a.finish = d.Finish
	}
}

func (t *turn) show(text string) {
	if text != "" {
		t.answer.shown.WriteString(text)
		t.emit(TextDelta{Text: text})
	}
}

// fail notes why the turn ends; that somebody stopped it is no failure.
func (t *turn) fail(err error) {
	a := &t.answer
	var provider *ProviderError
	var long *prompt.TooLongError
	switch {
	case errors.Is(err, context.Canceled):
		a.finish = FinishCancelled
		return
	case errors.As(err, &provider):
	case errors.Is(err, context.DeadlineExceeded):
		provider = &ProviderError{Kind: ErrTimeout, Retryable: true, Message: "The time for this turn ran out. What came is kept; try again.", Err: err}
	case errors.As(err, &long):
		provider = &ProviderError{Kind: ErrContext, Message: sentence(long.Error()) + " Drop or forget something, or choose a model with a larger window.", Err: err}
	default:
		provider = &ProviderError{Kind: ErrConfig, Message: sentence(err.Error()), Err: err}
	}
	a.finish, a.err = FinishError, provider
	if provider.Kind == ErrCutOff {
		a.finish = FinishCutOff
	}
}

// sentence is an error on its way to a person.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(s[size:], ".") + "."
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// dropUnanswered takes a message away that was cancelled before anything came.
func (s *Session) dropUnanswered() {
	if n := len(s.chat.Messages); s.stale && n > 0 && s.chat.Messages[n-1].Role == history.User {
		s.chat.Messages = slices.Clone(s.chat.Messages[:n-1])
	}
	s.stale = false
}

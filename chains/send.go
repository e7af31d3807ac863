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
	"unicode"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/history"
)

// Send runs one turn and yields its events, the last of which is Done. The person's message is on disk before
// anything leaves the machine; the reply is saved while it streams, when it ends, and when it fails. An error
// instead of an event means that the turn did not begin: nothing was sent and nothing changed.
//
// The turn ends early when ctx does, or when the loop over it breaks: what came until then is saved and marked, and
// the conversation goes back to where it was, so that nothing counts as known that the model has not finished
// reading.
func (s *Session) Send(ctx context.Context, in Input) iter.Seq2[Event, error] {
	return s.events(ctx, func() (*PendingTurn, error) { return s.plan(ctx, in, true), nil })
}

// events returns the events of the turn that prepare returns. Both start when the loop does.
func (s *Session) events(ctx context.Context, prepare func() (*PendingTurn, error)) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if !s.busy.enter() {
			yield(nil, ErrBusy)
			return
		}
		defer s.busy.leave()
		p, err := prepare()
		if err != nil {
			yield(nil, err)
			return
		}
		s.run(ctx, p, yield)
	}
}

// run runs one turn from the message to Done. The caller holds busy.
func (s *Session) run(ctx context.Context, p *PendingTurn, yield func(Event, error) bool) {
	defer setModel(s, p.given.Model)()
	t := &Turn{s: s, p: p, yield: yield}
	t.answer.sources = &catalogue{p: p}
	resetReferences(t)
	ctx, t.cancel = context.WithCancel(ctx)
	defer t.cancel()
	if err := t.begin(ctx); err != nil {
		yield(nil, err)
		return
	}
	ended := false
	defer func() {
		if !ended {
			abortTurn(ctx, t)
		}
	}()
	err := s.chain().Run(ctx, t)
	if err == nil {
		err = t.proposeBlocks(ctx)
	}
	if err != nil {
		t.fail(err)
	}
	t.end(ctx)
	ended = true
}

// abortTurn closes a turn in which something panicked: it saves what came and emits nothing. The panic continues.
func abortTurn(ctx context.Context, t *Turn) {
	t.yield = func(Event, error) bool { return true }
	t.fail(&ProviderError{Kind: ErrCutOff, Message: "The turn failed."})
	t.end(ctx)
}

// attempt is the state of a retry, with what is needed to go back if it fails.
type attempt struct {
	at       int           // index of the question in the chat
	complete bool          // the existing reply is complete, so only a complete one replaces it
	inline   []prompt.Item // items saved inside the message, in old chats
	stale    bool          // the state before the retry did not match the chat
	failed   bool          // the existing reply stays

	replaced int // place of the existing reply among the variants after it was replaced, counted from 1
}

// begin adds the person's message to the chat and saves it. If that fails, it restores the chat and returns the
// error.
func (t *Turn) begin(ctx context.Context) error {
	s := t.s
	if err := s.writable(); err != nil {
		return err
	}
	was, epoch, edits := s.mark(), s.chat.Epoch, s.edits
	s.version++
	s.chat.Forgotten = t.p.named.withdrawn
	t.meta = history.Meta{Refs: t.p.named.refs}
	if t.p.retry == nil {
		t.addQuestion()
	} else {
		t.user, t.asked = t.p.retry.at, s.chat.Messages[t.p.retry.at].Time
	}
	s.stale = t.p.stale
	warnings, err := s.save()
	t.locate()
	if err != nil {
		t.withdraw(was, epoch, s.edits > edits)
		return fmt.Errorf("%w; nothing was sent (--no-save goes on without a file)", err)
	}
	if s.edits > edits { // what another program wrote into the file counts
		t.p.stale, t.p.in = true, t.p.given
		t.p.earlier = s.chat
		t.p.earlier.Messages = s.chat.Messages[:t.user:t.user]
		t.p.prepare(ctx, true)
		s.stale = t.p.stale
	}
	t.asked = s.chat.Messages[t.user].Time // saving may have moved it: a new chat begins in a second of its own
	s.redo, s.changes = nil, nil
	n := s.chat.Turns()
	s.turns.begun[n] = t.p.turnState
	t.answer.saved = s.opts.Now()
	if s.opts.Store != nil {
		t.journal = s.opts.Store.Journal(&s.chat, t.user)
	}
	t.emit(TurnStarted{N: n, Chat: string(s.chat.Path), Chain: s.chain().Name()})
	t.warn(warnings)
	for _, n := range t.p.notices {
		if !slices.Contains(s.opening, n) {
			t.notice(n.Kind, n.Text)
		}
	}
	t.reportMissing(t.p.Missing)
	return nil
}

// addQuestion appends the person's message to the chat. It replaces one that was cancelled before any reply.
func (t *Turn) addQuestion() {
	s := t.s
	if n := len(s.chat.Messages); s.unanswered && n > 0 && s.chat.Messages[n-1].Role == history.User {
		s.chat.TakeBack()
	}
	s.unanswered = false
	now := s.messageTime()
	if s.chat.Epoch == 0 {
		s.chat.Epoch = now.UnixMilli()
	}
	s.keepPages(t.p.named.refs)
	t.user, t.asked = len(s.chat.Messages), now
	s.chat.AddQuestion(history.Message{Role: history.User, Text: t.p.text, Time: now})
	t.recordContext()
}

// recordContext records the context of the turn in the person's message.
func (t *Turn) recordContext() {
	m := &t.s.chat.Messages[t.user]
	m.Context, m.Meta = t.p.sentContext(), t.meta
}

// withdraw undoes what begin did to the chat. If another program wrote into the file meanwhile, that stays.
func (t *Turn) withdraw(was moment, epoch int64, edited bool) {
	s := t.s
	defer s.publish()
	if edited {
		if t.p.retry == nil {
			s.chat.Messages = slices.Delete(s.chat.Messages, t.user, t.user+1)
			s.chat.Undone = was.chat.Undone
		}
		s.chat.Forgotten = was.chat.Forgotten
		return
	}
	s.restore(was)
	if s.chat.Path == "" {
		s.chat.Epoch = epoch
	}
}

// recordRequest records the references and items of the request with the person's message. A retry records them
// with its reply.
func (t *Turn) recordRequest() {
	m := history.Meta{Refs: t.p.named.refs}
	m.Items = t.projectItems()
	for _, a := range t.env.Attached {
		for _, it := range t.p.engine.Attached {
			if it.Ref == a.Ref && a.State != "muted" && it.Kind != inlinedKind {
				m.Items = append(m.Items, history.Item{Ref: it.Ref, Revision: it.Revision.Short()})
			}
		}
	}
	t.meta = m
	if t.p.retry == nil || t.replied {
		t.s.chat.Messages[t.user].Meta = m
	}
}

// projectItems returns the items of the library that came from the project and that the chat does not record with
// their current revision.
func (t *Turn) projectItems() (items []history.Item) {
	project := t.s.instructions().Project
	if project == nil {
		return nil
	}
	talk, _ := recall(&t.s.chat)
	recorded := talk.Library()
	for _, l := range t.env.Library {
		if slices.Contains(project.Notes, l.Ref) &&
			!slices.ContainsFunc(recorded, func(k history.KnownItem) bool {
				return k.Ref == l.Ref && k.Revision == l.Revision.Short()
			}) {
			items = append(items, history.Item{Ref: l.Ref, Revision: l.Revision.Short()})
		}
	}
	return items
}

// fail records the error that ends the turn. A cancelled context is no error.
func (t *Turn) fail(err error) {
	a := &t.answer
	var provider *ProviderError
	var long *prompt.TooLongError
	switch {
	case errors.Is(err, context.Canceled):
		a.finish = FinishCancelled
		return
	case errors.As(err, &provider):
	case errors.Is(err, context.DeadlineExceeded):
		provider = &ProviderError{
			Kind: ErrTimeout, Retryable: true,
			Message: "The time for this turn ran out. What came is kept; try again.", Err: err,
		}
	case errors.As(err, &long):
		provider = &ProviderError{Kind: ErrContext, Message: formatSentence(long.Error()) +
			" Drop or forget something, or choose a model with a larger window.", Err: err}
	default:
		provider = &ProviderError{Kind: ErrConfig, Message: formatSentence(err.Error()), Err: err}
	}
	a.finish, a.err = FinishError, provider
	if provider.Kind == ErrCutOff {
		a.finish = FinishCutOff
	}
}

// formatSentence makes a sentence of an error text, for a message to the person.
func formatSentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(s[size:], ".") + "."
}

// hashOf returns the hash of a text, 64 hex digits.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

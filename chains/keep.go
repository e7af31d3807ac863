package chains

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// keep puts the reply, as far as it came, into the chat and saves.
func (t *Turn) keep(status history.Status) {
	s, a := t.s, &t.answer
	t.record(status)
	warnings, err := s.save()
	t.locate()
	t.warn(warnings)
	switch {
	case err != nil && !a.unsaved:
		t.emit(
			Notice{
				Kind: "not_saved",
				Text: fmt.Sprintf("The chat could not be saved: %v. It is kept in memory, and saved as soon as that works.", err),
			})
	case err == nil && s.chat.Path != "" && s.opts.Store != nil:
		t.emit(Saved{Path: string(s.chat.Path)})
	}
	if a.unsaved = err != nil; a.unsaved {
		s.keepTrying()
	}
}

// locate finds the messages of this turn again: the file, in which somebody
// else had written meanwhile, may have been merged into the chat. The reply
// always stands behind its question.
func (t *Turn) locate() {
	messages := t.s.chat.Messages
	for i := len(messages) - 1; i >= 0; i-- {
		if m := &messages[i]; m.Role == history.User && m.Text == t.p.text && m.Time.Equal(t.asked) {
			if t.user = i; t.reply > 0 {
				t.reply = i + 1
			}
			return
		}
	}
}

// record puts the reply, as far as it came, into the chat: beside the one from
// before, as long as that is to stay.
func (t *Turn) record(status history.Status) {
	s, a := t.s, &t.answer
	text := a.shown.String()
	if strings.TrimSpace(text) == "" {
		return
	}
	if a.came.IsZero() {
		a.came = s.stamp()
	}
	reply := history.Message{Role: history.Assistant, Thought: strings.TrimSpace(a.thought.String()), Text: text +
		a.footer, Status: status, Time: a.came}
	reply.Meta = history.Meta{Tools: t.p.tools.uses, Writes: t.p.tools.writes, Footer: len(a.footer)}
	if status != "" && t.keepsOld() {
		t.storeAsVariant(reply)
		return
	}
	if t.reply == 0 {
		t.replace()
		t.reply = t.user + 1
		s.chat.Messages = slices.Insert(s.chat.Messages, t.reply, reply)
	}
	m := &s.chat.Messages[t.reply]
	m.Thought, m.Text, m.Status, m.Meta = reply.Thought, reply.Text, status, reply.Meta
}

// end closes the turn: commit or go back, save, say how it ended.
func (t *Turn) end(ctx context.Context) {
	s, a := t.s, &t.answer
	if t.left || ctx.Err() != nil && a.err == nil && a.finish == "" {
		a.finish, a.err = FinishCancelled, nil
	}
	adoptFound(t)
	learnWindow(s, t.window)
	rest, _, _ := a.notes.Close()
	whole := a.err == nil && a.finish != FinishCancelled
	if whole && strings.TrimSpace(a.raw.String()) == "" {
		whole = false
		t.fail(t.emptyReplyError())
	}
	switch {
	case whole:
		t.show(rest)
		t.after = t.env.Commit(a.raw.String(), t.loop.activity())
		if a.finish == "" {
			a.finish = FinishStop
		}
		if strings.TrimSpace(a.shown.String()) == "" {
			t.replace()
		}
	default:
		t.after = t.p.conv.Aside(t.p.in.Text, a.raw.String(), s.opts.Count)
		if t.p.again != nil {
			t.p.again.failed = t.keepsOld() || strings.TrimSpace(a.shown.String()) == ""
		}
	}
	t.cite()
	if t.kept() {
		s.conv = t.after
	} else {
		s.stale = s.stale || t.p.again.stale
	}
	t.close()
	t.log(ctx, a.finish)
	restored := !t.kept() && strings.TrimSpace(a.shown.String()) != ""
	if restored {
		t.notice("kept_reply",
			"The new reply broke off: the one from before stays, and what came is kept beside it (/variants).")
	}
	if whole {
		s.startSummary(ctx, t.env, a.last)
		s.last.version, s.last.reply = s.version, a.last
	}
	t.emit(Done{Finish: a.finish, Err: a.err, Restored: restored})
}

// close writes the end of the turn into the chat.
func (t *Turn) close() {
	s, a := t.s, &t.answer
	status := t.replyStatus()
	t.record(status)
	if t.kept() && len(t.p.tools.uses) > 0 {
		t.describe()
	}
	noted := false
	if notes := t.after.Notes(); len(notes) > len(t.p.conv.Notes()) {
		noted = true
		note := history.Message{Role: history.NoteToSelf, Text: notes[len(notes)-1]}
		if t.kept() {
			s.chat.Messages = slices.Insert(s.chat.Messages, max(t.user, t.reply)+1, note)
		}
		t.noted = []history.Message{note}
	}
	t.report()
	if t.kept() {
		s.chat.Credit(t.user, s.opts.ModelName, t.reportedUsage())
	}
	t.keep(status)
	_ = t.journal.Close(&s.chat, !a.unsaved) // what it does not hold is in memory, as the notice says
	t.remember()
	if t.kept() {
		s.unanswered = a.finish == FinishCancelled && t.reply == 0 && !noted
	}
}

// kept reports whether anything of the turn stays in the chat: a turn that runs
// again may have left everything as it was.
func (t *Turn) kept() bool { return t.p.again == nil || !t.p.again.failed }

// keepsOld reports whether a reply that broke off is dropped for the one from
// before.
func (t *Turn) keepsOld() bool { return t.p.again != nil && t.p.again.whole }

// emptyReplyError blames a model that ends well and says nothing.
func (t *Turn) emptyReplyError() *ProviderError {
	finish := t.answer.finish
	if finish == "" {
		finish = FinishStop
	}
	if finish == FinishToolLimit { // the notice says which limit
		return &ProviderError{
			Kind: ErrBadReply, Retryable: true,
			Message: "The model called tools and wrote no answer. Try again, raise the limit, or choose another model.",
		}
	}
	return &ProviderError{
		Kind: ErrBadReply, Retryable: true,
		Message: fmt.Sprintf("The model sent no text (finish: %s). Try again, or choose another model.", finish),
	}
}

// replyStatus marks the reply in the chat file.
func (t *Turn) replyStatus() history.Status {
	a := &t.answer
	switch {
	case a.finish == FinishCancelled:
		return history.StatusCancelled
	case a.finish == FinishCutOff:
		return history.StatusCut
	case a.err != nil:
		return history.StatusError(string(a.err.Kind))
	case a.finish == FinishLength:
		return history.StatusLength
	case a.finish == FinishFilter:
		return history.StatusFilter
	}
	return ""
}

// measure adds up what the provider reported about a request, and looks for a
// prompt that was cut without a word.
func (t *Turn) measure(u Usage) {
	s, a := t.s, &t.answer
	t.emit(UsageReported{Usage: u, Predicted: t.env.Predicted})
	if a.requests++; u.Cached >= 0 {
		a.predicted += t.env.Predicted.Cached
	}
	if a.usage == nil {
		a.usage = &u
	} else {
		*a.usage = a.usage.Plus(u)
	}
	if slices.ContainsFunc(t.env.Messages(), func(m prompt.Message) bool { return len(m.Images) > 0 }) {
		return // what a model makes of an image is a guess that teaches nothing
	}
	counted := t.env.Predicted.Counted
	least := counted - t.p.engine.ToolTokens // some servers leave the list of tools out
	if s.opts.Calibrate.Truncated != nil && s.opts.Calibrate.Truncated(least, u.Prompt) {
		if slices.ContainsFunc(a.notices, func(n Notice) bool { return n.Kind == "truncated_by_server" }) {
			return // the rounds of a turn differ in their numbers only
		}
		t.notice("truncated_by_server",
			fmt.Sprintf(
				"The server read %s of about %s tokens: it cut the prompt. Give it a larger context window (OLLAMA_CONTEXT_LENGTH, num_ctx) or choose another model.", md.Thousands(u.Prompt), md.Thousands(counted)))
	} else if s.opts.Calibrate.Observe != nil && u.Prompt > 0 {
		s.opts.Calibrate.Observe(counted, u.Prompt)
	}
}

// report hands the provider's numbers on.
func (t *Turn) report() {
	s, usage := t.s, t.answer.usage
	if usage == nil {
		return
	}
	s.last.usage = usage
	used := history.Total{
		Model: s.opts.ModelName, Turns: 1, Requests: t.answer.requests,
		Predicted: t.answer.predicted, Usage: history.Usage(*usage),
	}
	spend(s, t.asked, used, t.kept() || t.spare > 0)
	turn := *usage
	if w := &s.tools.widening; w.spent != nil {
		turn, w.spent = turn.Plus(*w.spent), nil
	}
	t.emit(UsageReported{Usage: turn, Turn: true})
}

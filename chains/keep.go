package chains

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/history"
	"ibid/vault/md"
)

// keep records the reply so far in the chat and saves it.
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
				Text: fmt.Sprintf(
					"The chat could not be saved: %v. It is kept in memory, and saved as soon as that works.", err),
			})
	case err == nil && s.chat.Path != "" && s.opts.Store != nil:
		t.emit(Saved{Path: string(s.chat.Path)})
	}
	if a.unsaved = err != nil; a.unsaved {
		s.keepTrying()
	}
}

// locate finds the question of this turn again after a save, which may have merged what others wrote in the file
// meanwhile.
func (t *Turn) locate() {
	messages := t.s.chat.Messages
	for i := len(messages) - 1; i >= 0; i-- {
		if m := &messages[i]; m.Role == history.User && m.Text == t.p.text && m.Time.Equal(t.asked) {
			t.user = i
			return
		}
	}
}

// record puts the reply so far into the chat. While a retry may still fail, it puts it beside the earlier reply.
func (t *Turn) record(status history.Status) {
	s, a := t.s, &t.answer
	text := a.shown.String()
	if strings.TrimSpace(text) == "" {
		return
	}
	if a.came.IsZero() {
		a.came = s.messageTime()
	}
	reply := history.Message{Role: history.Assistant, Thought: strings.TrimSpace(a.thought.String()), Text: text +
		a.footer, Status: status, Time: a.came}
	reply.Notes = t.notes
	reply.Meta = history.Meta{
		Tools: t.p.tools.uses, Writes: t.p.tools.writes, Footer: len(a.footer), Footnotes: a.references.Kept,
	}
	if status != "" && t.keepsOld() {
		t.storeAsVariant(reply)
		return
	}
	if !t.replied {
		t.replace()
		t.replied = true
		s.chat.Messages = slices.Insert(s.chat.Messages, t.user+1, reply)
	}
	m := &s.chat.Messages[t.user+1]
	m.Thought, m.Text, m.Status, m.Meta, m.Notes = reply.Thought, reply.Text, status, reply.Meta, reply.Notes
}

// end finishes the turn: it commits the reply or goes back, saves, and reports how the turn ended.
func (t *Turn) end(ctx context.Context) {
	s, a := t.s, &t.answer
	if t.loopBroken || ctx.Err() != nil && a.err == nil && a.finish == "" {
		a.finish, a.err = FinishCancelled, nil
	}
	adoptFoundModel(t)
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
		a.finish = cmp.Or(a.finish, FinishStop)
		if strings.TrimSpace(a.shown.String()) == "" {
			t.replace()
		}
	default:
		t.after = t.p.conv.Aside(t.p.in.Text, a.raw.String(), s.opts.Count)
		if t.p.retry != nil {
			t.p.retry.failed = t.keepsOld() || strings.TrimSpace(a.shown.String()) == ""
		}
	}
	t.cite()
	if t.kept() {
		s.conv = t.after
	} else {
		s.stale = s.stale || t.p.retry.stale
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

// close writes the final state of the turn into the chat.
func (t *Turn) close() {
	s, a := t.s, &t.answer
	status := t.replyStatus()
	if notes := t.after.Notes(); len(notes) > len(t.p.conv.Notes()) {
		t.notes = notes[len(notes)-1:]
	}
	t.record(status)
	if t.kept() && !t.replied {
		s.chat.Messages[t.user].Notes = t.notes
	}
	if t.kept() && len(t.p.tools.uses) > 0 {
		t.recordContext()
	}
	t.report()
	if t.kept() {
		s.chat.RecordUsage(t.user, s.opts.ModelName, t.answer.usage)
	}
	t.keep(status)
	_ = t.journal.Close(&s.chat, !a.unsaved) // what the journal lacks is in memory, and not_saved said so
	t.remember()
	if t.kept() {
		s.unanswered = a.finish == FinishCancelled && !t.replied && len(t.notes) == 0
	}
}

// kept reports whether the turn leaves anything in the chat. A failed retry may leave everything as it was.
func (t *Turn) kept() bool { return t.p.retry == nil || !t.p.retry.failed }

// keepsOld reports whether the turn is a retry of a complete reply, which stays if the new reply is not complete.
func (t *Turn) keepsOld() bool { return t.p.retry != nil && t.p.retry.complete }

// emptyReplyError returns the error for a model that ended normally without any text.
func (t *Turn) emptyReplyError() *ProviderError {
	return &ProviderError{Kind: ErrBadReply, Retryable: true, Message: fmt.Sprintf(
		"The model sent no text (finish: %s). Try again, or choose another model.", cmp.Or(t.answer.finish, FinishStop))}
}

// replyStatus returns the mark of the reply in the chat file, "" for a complete one.
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

// measure adds the reported usage of a request to that of the turn, compares it with the prediction, and warns if
// the server silently cut the prompt.
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
	if (Request{Messages: t.env.Messages()}).HasImages() {
		return // the tokens of images are guesses, from which nothing can be learned
	}
	counted := t.env.Predicted.Counted
	least := counted - t.p.engine.ToolTokens // some servers do not count the list of tools
	if s.opts.Calibrate.Truncated != nil && s.opts.Calibrate.Truncated(least, u.Prompt) {
		if slices.ContainsFunc(a.notices, func(n Notice) bool { return n.Kind == "truncated_by_server" }) {
			return // it was said in this turn already, with other numbers
		}
		t.notice("truncated_by_server",
			fmt.Sprintf(
				"The server read %s of about %s tokens: it cut the prompt. Give it a larger context window (OLLAMA_CONTEXT_LENGTH, num_ctx) or choose another model.",
				md.Thousands(u.Prompt), md.Thousands(counted)))
	} else if s.opts.Calibrate.Observe != nil && u.Prompt > 0 {
		s.opts.Calibrate.Observe(counted, u.Prompt)
	}
}

// report records the usage of the turn and emits its total.
func (t *Turn) report() {
	s, usage := t.s, t.answer.usage
	if usage == nil {
		return
	}
	s.last.usage = usage
	used := history.Total{
		Model: s.opts.ModelName, Turns: 1, Requests: t.answer.requests,
		Predicted: t.answer.predicted, Usage: *usage,
	}
	spend(s, t.asked, used, t.kept() || t.variantPlace > 0)
	turn := *usage
	if w := &s.tools.widening; w.spent != nil {
		turn, w.spent = turn.Plus(*w.spent), nil
	}
	t.emit(UsageReported{Usage: turn, Turn: true})
}

package chatview

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/routine"
)

// Busy is the answer to a request for which a running turn must end first.
var Busy = page.Complain("a reply is still being written: esc stops it")

// SendQueued sends the first message of the queue.
func (c *Chat) SendQueued() tea.Cmd {
	d := c.Queue[0]
	c.Queue = c.Queue[1:]
	c.Estimate.suggested = nil // the user has not seen them
	return c.Send(d)
}

// Unqueue puts the i-th queued message back into the prompt. It reports false if there is none, or the
// prompt is not empty.
func (c *Chat) Unqueue(i int) bool {
	if i < 0 || i >= len(c.Queue) || !c.Composer.Empty() {
		return false
	}
	c.Composer.SetDraft(c.Queue[i])
	c.Queue = slices.Delete(slices.Clone(c.Queue), i, i+1)
	c.RefreshShelf()
	return true
}

// Send starts a turn, or queues its message behind the running one.
func (c *Chat) Send(d composer.Draft) tea.Cmd {
	if c.Turn.Running() {
		c.Queue = append(c.Queue, d)
		c.RefreshShelf()
		return nil
	}
	shown, now := c.shownSuggestions(), c.Now()
	fit, agreed := fitMsg{id: c.Turn.ID + 1, pages: c.Estimate.pages}, c.Estimate.agreed
	c.Estimate.pages = nil
	return c.beginTurn(d, false, func(ctx context.Context, desk *desk.Place) (tea.Msg, error) {
		return sendTurn(ctx, desk, d, fit, agreed, now, shown)
	})
}

// Retry runs the last turn again. The named model answers it this once, or with "" the one that
// answered before. after, which may be nil, runs when an answer came.
func (c *Chat) Retry(model string, after Job) tea.Cmd {
	if c.Turn.Running() {
		return c.Ask(Busy)
	}
	id := c.Turn.ID + 1
	begins := c.beginTurn(composer.Draft{Model: model}, true,
		func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
			other, err := d.ModelOf(ctx, model)
			if err != nil {
				return nil, err
			}
			turn, taken := d.Retry(ctx, other)
			return runMsg{ID: id, Seq: turn, Attached: taken}, nil
		})
	c.Turn.Input.after = after
	return begins
}

// beginTurn begins a turn whose job prepares and sends it.
func (c *Chat) beginTurn(d composer.Draft, retry bool, job Job) tea.Cmd {
	c.Naming.Stop()
	scope, now := c.Tasks.Scope(), &c.Desk
	c.Turn.Begin(scope.Cancel, d, cmp.Or(d.Model, now.Chat.Model), retry)
	c.Turn.Live.Actions = now.Actions()
	var clear tea.Cmd
	if !retry {
		clear = c.Say("") // a line from before would hide the reply
		c.Turn.Title = firstTitle(&now.Chat, d.Text)
	}
	c.RefreshShelf()
	return tea.Batch(clear, c.Tasks.After(tickTime(c.Theme, spinPace), TickMsg{c, c.Turn.ID}),
		c.Work(Work{Job: job, Tasks: scope}))
}

// firstTitle returns the title of a chat that begins with this message, "" if it has one already.
func firstTitle(chat *chains.Snapshot, text string) string {
	c := history.Chat{}
	if chat.Turns > 0 || chat.Title != c.Name() {
		return ""
	}
	c.Messages = []history.Message{{Role: history.User, Text: text}}
	return c.Name()
}

// sendTurn prepares and sends a turn, if it fits the window as agreed. Suggested notes that were shown
// and not taken will be suggested less.
func sendTurn(ctx context.Context, d *desk.Place, draft composer.Draft, fit fitMsg, agreed string, now time.Time,
	shown []vault.Path,
) (msg tea.Msg, err error) {
	defer func() {
		if p := routine.NewPanic(recover()); p != nil {
			fault := &term.Fault{Effect: "ended this turn", Panic: p}
			msg, err = runMsg{ID: fit.id, Seq: failedTurn(ctx, fault)}, nil
		}
	}()
	_ = d.LookAround() // what could be read goes along; the next look reports the error
	if fit.pages != nil {
		d.Session().AnswerPages(fit.pages.addresses, fit.pages.fetch)
	}
	in, err := input(ctx, d, draft)
	var p *chains.PendingTurn
	if err == nil {
		p, err = d.Session().Begin(ctx, in)
	}
	if err != nil {
		return runMsg{ID: fit.id, Seq: failedTurn(ctx, err)}, nil
	}
	if chosen := p.Unchecked(); len(chosen) > 0 {
		return uncheckedMsg{fit.id, chosen, d.DescribeUnchecked(chosen)}, nil
	}
	if fit.fill(p, d.Session().Options(), agreed) {
		return fit, nil
	}
	attached := d.Attached()
	d.Sent()
	if used := desk.UsageOf(d); used != nil && len(shown) > 0 {
		_ = used.Ignore(shown, now) // on an error they are suggested once more
	}
	return runMsg{ID: fit.id, Seq: d.Counted(ctx, p.Send(ctx)), Attached: attached}, nil
}

// failedTurn returns the events of a turn that could not be prepared, or was stopped before.
func failedTurn(ctx context.Context, err error) iter.Seq2[chains.Event, error] {
	return func(yield func(chains.Event, error) bool) {
		if ctx.Err() != nil {
			yield(chains.Done{Finish: chains.FinishCancelled}, nil)
			return
		}
		yield(nil, err)
	}
}

// takeIn starts the turn and waits for its events, unless another turn has begun since.
func (msg runMsg) takeIn(c *Chat) tea.Cmd {
	if msg.ID != c.Turn.ID {
		return nil
	}
	c.Turn.Input.Attached = msg.Attached
	events := make(chan TurnEvent, maxBacklog)
	return tea.Batch(c.Tasks.Start(pumpTurn(msg.Seq, events)), TurnMsg{Of: c, ID: msg.ID, Events: events}.takeIn(c))
}

// takeIn handles events and waits for more. The events of a turn that is over on the screen are still
// read, so that it can end.
func (msg TurnMsg) takeIn(c *Chat) tea.Cmd {
	var cmds []tea.Cmd
	// the end of a turn begins the next, if one is queued
	current := func() bool { return msg.ID == c.Turn.ID && c.Turn.Running() }
	for i, e := range msg.Got {
		if !current() {
			break
		}
		if i == 0 {
			c.Turn.AdvanceSpinner()
		}
		if e.Err != nil {
			cmds = append(cmds, c.abandon(e.Err))
		} else {
			cmds = append(cmds, c.attemptEvent(e.Event))
		}
	}
	if msg.Ended && current() { // without a Done event: the program is ending
		cmds = append(cmds, c.finish(chains.Done{Finish: chains.FinishCancelled}))
	}
	if !msg.Ended {
		cmds = append(cmds, c.Tasks.Start(msg.Wait(c.Theme)))
	}
	return tea.Batch(cmds...)
}

// attemptEvent handles an event. One that panics is left out; the reply goes on, and its end is its end.
func (c *Chat) attemptEvent(e chains.Event) (cmd tea.Cmd) {
	fault := term.Guard("left a part of this reply undrawn", func() { cmd = c.takeEvent(e) })
	if fault == nil {
		return cmd
	}
	if _, ends := e.(chains.Done); ends && c.Turn.Running() {
		c.Turn.End()
	}
	return c.Post(fault)
}

// takeEvent handles the parts of an event that are not about the transcript, and passes it on to the
// turn.
func (c *Chat) takeEvent(e chains.Event) tea.Cmd {
	t, chat := &c.Turn, &c.Desk.Chat
	switch e := e.(type) {
	case chains.TurnStarted:
		chat.Turns, chat.Path = e.N, e.Chat
		if t.Title != "" {
			chat.Title, t.Title = t.Title, ""
		}
	case chains.ContextReady:
		t.Notices = c.Estimate.dropKnown(t.Notices, e.Missing, &c.Desk)
		t.Sent = c.Now().Round(0) // without the monotonic clock, which may stop while the machine sleeps
		c.Estimate.setSent(e.Envelope, e.Missing, reportOf(c, e.Envelope.Turn))
		t.Apply(e)
		return tea.Batch(c.Refresh(), c.LoadImages())
	case chains.AnsweringModel:
		chat.Model = e.Options.ModelName
	case chains.Asked:
		if t.Apply(e); !c.Shown() {
			c.Approve()
		}
		return nil
	case chains.Saved:
		chat.Path = e.Path
	case chains.Notice:
		if t.Apply(e); e.Kind == "provider" && t.Open { // the reason why nothing comes yet
			t.Live.Wait, t.Live.WaitsSince = e, c.Now()
		}
		return nil
	case chains.Done:
		return tea.Batch(c.finish(e), c.LoadImages())
	}
	t.Apply(e)
	return nil
}

// finish ends a turn, and starts what follows: the next queued message, a title, a changed
// conversation.
func (c *Chat) finish(d chains.Done) tea.Cmd {
	t := &c.Turn
	came := t.Finish(d)
	what := "the reply is there"
	if d.Err != nil {
		what = d.Err.Message
	}
	cmds := []tea.Cmd{nil, c.LookAround(), c.Do(countVariants(t.LastID()))}
	t.End()
	c.RefreshShelf()
	if d.Err == nil && d.Finish == chains.FinishCancelled && !came && !t.Retry {
		c.takeBack()
		what = "stopped before the answer; your message is back in the prompt"
		cmds = append(cmds, c.Do(attach("", t.Input.Attached...)))
		if c.Shown() {
			cmds = append(cmds, c.Say(what))
		}
	} else {
		cmds = append(cmds, c.Do(reattach))
	}
	if t.Input.after != nil && came && c.Shown() {
		cmds = append(cmds, c.Do(t.Input.after))
	}
	if t.Rounds.Merged || d.Restored || t.Retry && !came {
		cmds = append(cmds, c.Do(Read(ConversationChanged{}, false, afterRetry(d)...)))
	}
	if len(c.Queue) == 0 && d.Finish == chains.FinishStop {
		cmds = append(cmds, c.Do(findTitle))
	}
	c.Failed = d.Err != nil && !c.Shown()
	cmds[0] = c.Post(TurnEnded{c, what, c.Turn.Began})
	if !c.Shown() {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, c.Forecast())
	switch {
	case len(c.Queue) == 0:
	case d.Err == nil && d.Finish != chains.FinishCancelled:
		cmds = append(cmds, c.SendQueued())
	default: // messages that were written for another answer are not sent unasked
		cmds = append(cmds, c.Say(c.DescribeQueued()))
	}
	return tea.Batch(cmds...)
}

// DescribeQueued returns the line about messages that wait in a chat without a running turn.
func (c *Chat) DescribeQueued() string {
	return theme.Plural(len(c.Queue), "message") + " still queued: enter in an empty prompt sends, ↑ takes back"
}

// afterRetry returns the notices below a chat that is shown as it was before a failed retry.
func afterRetry(d chains.Done) (lines []string) {
	if d.Err != nil {
		lines = append(lines, d.Err.Message)
	}
	if d.Restored {
		lines = append(lines, "the new reply broke off: the one from before stays, and what came is kept beside it")
	}
	return lines
}

// abandon shows why a turn did not begin. Nothing was sent, so the message goes back into the prompt.
func (c *Chat) abandon(err error) tea.Cmd {
	if !c.Turn.Retry {
		c.takeBack()
	}
	c.Turn.End()
	c.RefreshShelf()
	back := c.Do(attach("", c.Turn.Input.Attached...))
	if fault, is := errors.AsType[*term.Fault](err); is {
		back = tea.Batch(back, c.Post(fault))
	}
	if !c.Shown() {
		c.Failed = true
		return tea.Batch(back, c.Post(TurnEnded{c, err.Error(), time.Time{}}))
	}
	return tea.Batch(back, c.Forecast(), c.Complain(err.Error()))
}

// takeBack removes the message of a turn that left nothing behind, and puts it into the prompt again,
// or at the head of the queue if the prompt is not empty.
func (c *Chat) takeBack() {
	c.Turn.RemovePrompt()
	d := c.Turn.Input.Draft
	if c.promptEmpty() {
		c.setDraft(d)
		return
	}
	c.Queue = slices.Insert(c.Queue, 0, d)
}

// promptEmpty reports whether the prompt of the chat is empty.
func (c *Chat) promptEmpty() bool {
	if c.Shown() {
		return c.Composer.Empty()
	}
	return c.Draft.Text == ""
}

// setDraft puts a draft into the prompt of the chat.
func (c *Chat) setDraft(d composer.Draft) {
	if c.Shown() {
		c.Composer.SetDraft(d)
		return
	}
	c.Draft = d
}

package ui

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
)

// submit acts on enter: it sends, queues, or runs a command.
func (m *Model) submit() tea.Cmd {
	text := m.composer.Value()
	switch {
	case m.composer.Empty() && len(m.k.Queue) > 0 && !m.k.Turn.Running():
		return m.sendQueued()
	case term.IsBlank(text):
		return nil
	case strings.TrimSpace(text) == "/":
		return m.complain("no command is named: /help lists them")
	}
	d := m.composer.Take()
	m.k.Estimate.Typed, m.k.Cleared = nil, nil
	switch {
	case desk.IsCommand(text) && !beginsPasted(d):
		return m.runLine(text, chatview.SpansOf(d)...)
	case m.k.Turn.Running():
		m.k.Queue = append(m.k.Queue, d)
		m.refreshShelf()
		return nil
	}
	return m.send(d)
}

// beginsPasted reports whether the first character of a draft was pasted: then it
// is text, also if it is a slash.
func beginsPasted(d composer.Draft) bool {
	return len(d.Spans) > 0 && d.Spans[0].From == 0 && d.Spans[0].Pick == ""
}

// sendQueued sends what was written while another turn ran.
func (m *Model) sendQueued() tea.Cmd {
	d := m.k.Queue[0]
	m.k.Queue = m.k.Queue[1:]
	m.k.Suggested = nil // nobody has looked at them
	return m.send(d)
}

// unqueue takes a queued prompt back to be edited, if there is one and nothing stands
// in the prompt.
func (m *Model) unqueue(i int) bool {
	if i < 0 || i >= len(m.k.Queue) || !m.composer.Empty() {
		return false
	}
	m.composer.SetDraft(m.k.Queue[i])
	m.k.Queue = slices.Delete(slices.Clone(m.k.Queue), i, i+1)
	m.refreshShelf()
	return true
}

// send starts a turn.
func (m *Model) send(d composer.Draft) tea.Cmd {
	if most, full := mostRun(&m.k); full {
		return tea.Batch(m.setDraft(d), m.toast.show(m.tasks, most))
	}
	m.k.Naming.Stop()
	ignored := shownSuggestions(m)
	scope := m.tasks.Scope()
	m.toast.Text = "" // what was said before would hide the reply
	m.k.Turn.Begin(scope.Cancel, d, cmp.Or(d.Model, m.k.Desk.Chat.Model), false)
	m.k.Turn.Live.Actions = m.k.Desk.Actions()
	m.k.Turn.Title = firstTitle(&m.k.Desk.Chat, d.Text)
	m.refreshShelf()
	m.k.Turn.Live.Reads = chatview.ReadsFor(m.k.Desk.Attached, d)
	return tea.Batch(m.k.Turn.FirstTick(m.tasks, m.k.Theme, m.k.Chat), m.jobs.add(waitingJob{tasks: scope, of: m.k.Chat, job: sendTurn{m.k.Turn.ID, d, m.k.Estimate.Agreed, lookAround{m.k.Turn.Began}, ignored}}))
}

// retry runs the last turn again.
func (m *Model) retry() tea.Cmd {
	if m.k.Turn.Running() {
		return m.toast.show(m.tasks, busy)
	}
	if most, full := mostRun(&m.k); full {
		return m.toast.show(m.tasks, most)
	}
	m.k.Naming.Stop()
	scope := m.tasks.Scope()
	m.k.Turn.Begin(scope.Cancel, composer.Draft{}, m.k.Desk.Chat.Model, true)
	m.k.Turn.Live.Actions = m.k.Desk.Actions()
	m.refreshShelf()
	return tea.Batch(m.k.Turn.FirstTick(m.tasks, m.k.Theme, m.k.Chat), m.jobs.add(waitingJob{tasks: scope, of: m.k.Chat, job: retryTurn{m.k.Turn.ID}}))
}

// firstTitle is what a chat will be called that begins with this message, "" if
// it has a name already.
func firstTitle(chat *chains.Snapshot, text string) string {
	c := history.Chat{}
	if chat.Turns > 0 || chat.Title != c.Name() {
		return ""
	}
	c.Messages = []history.Message{{Role: history.User, Text: text}}
	return c.Name()
}

// sendTurn sends what was written, if it fits the window as was agreed.
type sendTurn struct {
	id     int
	draft  composer.Draft
	agreed string
	look   lookAround
	shown  []vault.Path // suggested, and not taken
}

func (j sendTurn) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	_ = d.LookAroundAt(j.look.now) // what could be read goes along; the next look says what could not
	in, err := chatview.Input(ctx, d, j.draft)
	if err != nil {
		return chatview.RunMsg{ID: j.id, Seq: noTurn(ctx, err)}, nil
	}
	var p *chains.Pending
	s := d.Session()
	d.Aside(func() { p, err = s.Begin(ctx, in) })
	if err != nil {
		return chatview.RunMsg{ID: j.id, Seq: noTurn(ctx, err)}, nil
	}
	if msg := fitDecision(p, s.Options(), j.id, j.agreed); msg != nil {
		return msg, nil
	}
	attached := d.Attached()
	d.Sent()
	if used := desk.UsageOf(d); used != nil && len(j.shown) > 0 {
		_ = used.Ignore(j.shown, j.look.now) // at worst they are suggested once more
	}
	return chatview.RunMsg{ID: j.id, Seq: d.Counted(ctx, p.Send(ctx)), Attached: attached}, nil
}

// noTurn is a turn that could not be prepared, or that was stopped before.
func noTurn(ctx context.Context, err error) iter.Seq2[chains.Event, error] {
	return func(yield func(chains.Event, error) bool) {
		if ctx.Err() != nil {
			yield(chains.Done{Finish: chains.FinishCancelled}, nil)
			return
		}
		yield(nil, err)
	}
}

// retryTurn runs the last turn again.
type retryTurn struct{ id int }

func (j retryTurn) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	turn, taken := d.Retry(ctx)
	return chatview.RunMsg{ID: j.id, Seq: turn, Attached: taken}, nil
}

// runTurn ranges over the turn and waits for its events.
func (m *Model) runTurn(c *chatview.Chat, msg chatview.RunMsg) tea.Cmd {
	first, pump, ok := c.Follow(msg)
	if !ok {
		return nil
	}
	return tea.Batch(m.tasks.Start(pump), m.turnEvents(first))
}

// turnEvents takes events over and waits for more. A turn that is over
// on screen is read on, so that it can end.
func (m *Model) turnEvents(msg chatview.TurnMsg) tea.Cmd {
	var cmds []tea.Cmd
	c := msg.Of
	if c != m.k.Chat && !msg.Ended && !msg.Urgent() {
		m.drawing.version-- // nobody sees it
	}
	current := func() bool { return msg.ID == c.Turn.ID && c.Turn.Running() } // the end of a turn begins the next, if one is queued
	for i, e := range msg.Got {
		if !current() {
			break
		}
		if i == 0 {
			c.Turn.TurnWithText()
		}
		if e.Err != nil {
			cmds = append(cmds, abandon(m, c, e.Err))
		} else {
			cmds = append(cmds, m.turnEvent(c, e.Event))
		}
	}
	if msg.Ended && current() { // without a last word: the program is ending
		cmds = append(cmds, m.finish(c, chains.Done{Finish: chains.FinishCancelled}))
	}
	if !msg.Ended {
		cmds = append(cmds, m.tasks.Start(msg.Wait(m.k.Theme)))
	}
	return tea.Batch(cmds...)
}

// turnEvent takes over what an event says beyond the transcript.
func (m *Model) turnEvent(c *chatview.Chat, e chains.Event) tea.Cmd {
	t, chat := &c.Turn, &c.Desk.Chat
	switch e := e.(type) {
	case chains.TurnStarted:
		chat.Turns, chat.Path = e.N, e.Chat
		if t.Title != "" {
			chat.Title, t.Title = t.Title, ""
		}
		m.drawing.rails.version++
	case chains.ContextReady:
		t.Notices = c.Estimate.DropKnown(t.Notices, e.Missing, &c.Desk)
		t.Sent = m.k.Now().Round(0) // by the wall: another clock may stop while the machine sleeps
		c.Estimate.SetSent(e.Envelope, e.Missing, chatview.ReportOf(c, e.Envelope.Turn))
		t.Apply(e)
		return tea.Batch(m.toPage(page.RefreshMsg{}), illustrate(m, c))
	case chains.Answering:
		chat.Model = e.Options.ModelName
		m.drawing.rails.version++
	case chains.Asked:
		t.Apply(e)
		return askedBehind(m, c)
	case chains.Saved:
		chat.Path = e.Path
	case chains.Notice:
		if t.Apply(e); e.Kind == "provider" && t.Open { // why nothing comes yet
			t.Live.Wait, t.Live.Waits = e, m.k.Now()
		}
		return nil
	case chains.Done:
		return tea.Batch(m.finish(c, e), illustrate(m, c))
	}
	t.Apply(e)
	return nil
}

// finish ends a turn.
func (m *Model) finish(c *chatview.Chat, d chains.Done) tea.Cmd {
	t := &c.Turn
	came := t.Finish(d)
	what := "the reply is there"
	if d.Err != nil {
		what = d.Err.Message
	}
	tell := notify(m, t, theme.OneLine(c.Desk.Chat.Title)+": "+what)
	t.End()
	m.refreshShelf()
	cmds := []tea.Cmd{tell, m.workIn(c, lookAround{m.k.Now()}), m.workIn(c, countVariants{t.LastID()}), m.listChats("")}
	if d.Err == nil && d.Finish == chains.FinishCancelled && !came && !t.Retry {
		before := "anything came"
		if t.Rounds.Step > 0 {
			before = "the answer; what was looked up is dropped"
		}
		takeBack(m, c)
		what = "stopped before " + before + "; your message is back in the prompt"
		cmds = append(cmds, m.workIn(c, attachRefs{refs: t.Input.Attached}))
		if c == m.k.Chat {
			cmds = append(cmds, m.say(what))
		}
	} else {
		cmds = append(cmds, m.workIn(c, carry{}))
	}
	if t.Rounds.Merged || d.Restored || t.Retry && !came {
		cmds = append(cmds, m.workIn(c, loadChat{after: afterRetry(d)}))
	}
	if len(c.Queue) == 0 && d.Finish == chains.FinishStop {
		cmds = append(cmds, m.workIn(c, findTitle{}))
	}
	if c != m.k.Chat {
		c.Failed = d.Err != nil
		return tea.Batch(append(cmds, endBehind(m, c, what))...)
	}
	cmds = append(cmds, m.forecast())
	switch {
	case len(c.Queue) == 0:
	case d.Err == nil && d.Finish != chains.FinishCancelled:
		cmds = append(cmds, m.sendQueued())
	default: // what was written for another answer is not sent unasked
		cmds = append(cmds, m.say(stillQueued(c)))
	}
	return tea.Batch(cmds...)
}

// stillQueued says that messages wait in a chat in which nothing runs.
func stillQueued(c *chatview.Chat) string {
	return theme.Plural(len(c.Queue), "message") + " still queued: enter in an empty prompt sends, ↑ takes back"
}

// afterRetry is what is said once the chat is shown again as it was.
func afterRetry(d chains.Done) (lines []string) {
	if d.Err != nil {
		lines = append(lines, d.Err.Message)
	}
	if d.Restored {
		lines = append(lines, "the new reply broke off: the one from before stays, and what came is kept beside it")
	}
	return lines
}

// abandon says why a turn did not begin; nothing was sent, so the prompt comes back.
func abandon(m *Model, c *chatview.Chat, err error) tea.Cmd {
	if !c.Turn.Retry {
		takeBack(m, c)
	}
	c.Turn.End()
	m.refreshShelf()
	back := m.workIn(c, attachRefs{refs: c.Turn.Input.Attached})
	if c != m.k.Chat {
		c.Failed = true
		return tea.Batch(back, endBehind(m, c, err.Error()))
	}
	return tea.Batch(back, m.forecast(), m.complain(err.Error()))
}

// takeBack removes the message of a turn that left nothing behind, and puts it
// into the prompt again, or at the head of the queue if something else is there.
func takeBack(m *Model, c *chatview.Chat) {
	c.Turn.RemovePrompt()
	d := c.Turn.Input.Draft
	switch {
	case c == m.k.Chat && m.composer.Empty():
		m.composer.SetDraft(d)
	case c != m.k.Chat && c.Draft.Text == "":
		c.Draft = d
	default:
		c.Queue = slices.Insert(c.Queue, 0, d)
	}
}

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
	case m.composer.Empty() && len(m.k.queue) > 0 && !m.k.turn.running():
		return m.sendQueued()
	case term.IsBlank(text):
		return nil
	case strings.TrimSpace(text) == "/":
		return m.complain("no command is named: /help lists them")
	}
	d := m.composer.Take()
	m.k.estimate.typed, m.k.cleared = nil, nil
	switch {
	case desk.IsCommand(text) && !beginsPasted(d):
		return m.runLine(text, spansOf(d)...)
	case m.k.turn.running():
		m.k.queue = append(m.k.queue, d)
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
	d := m.k.queue[0]
	m.k.queue = m.k.queue[1:]
	m.k.suggested = nil // nobody has looked at them
	return m.send(d)
}

// unqueue takes a queued prompt back to be edited, if there is one and nothing stands
// in the prompt.
func (m *Model) unqueue(i int) bool {
	if i < 0 || i >= len(m.k.queue) || !m.composer.Empty() {
		return false
	}
	m.composer.SetDraft(m.k.queue[i])
	m.k.queue = slices.Delete(slices.Clone(m.k.queue), i, i+1)
	m.refreshShelf()
	return true
}

// send starts a turn.
func (m *Model) send(d composer.Draft) tea.Cmd {
	if most, full := mostRun(&m.k); full {
		return tea.Batch(m.setDraft(d), m.carryOut(most))
	}
	m.k.naming.stop()
	ignored := shown(m)
	scope := m.tasks.Scope()
	m.toast.Text = "" // what was said before would hide the reply
	m.k.turn.begin(scope.Cancel, d, cmp.Or(d.Model, m.k.desk.chat.Model), false)
	m.k.turn.live.actions = m.k.desk.actions()
	m.k.turn.title = firstTitle(&m.k.desk.chat, d.Text)
	m.refreshShelf()
	m.k.turn.live.reads = readsFor(m.k.desk.attached, d)
	return tea.Batch(firstTick(m), m.jobs.add(waitingJob{tasks: scope, of: m.k.conversation, job: sendTurn{m.k.turn.id, d, m.k.estimate.agreed, lookAround{m.k.turn.began}, ignored}}))
}

// retry runs the last turn again.
func (m *Model) retry() tea.Cmd {
	if m.k.turn.running() {
		return m.carryOut(busy)
	}
	if most, full := mostRun(&m.k); full {
		return m.carryOut(most)
	}
	m.k.naming.stop()
	scope := m.tasks.Scope()
	m.k.turn.begin(scope.Cancel, composer.Draft{}, m.k.desk.chat.Model, true)
	m.k.turn.live.actions = m.k.desk.actions()
	m.refreshShelf()
	return tea.Batch(firstTick(m), m.jobs.add(waitingJob{tasks: scope, of: m.k.conversation, job: retryTurn{m.k.turn.id}}))
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
	in, err := input(ctx, d, j.draft)
	if err != nil {
		return runMsg{id: j.id, seq: noTurn(ctx, err)}, nil
	}
	var p *chains.Pending
	s := d.Session()
	d.Aside(func() { p, err = s.Begin(ctx, in) })
	if err != nil {
		return runMsg{id: j.id, seq: noTurn(ctx, err)}, nil
	}
	if msg := tight(p, s.Options(), j.id, j.agreed); msg != nil {
		return msg, nil
	}
	attached := d.Attached()
	d.Sent()
	if used := desk.UsageOf(d); used != nil && len(j.shown) > 0 {
		_ = used.Ignore(j.shown, j.look.now) // at worst they are suggested once more
	}
	return runMsg{j.id, d.Counted(ctx, p.Send(ctx)), attached}, nil
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
	return runMsg{j.id, turn, taken}, nil
}

// runTurn ranges over the turn and waits for its events.
func (m *Model) runTurn(c *conversation, msg runMsg) tea.Cmd {
	if msg.id != c.turn.id {
		return nil
	}
	c.turn.input.attached = msg.attached
	events := newHandover()
	return tea.Batch(m.tasks.Start(pump(msg.seq, events)), m.turnEvents(turnMsg{of: c, id: msg.id, events: events}))
}

// turnEvents takes events over and waits for more. A turn that is over
// on screen is read on, so that it can end.
func (m *Model) turnEvents(msg turnMsg) tea.Cmd {
	var cmds []tea.Cmd
	c := msg.of
	if c != m.k.conversation && !msg.ended && !slices.ContainsFunc(msg.got, urgent) {
		m.drawing.version-- // nobody sees it
	}
	current := func() bool { return msg.id == c.turn.id && c.turn.running() } // the end of a turn begins the next, if one is queued
	for i, e := range msg.got {
		if !current() {
			break
		}
		if i == 0 {
			c.turn.turnWithText()
		}
		if e.err != nil {
			cmds = append(cmds, abandon(m, c, e.err))
		} else {
			cmds = append(cmds, m.turnEvent(c, e.event))
		}
	}
	if msg.ended && current() { // without a last word: the program is ending
		cmds = append(cmds, m.finish(c, chains.Done{Finish: chains.FinishCancelled}))
	}
	if !msg.ended {
		msg.pace = stepTime(m.k.Theme, pace)
		cmds = append(cmds, m.tasks.Start(waitTurn(msg)))
	}
	return tea.Batch(cmds...)
}

// turnEvent takes over what an event says beyond the transcript.
func (m *Model) turnEvent(c *conversation, e chains.Event) tea.Cmd {
	t, chat := &c.turn, &c.desk.chat
	switch e := e.(type) {
	case chains.TurnStarted:
		chat.Turns, chat.Path = e.N, e.Chat
		if t.title != "" {
			chat.Title, t.title = t.title, ""
		}
		m.drawing.rails.version++
	case chains.ContextReady:
		t.notices = c.estimate.dropKnown(t.notices, e.Missing, &c.desk)
		t.sent = m.k.Now().Round(0) // by the wall: another clock may stop while the machine sleeps
		c.estimate.setSent(e.Envelope, e.Missing, reportOf(c, e.Envelope.Turn))
		t.apply(e)
		return tea.Batch(m.toPage(page.RefreshMsg{}), illustrate(m, c))
	case chains.Answering:
		chat.Model = e.Options.ModelName
		m.drawing.rails.version++
	case chains.Asked:
		t.apply(e)
		return askedBehind(m, c)
	case chains.Saved:
		chat.Path = e.Path
	case chains.Notice:
		if t.apply(e); e.Kind == "provider" && t.open { // why nothing comes yet
			t.live.wait, t.live.waits = e, m.k.Now()
		}
		return nil
	case chains.Done:
		return tea.Batch(m.finish(c, e), illustrate(m, c))
	}
	t.apply(e)
	return nil
}

// finish ends a turn.
func (m *Model) finish(c *conversation, d chains.Done) tea.Cmd {
	t := &c.turn
	came := t.finish(d)
	what := "the reply is there"
	if d.Err != nil {
		what = d.Err.Message
	}
	tell := notify(m, t, theme.OneLine(c.desk.chat.Title)+": "+what)
	t.end()
	m.refreshShelf()
	cmds := []tea.Cmd{tell, m.workIn(c, lookAround{m.k.Now()}), m.workIn(c, countVariants{t.lastID()}), m.listChats()}
	if d.Err == nil && d.Finish == chains.FinishCancelled && !came && !t.retry {
		before := "anything came"
		if t.rounds.step > 0 {
			before = "the answer; what was looked up is dropped"
		}
		takeBack(m, c)
		what = "stopped before " + before + "; your message is back in the prompt"
		cmds = append(cmds, m.workIn(c, attachRefs{refs: t.input.attached}))
		if c == m.k.conversation {
			cmds = append(cmds, m.say(what))
		}
	} else {
		cmds = append(cmds, m.workIn(c, carry{}))
	}
	if t.rounds.merged || d.Restored || t.retry && !came {
		cmds = append(cmds, m.workIn(c, loadChat{after: afterRetry(d)}))
	}
	if len(c.queue) == 0 && d.Finish == chains.FinishStop {
		cmds = append(cmds, m.workIn(c, findTitle{}))
	}
	if c != m.k.conversation {
		c.failed = d.Err != nil
		return tea.Batch(append(cmds, endBehind(m, c, what))...)
	}
	cmds = append(cmds, m.forecast())
	switch {
	case len(c.queue) == 0:
	case d.Err == nil && d.Finish != chains.FinishCancelled:
		cmds = append(cmds, m.sendQueued())
	default: // what was written for another answer is not sent unasked
		cmds = append(cmds, m.say(stillQueued(c)))
	}
	return tea.Batch(cmds...)
}

// stillQueued says that messages wait in a chat in which nothing runs.
func stillQueued(c *conversation) string {
	return theme.Plural(len(c.queue), "message") + " still queued: enter in an empty prompt sends, ↑ takes back"
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
func abandon(m *Model, c *conversation, err error) tea.Cmd {
	if !c.turn.retry {
		takeBack(m, c)
	}
	c.turn.end()
	m.refreshShelf()
	back := m.workIn(c, attachRefs{refs: c.turn.input.attached})
	if c != m.k.conversation {
		c.failed = true
		return tea.Batch(back, endBehind(m, c, err.Error()))
	}
	return tea.Batch(back, m.forecast(), m.complain(err.Error()))
}

// takeBack removes the message of a turn that left nothing behind, and puts it
// into the prompt again, or at the head of the queue if something else is there.
func takeBack(m *Model, c *conversation) {
	c.turn.removePrompt()
	d := c.turn.input.draft
	switch {
	case c == m.k.conversation && m.composer.Empty():
		m.composer.SetDraft(d)
	case c != m.k.conversation && c.draft.Text == "":
		c.draft = d
	default:
		c.queue = slices.Insert(c.queue, 0, d)
	}
}

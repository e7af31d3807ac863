package ui

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// How a turn reaches the screen. The turn's goroutine waits when backlog events
// are not taken yet, so a slow screen slows the connection and nothing piles up.
// pace is the least time between two looks at text that streams in.
const (
	backlog = 64
	pace    = 33 * time.Millisecond
	spin    = 120 * time.Millisecond
)

// moment is one event of a running turn, or why there was no turn.
type moment struct {
	event chains.Event
	err   error
}

// turn is the turn that runs, and what waits behind it.
type turn struct {
	id       int                // of the newest turn; messages of others are late
	cancel   context.CancelFunc // nil while none runs
	draft    composer.Draft     // what was sent, to be given back
	title    string             // what a chat is called that this turn begins, "" if it has a name
	attached []prompt.Ref       // what was attached to it by hand
	retry    bool               // it answers a message that is there already
	asked    bool               // the message is on disk
	reply    int                // counts the replies of the turn: tools divide them
	open     bool               // a reply streams
	late     []chains.Notice    // to be told
	env      *prompt.Envelope
	merged   bool // the file was changed outside meanwhile
	began    time.Time
	think    time.Time // when the thinking began, zero if it has not or is over

	queue   []composer.Draft
	prompts []string // ids of the person's messages in the transcript
	last    inspector.Last
	told    bool      // the provider reported its numbers
	sent    time.Time // when the last request went out
	saved   time.Time
}

func (t *turn) running() bool { return t.cancel != nil }

// forget drops what belongs to another conversation.
func (t *turn) forget() {
	t.prompts, t.title, t.last, t.env, t.sent, t.saved = nil, "", inspector.Last{}, nil, time.Time{}, time.Time{}
}

func (t *turn) youID() string   { return fmt.Sprintf("t%d", t.id) }
func (t *turn) replyID() string { return fmt.Sprintf("t%dr%d", t.id, t.reply) }

// turnReadyMsg brings a turn that waits to be run.
type turnReadyMsg struct {
	id       int
	seq      iter.Seq2[chains.Event, error]
	attached []prompt.Ref // by hand, off the shelf now
}

// turnMsg brings what happened in a turn since the last one. ended says that no
// more will come.
type turnMsg struct {
	id     int
	events <-chan moment
	got    []moment
	at     time.Time
	ended  bool
}

// spinMsg turns the sign of a running turn.
type spinMsg struct{ id int }

// firstTitle is what a chat will be called that begins with this message, "" if
// it has a name already.
func (m *Model) firstTitle(text string) string {
	c := history.Chat{}
	if chat := &m.desk.state.chat; chat.Turns > 0 || chat.Title != c.Name() {
		return ""
	}
	c.Messages = []history.Message{{Role: history.User, Text: text}}
	return c.Name()
}

// submit acts on enter: it sends, queues, or runs a command.
func (m *Model) submit() tea.Cmd {
	text := m.composer.Value()
	switch {
	case m.composer.Empty() && len(m.turn.queue) > 0 && !m.turn.running():
		return m.sendQueued()
	case isBlank(text):
		return nil
	case desk.IsCommand(text):
		m.composer.Take()
		m.attach.picked = nil
		return m.runLine(text)
	case m.turn.running():
		m.turn.queue = append(m.turn.queue, m.composer.Take())
		m.refreshShelf()
		return nil
	}
	m.attach.picked = nil
	return m.send(m.composer.Take())
}

// sendQueued sends what was written while another turn ran.
func (m *Model) sendQueued() tea.Cmd {
	d := m.turn.queue[0]
	m.turn.queue = m.turn.queue[1:]
	return m.send(d)
}

// send starts a turn.
func (m *Model) send(d composer.Draft) tea.Cmd {
	now := m.opt.now()
	begin := m.startTurn(d, now)
	m.turn.title = m.firstTitle(d.Text)
	m.turn.prompts = append(m.turn.prompts, m.turn.youID())
	m.transcript.Append(transcript.Message{ID: m.turn.youID(), Role: transcript.You, Text: d.Text, At: now})
	m.transcript.Bottom()
	id, text, agreed := m.turn.id, d.Text, m.estimate.fit.agreed
	return m.desk.run(begin, func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		if a, err := d.Look(now); err == nil {
			d.SetAround(a)
		}
		p, err := d.Session().Begin(ctx, d.Input(text))
		if err != nil {
			return turnReadyMsg{id: id, seq: neverBegun(ctx, err)}, nil
		}
		if msg := tight(p, d.Session().Options(), id, agreed); msg != nil {
			return msg, nil
		}
		attached := d.Attached()
		d.Sent()
		return turnReadyMsg{id, p.Send(ctx), attached}, nil
	})
}

// neverBegun is a turn that could not be prepared, or that was stopped before.
func neverBegun(ctx context.Context, err error) iter.Seq2[chains.Event, error] {
	return func(yield func(chains.Event, error) bool) {
		if ctx.Err() != nil {
			yield(chains.Done{Finish: chains.FinishCancelled}, nil)
			return
		}
		yield(nil, err)
	}
}

// retry runs the last turn again.
func (m *Model) retry() tea.Cmd {
	if m.turn.running() {
		return m.complain("a reply is still being written: esc stops it")
	}
	begin := m.startTurn(composer.Draft{}, m.opt.now())
	m.turn.retry = true
	id := m.turn.id
	return m.desk.run(begin, func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		return turnReadyMsg{id: id, seq: d.Session().Retry(ctx)}, nil
	})
}

// startTurn makes room for a turn and says how long its work may live.
func (m *Model) startTurn(d composer.Draft, now time.Time) func(work) tea.Cmd {
	begin, cancel := m.crew.scope()
	old := m.turn
	m.turn = turn{id: old.id + 1, cancel: cancel, draft: d, began: now, queue: old.queue, prompts: old.prompts, title: old.title, last: old.last, sent: old.sent, saved: old.saved}
	m.refreshShelf()
	return begin
}

// runTurn ranges over the turn and waits for its events.
func (m *Model) runTurn(msg turnReadyMsg) tea.Cmd {
	if msg.id != m.turn.id {
		return nil
	}
	m.turn.attached = msg.attached
	events := make(chan moment, backlog)
	run := m.crew.begin(func(ctx context.Context) tea.Msg {
		defer close(events)
		for e, err := range msg.seq {
			select {
			case events <- moment{e, err}:
			case <-ctx.Done(): // nobody reads any more; go on, so that the reply is saved
			}
		}
		return nil
	})
	return tea.Batch(run, m.crew.begin(waitTurn(msg.id, events, time.Time{})), m.crew.after(spin, spinMsg{msg.id}))
}

// waitTurn waits for one event and drains the rest. Text waits until pace has
// passed since the last time; everything else, and the first of it, is told at once.
func waitTurn(id int, events <-chan moment, last time.Time) work {
	return func(ctx context.Context) tea.Msg {
		msg := turnMsg{id: id, events: events}
		var due <-chan time.Time
		for {
			select {
			case e, ok := <-events:
				msg.ended = !ok
				if ok {
					msg.got = append(msg.got, e)
				}
				if !ok || urgent(e) {
					msg.at = time.Now()
					return msg
				}
			case <-due:
				msg.at = time.Now()
				return msg
			case <-ctx.Done():
				return nil
			}
			if due == nil {
				t := time.NewTimer(max(pace-time.Since(last), 0))
				defer t.Stop()
				due = t.C
			}
		}
	}
}

// urgent reports whether an event is worth a look at once.
func urgent(e moment) bool {
	switch e.event.(type) {
	case chains.TextDelta, chains.ReasoningDelta, chains.Saved:
		return false
	}
	return true
}

// turned takes in what happened.
func (m *Model) turned(msg turnMsg) tea.Cmd {
	if msg.id != m.turn.id || !m.turn.running() {
		return m.abandoned(msg)
	}
	var cmds []tea.Cmd
	for _, e := range msg.got {
		if e.err != nil {
			cmds = append(cmds, m.notBegun(e.err))
			continue
		}
		cmds = append(cmds, m.happened(e.event))
	}
	switch {
	case !msg.ended:
		cmds = append(cmds, m.crew.begin(waitTurn(msg.id, msg.events, msg.at)))
	case m.turn.running(): // without a last word: the program is ending
		cmds = append(cmds, m.finish(chains.Done{Finish: chains.FinishCancelled}))
	}
	return tea.Batch(cmds...)
}

// abandoned goes on reading a turn that nobody waits for, so that it can end.
func (m *Model) abandoned(msg turnMsg) tea.Cmd {
	if msg.ended {
		return nil
	}
	return m.crew.begin(waitTurn(msg.id, msg.events, msg.at))
}

// happened takes in one event of the running turn.
func (m *Model) happened(e chains.Event) tea.Cmd {
	t := &m.turn
	switch e := e.(type) {
	case chains.TurnStarted:
		t.asked = true
		chat := &m.desk.state.chat
		chat.Turns = e.N
		if t.title != "" {
			chat.Title, t.title = t.title, ""
		}
		if chat.Path = e.Chat; e.Chat != "" {
			t.saved = m.opt.now()
		}
		m.sides.version++
		m.clearRetried()
	case chains.ContextReady:
		env := e.Envelope
		t.env, t.sent = &env, m.opt.now()
		t.told = false
		m.estimate.took(env, e.Missing, m.facts(env.Turn))
		m.labelSent(env)
		m.hush(e.Missing)
		m.tellLate()
		m.beginReply()
	case chains.TextDelta:
		m.stream().AppendText(e.Text)
		m.thought()
	case chains.ReasoningDelta:
		m.stream().AppendReasoning(e.Text)
		if t.think.IsZero() {
			t.think = m.opt.now()
		}
	case chains.ToolStarted:
		m.endReply(transcript.Complete)
		m.transcript.Append(toolMessage(t.id, e.Call, transcript.ToolRunning, ""))
	case chains.ToolDone:
		state, text := transcript.ToolDone, e.Result
		if e.Err != "" {
			state, text = transcript.ToolFailed, e.Err
		}
		m.transcript.Update(toolMessage(t.id, e.Call, state, text))
	case chains.UsageReported:
		m.tookUsage(e.Usage)
	case chains.Notice:
		t.merged = t.merged || e.Kind == "merged" || e.Kind == "conflict"
		t.late = append(t.late, e)
		// What notices are about is known when the request is; during a reply
		// they wait until it is whole.
		if t.env != nil && !t.open {
			m.tellLate()
		}
	case chains.Saved:
		t.saved = m.opt.now()
		m.desk.state.chat.Path = e.Path
	case chains.Done:
		return m.finish(e)
	}
	return nil
}

// tookUsage keeps the provider's numbers beside the prediction.
func (m *Model) tookUsage(u chains.Usage) {
	t := &m.turn
	t.told = true
	t.last = inspector.Last{Turn: m.desk.state.chat.Turns, Sent: u.Prompt, Cached: u.Cached, New: inspector.NotReported, Completion: u.Completion, Cost: cost(u.Cost)}
	if u.Prompt >= 0 && u.Cached >= 0 {
		t.last.New = max(u.Prompt-u.Cached, 0)
	}
	if t.env != nil {
		t.last.Turn, t.last.Predicted = t.env.Turn, t.env.Predicted.Cached
	}
	if reply, ok := m.transcript.Message(t.replyID()); ok && t.open && t.reply == 1 && u.Reasoning > 0 {
		m.stream().Thought(reply.Thought, u.Reasoning)
	}
}

// cost is a price in dollars, "" if there is none worth a word.
func cost(dollars float64) string {
	switch {
	case dollars <= 0:
		return ""
	case dollars < 0.0001:
		return "under $0.0001"
	}
	return fmt.Sprintf("$%.4f", dollars)
}

// notBegun says why a turn did not begin; nothing was sent, so the prompt comes back.
func (m *Model) notBegun(err error) tea.Cmd {
	if !m.turn.retry {
		m.takeBack()
	}
	attached := m.turn.attached
	m.endTurn()
	again := m.errand(func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		d.Attach(attached...)
		return nil, nil
	})
	return tea.Batch(again, m.complain(err.Error()))
}

func (m *Model) endTurn() {
	m.turn.cancel() // frees what belongs to its context
	m.turn.cancel = nil
	m.refreshShelf()
}

// finish ends the turn on screen.
func (m *Model) finish(d chains.Done) tea.Cmd {
	status := transcript.Complete
	switch d.Finish {
	case chains.FinishCancelled:
		status = transcript.Cancelled
	case chains.FinishLength:
		status = transcript.CutOff
	case chains.FinishError, chains.FinishCutOff:
		status = transcript.Failed
	case chains.FinishStop, chains.FinishTools, chains.FinishFilter:
	}
	if env := m.turn.env; env != nil && !m.turn.told {
		const no = inspector.NotReported
		m.turn.last = inspector.Last{Turn: env.Turn, Sent: no, Cached: no, New: no, Completion: no, Predicted: env.Predicted.Cached}
	}
	came := m.endReply(status) || m.turn.reply > 1
	m.tellLate()
	m.endTurn()
	cmds := []tea.Cmd{m.errand(lookAround(m.opt.now())), m.reckon(), m.listChats()}
	switch {
	case d.Err != nil:
		m.transcript.Append(transcript.Message{Role: transcript.Error, Text: d.Err.Message, Fix: fixFor(d.Err)})
	case d.Finish == chains.FinishCancelled && !came && !m.turn.retry:
		m.takeBack()
		cmds = append(cmds, m.say("stopped before anything came; your message is back in the prompt"))
	case d.Finish == chains.FinishStop && !came:
		m.transcript.Append(transcript.Message{Role: transcript.Error, Text: "The model answered with nothing.", Fix: "ctrl+x . sends the message again"})
	}
	if m.turn.merged || m.turn.retry && !came {
		cmds = append(cmds, m.errand(load("", "", false)))
	}
	switch {
	case len(m.turn.queue) == 0:
	case d.Err == nil && d.Finish != chains.FinishCancelled:
		cmds = append(cmds, m.sendQueued())
	default: // what was written for another answer is not sent unasked
		cmds = append(cmds, m.say(theme.Plural(len(m.turn.queue), "message")+" still queued: enter in an empty prompt sends, ↑ takes back"))
	}
	return tea.Batch(cmds...)
}

// fixFor is what to do about an error, beside what its message says.
func fixFor(err *chains.ProviderError) string {
	switch {
	case err.Kind == chains.ErrAuth || err.Kind == chains.ErrConfig:
		return "ibid doctor shows what is set up; then ctrl+x . sends the message again"
	case err.Kind == chains.ErrContext:
		return "F2 shows what weighs most; ctrl+l chooses another model"
	}
	return "ctrl+x . sends the message again"
}

// spun turns the sign, as long as the turn runs.
func (m *Model) spun(msg spinMsg) tea.Cmd {
	if msg.id != m.turn.id || !m.turn.running() {
		return nil
	}
	m.transcript.Tick()
	return m.crew.after(spin, msg)
}

// recall takes the newest queued prompt back to be edited.
func (m *Model) recall() bool {
	n := len(m.turn.queue)
	if n == 0 || !m.composer.Empty() {
		return false
	}
	m.composer.SetDraft(m.turn.queue[n-1])
	m.turn.queue = slices.Clip(m.turn.queue[:n-1])
	m.refreshShelf()
	return true
}

package ui

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// turn draws a turn that runs into the transcript, and keeps what is known of the
// turns of this conversation.
type turn struct {
	transcript *transcript.Transcript
	now        func() time.Time
	prompts    []string                      // ids of the user's messages in the transcript
	thoughts   map[string]transcript.Message // replies that came with thinking, which the chat may not keep, by their text
	last       inspector.Last
	sent       time.Time // when the last request went out
	saved      time.Time
	title      string // what a chat is called that this turn begins, "" if it has a name

	id int // of the newest turn; messages of others are late
	runningTurn
}

// runningTurn is what belongs to one turn that runs.
type runningTurn struct {
	cancel  context.CancelFunc // nil while none runs
	input   turnInput
	model   string // that answers
	retry   bool   // it answers a message that is there already
	rounds  rounds
	replies int             // so far: tools divide them
	open    bool            // a reply streams
	notices []chains.Notice // to be shown
	env     *prompt.Envelope
	began   time.Time
	live    live
}

// turnInput is what a turn was given. It is given back if the turn does not begin.
type turnInput struct {
	draft    composer.Draft
	attached []prompt.Ref // by hand
}

func (t *turn) running() bool { return t.cancel != nil }

// begin makes room for a turn that answers a draft, or the last message again.
func (t *turn) begin(cancel context.CancelFunc, d composer.Draft, model string, retry bool) {
	t.id++
	t.runningTurn = runningTurn{cancel: cancel, input: turnInput{draft: d}, model: model, retry: retry, began: t.now()}
	t.showPrompt()
}

// showPrompt shows the message of a turn that has begun, unless it answers one that
// is there.
func (t *turn) showPrompt() {
	if t.retry || !t.running() {
		return
	}
	t.prompts = append(t.prompts, t.youID())
	t.transcript.Append(transcript.Message{ID: t.youID(), Role: transcript.You, Text: t.input.draft.Text, At: t.began})
	t.transcript.Bottom()
}

// end frees what belongs to the turn's context.
func (t *turn) end() {
	t.cancel()
	t.cancel = nil
}

// reset drops what belongs to another conversation.
func (t *turn) reset(prompts []string) {
	t.prompts, t.title, t.last, t.env, t.sent, t.saved = prompts, "", inspector.Last{}, nil, time.Time{}, time.Time{}
}

func (t *turn) youID() string   { return fmt.Sprintf("t%d", t.id) }
func (t *turn) replyID() string { return fmt.Sprintf("t%dr%d", t.id, t.replies) }

// lastID is the id of the last message of the turn.
func (t *turn) lastID() string {
	if _, ok := t.transcript.Message(t.replyID()); ok {
		return t.replyID()
	}
	return t.youID()
}

// apply draws one event.
func (t *turn) apply(e chains.Event) {
	switch e.(type) {
	case chains.TextDelta, chains.ReasoningDelta, chains.ToolStarted, chains.ContextReady:
		t.live.wait = chains.Notice{}
	}
	switch e := e.(type) {
	case chains.TurnStarted:
		if t.retry {
			t.clearRetried()
		}
		if e.Chat != "" {
			t.saved = t.now()
		}
	case chains.ContextReady:
		t.sending(e)
	case chains.Answering:
		t.setModel(e.Options.ModelName)
	case chains.TextDelta:
		t.addText(e.Text)
	case chains.ReasoningDelta:
		t.stream().AppendReasoning(e.Text)
		if t.live.think.IsZero() {
			t.live.think = t.now()
		}
	case chains.WasThinking:
		t.textToReasoning()
	case chains.ToolStarted:
		t.beginCall(e)
	case chains.ToolDone:
		if t.replies == 0 {
			t.live.notes.found(e.Sources)
		}
		t.endCall(e)
	case chains.Cited:
		t.setCited(e)
	case chains.Asked:
		t.ask(e)
	case chains.UsageReported:
		t.setUsage(e)
	case chains.Notice:
		t.rounds.merged = t.rounds.merged || e.Kind == "merged" || e.Kind == "conflict"
		if e.Wait == 0 { // a request that is tried again is no news afterwards
			t.notices = append(t.notices, e)
		}
		// What notices are about is known when the request is; during a reply
		// they wait until it is whole.
		if t.env != nil && !t.open {
			t.showNotices()
		}
	case chains.Saved:
		t.saved = t.now()
	}
}

// sending takes over what is sent now.
func (t *turn) sending(e chains.ContextReady) {
	t.env = &e.Envelope
	r, predicted := &t.rounds, e.Envelope.Predicted
	if e.Follows {
		r.counted, r.promised = r.counted+predicted.Prompt, r.promised+predicted.Cached
		return
	}
	t.endReply(transcript.Complete) // of a request that was refused
	r.reported, r.counted, r.promised = false, predicted.Prompt, predicted.Cached
	t.labelPrompt()
	t.showNotices()
	t.beginReply()
}

// setCited shows the references of the replies of a turn as they were checked: those
// of the last one, which is still open, are numbered.
func (t *turn) setCited(e chains.Cited) {
	for n := range t.replies {
		id := fmt.Sprintf("t%dr%d", t.id, n+1)
		reply, ok := t.transcript.Message(id)
		last := t.open && id == t.replyID()
		renumbered := last && e.Drawn != ""
		struck := !last && len(e.Rounds) > 0 && !term.IsBlank(reply.Text)
		if struck {
			reply.Text, e.Rounds = strings.Trim(e.Rounds[0], "\n"), e.Rounds[1:]
		}
		if !ok || !renumbered && !struck && len(e.Dead) == 0 {
			continue
		}
		if reply.Dead = e.Dead; renumbered {
			t.live.end()
			reply.Text, reply.Sources = t.live.drawn(e.Drawn), targetsOf(e.Drawn)
		}
		t.transcript.Update(reply)
	}
}

// setUsage keeps the provider's numbers of a turn beside what was predicted for its
// requests.
func (t *turn) setUsage(e chains.UsageReported) {
	u := e.Usage
	if !e.Turn {
		t.rounds.predicted += e.Predicted.Cached
		return
	}
	t.rounds.reported = true
	t.last = inspector.Last{Sent: u.Prompt, Cached: u.Cached, New: inspector.NotReported, Completion: u.Completion, Cost: chains.Dollars(u.Cost)}
	if u.Prompt >= 0 && u.Cached >= 0 {
		t.last.New = max(u.Prompt-u.Cached, 0)
	}
	if t.env != nil {
		t.last.Turn, t.last.Predicted = t.env.Turn, t.rounds.predicted
	}
	if reply, ok := t.transcript.Message(t.replyID()); ok && t.open && t.replies == 1 && u.Reasoning > 0 {
		t.stream().Thought(reply.Thought, u.Reasoning)
	}
}

// finish closes the reply. It reports whether anything of one came.
func (t *turn) finish(d chains.Done) (came bool) {
	status := transcript.Complete
	switch d.Finish {
	case chains.FinishCancelled:
		status = transcript.Cancelled
	case chains.FinishLength:
		status = transcript.CutOff
	case chains.FinishFilter:
		status = transcript.Filtered
	case chains.FinishError, chains.FinishCutOff:
		status = transcript.Failed
	case chains.FinishStop, chains.FinishTools, chains.FinishToolLimit:
	}
	if t.env != nil && !t.rounds.reported {
		const no = inspector.NotReported
		t.last = inspector.Last{Turn: t.env.Turn, Sent: no, Cached: no, New: no, Completion: no, Predicted: t.rounds.promised, Counted: t.rounds.counted}
	}
	t.stopCalls()
	came = t.endReply(status) || t.rounds.said
	t.showNotices()
	switch {
	case d.Err != nil:
		t.transcript.Append(transcript.Message{Role: transcript.Error, Text: d.Err.Message, Fix: fixFor(d.Err)})
	case d.Finish == chains.FinishStop && !came:
		t.transcript.Append(transcript.Message{Role: transcript.Error, Text: "The model answered with nothing.", Fix: "/retry sends the message again"})
	}
	return came
}

// fixFor is what to do about an error, beside what its message says.
func fixFor(err *chains.ProviderError) string {
	switch err.Kind {
	case chains.ErrAuth, chains.ErrConfig:
		return "ibid doctor shows what is set up; then /retry sends the message again"
	case chains.ErrContext:
		return "/context shows what weighs most; /model chooses another model"
	}
	return "/retry sends the message again"
}

// clearRetried takes the reply that is being replaced off the screen.
func (t *turn) clearRetried() {
	n := len(t.prompts)
	if n == 0 {
		return
	}
	id := t.prompts[n-1]
	you, _ := t.transcript.Message(id)
	t.transcript.Truncate(id)
	t.transcript.Bottom()
	you.ID = t.youID()
	t.prompts[n-1] = you.ID
	t.transcript.Append(you)
}

// removePrompt takes the message of a turn off the screen that left nothing behind.
func (t *turn) removePrompt() {
	t.transcript.Truncate(t.youID())
	t.transcript.Bottom()
	t.prompts = slices.DeleteFunc(t.prompts, func(id string) bool { return id == t.youID() })
}

// labelPrompt says under the message what went with it.
func (t *turn) labelPrompt() {
	you, ok := t.transcript.Message(t.youID())
	if !ok || len(t.env.Attached) == 0 {
		return
	}
	you.Chips = nil
	for _, a := range t.env.Attached {
		price := "+" + theme.Short(a.Tokens)
		c := transcript.Chip{State: transcript.ChipAdded, Label: refLabel(a.Ref), Detail: price, Link: linkOf(a.Ref), Image: imageOf(a.Ref)}
		switch {
		case a.State == "known" || a.State == "muted":
			c.State, c.Detail = transcript.ChipLibrary, ""
		case a.State == "updated":
			c.State = transcript.ChipDrifted
		case a.Image:
			c.State = transcript.ChipImage
		}
		if a.Active {
			c.State = transcript.ChipActive
		}
		you.Chips = append(you.Chips, c)
	}
	t.transcript.Update(you)
}

// beginReply opens a reply that will stream.
func (t *turn) beginReply() {
	t.replies++
	t.open = true
	t.transcript.Append(transcript.Message{
		ID: t.replyID(), Role: transcript.Assistant, Status: transcript.Streaming, At: t.now(), Detail: t.model,
	})
}

// setModel names the model of a turn that began without one.
func (t *turn) setModel(name string) {
	t.model = name
	if reply, ok := t.transcript.Message(t.replyID()); ok && t.open {
		reply.Detail = name
		t.transcript.Update(reply)
	}
}

// stream is where the reply goes.
func (t *turn) stream() *transcript.Stream {
	if !t.open {
		t.beginReply()
	}
	s, _ := t.transcript.Stream(t.replyID())
	return s
}

// addText adds to the reply, and says what is being written of a note in it.
func (t *turn) addText(text string) {
	s := t.stream()
	s.AppendText(t.live.add(text))
	if t.live.actions != nil {
		s.Writing(t.live.actions.Writing())
	}
	t.endThought()
}

// textToReasoning turns what came of the reply into reasoning.
func (t *turn) textToReasoning() {
	if !t.open {
		return
	}
	reply, _ := t.transcript.Message(t.replyID())
	held, _ := t.live.end()
	reply.Reasoning, reply.Text = reply.Reasoning+reply.Text+held, ""
	t.transcript.Update(reply)
	t.live.notes = footnotes{}
}

// endThought ends the thinking, if there was any.
func (t *turn) endThought() {
	if !t.live.think.IsZero() {
		t.stream().Thought(t.now().Sub(t.live.think), 0)
		t.live.think = time.Time{}
	}
}

// endReply closes the reply that streams; one without a word goes away. It
// reports whether anything stays.
func (t *turn) endReply(status transcript.Status) (stays bool) {
	if !t.open {
		return false
	}
	reply, _ := t.transcript.Message(t.replyID())
	if held, raw := t.live.end(); raw != "" { // they were no references
		reply.Text = raw
		t.transcript.Update(reply)
	} else if held != "" {
		reply.Text += held
		t.stream().AppendText(held)
	}
	stays = !term.IsBlank(reply.Text) || reply.Reasoning != ""
	if stays {
		t.rounds.said = true
		t.endThought()
		t.stream().Finish(status)
		t.keepThought()
	} else {
		t.transcript.Truncate(t.replyID())
	}
	t.open = false
	t.showNotices()
	return stays
}

// keepThought keeps what was thought before the reply for when it is shown again.
func (t *turn) keepThought() {
	if reply, _ := t.transcript.Message(t.replyID()); reply.Reasoning != "" && !term.IsBlank(reply.Text) {
		if t.thoughts == nil {
			t.thoughts = map[string]transcript.Message{}
		}
		t.thoughts[strings.TrimSpace(reply.Text)] = reply
	}
}

// addThoughts puts that into messages that were read again.
func (t *turn) addThoughts(messages []transcript.Message) {
	for i := range messages {
		one := &messages[i]
		reply, ok := t.thoughts[strings.TrimSpace(one.Text)]
		if !ok || one.Role != transcript.Assistant || one.Reasoning != "" && one.Reasoning != strings.TrimSpace(reply.Reasoning) {
			continue
		}
		one.Reasoning, one.Thought, one.Tokens = reply.Reasoning, reply.Thought, reply.Tokens
	}
}

// showNotices puts what there is to say into the transcript.
func (t *turn) showNotices() {
	for _, n := range t.notices {
		t.notice(n.Text)
	}
	t.notices = nil
}

// notice puts a line of the program into the transcript.
func (t *turn) notice(text string) {
	t.transcript.Append(transcript.Message{Role: transcript.Notice, Text: text})
}

// turnEvent is one event of a running turn, or why there was no turn.
type turnEvent struct {
	event chains.Event
	err   error
}

// runMsg brings a turn that waits to be run.
type runMsg struct {
	id       int
	seq      iter.Seq2[chains.Event, error]
	attached []prompt.Ref // by hand, off the shelf now
}

// turnMsg brings the events of a turn since the last one. ended says that no
// more will come.
type turnMsg struct {
	of     *conversation
	id     int
	events *handover
	got    []turnEvent
	at     time.Time
	pace   time.Duration // between two looks
	ended  bool
}

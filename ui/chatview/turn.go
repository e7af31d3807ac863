package chatview

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// Turn draws the running turn into the transcript, and keeps data of the turns of this conversation.
type Turn struct {
	Transcript *transcript.Transcript
	Now        func() time.Time
	Prompts    []string // ids of the user's messages in the transcript
	last       inspector.LastTurn
	Sent       time.Time // when the last request was sent
	Saved      time.Time
	Title      string // title of a chat that begins with this turn, "" if it has one

	ID int // of the newest turn; messages with another id are late
	runningTurn
}

// runningTurn holds the data of the running turn.
type runningTurn struct {
	Cancel  context.CancelFunc // nil while none runs
	Input   turnInput
	model   string // answering model
	Retry   bool   // it answers an existing message
	Rounds  rounds
	replies int             // number of replies so far: tools divide them
	Open    bool            // a reply streams
	Notices []chains.Notice // not shown yet
	env     *prompt.Envelope
	Began   time.Time
	Live    liveReply
}

// turnInput is the input of a turn. It goes back into the prompt if the turn does not begin.
type turnInput struct {
	Draft    composer.Draft
	Attached []prompt.Ref // by the user
	after    Job          // runs after a retry, nil for nothing
}

// Running reports whether a turn runs.
func (t *Turn) Running() bool { return t.Cancel != nil }

// Begin starts a turn that answers a draft, or with retry the last message again.
func (t *Turn) Begin(cancel context.CancelFunc, d composer.Draft, model string, retry bool) {
	t.ID++
	t.runningTurn = runningTurn{Cancel: cancel, Input: turnInput{Draft: d}, model: model, Retry: retry, Began: t.Now()}
	t.ShowPrompt()
}

// ShowPrompt shows the message of the running turn, unless it is a retry.
func (t *Turn) ShowPrompt() {
	if t.Retry || !t.Running() {
		return
	}
	t.Prompts = append(t.Prompts, t.youID())
	t.Transcript.Append(transcript.Message{ID: t.youID(), Role: transcript.You, Text: t.Input.Draft.Text, At: t.Began})
	t.Transcript.Bottom()
}

// End cancels the turn's context.
func (t *Turn) End() {
	t.Cancel()
	t.Cancel = nil
}

// Reset drops the data of another conversation.
func (t *Turn) Reset(prompts []string) {
	t.Prompts, t.Title, t.last, t.env, t.Sent, t.Saved = prompts, "", inspector.LastTurn{}, nil,
		time.Time{}, time.Time{}
}

func (t *Turn) youID() string   { return fmt.Sprintf("t%d", t.ID) }
func (t *Turn) replyID() string { return fmt.Sprintf("t%dr%d", t.ID, t.replies) }

// LastID returns the id of the last message of the turn.
func (t *Turn) LastID() string {
	if _, ok := t.Transcript.Message(t.replyID()); ok {
		return t.replyID()
	}
	return t.youID()
}

// Apply draws one event.
func (t *Turn) Apply(e chains.Event) {
	switch e.(type) {
	case chains.TextDelta, chains.ReasoningDelta, chains.ToolStarted, chains.ContextReady:
		t.Live.Wait = chains.Notice{}
	}
	switch e := e.(type) {
	case chains.TurnStarted:
		if t.Retry {
			t.clearRetried()
		}
		if e.Chat != "" {
			t.Saved = t.Now()
		}
	case chains.ContextReady:
		t.recordRequest(e)
	case chains.AnsweringModel:
		t.setModel(e.Options.ModelName)
	case chains.TextDelta:
		t.addText(e.Text)
	case chains.ReasoningDelta:
		t.stream().AppendReasoning(e.Text)
		if t.Live.thinkingSince.IsZero() {
			t.Live.thinkingSince = t.Now()
		}
	case chains.WasThinking:
		t.textToReasoning()
	case chains.ToolStarted:
		t.beginCall(e)
	case chains.ToolDone:
		t.endCall(e)
	case chains.Citations:
		t.setCited(e)
	case chains.Asked:
		t.Ask(e)
	case chains.UsageReported:
		t.setUsage(e)
	case chains.Notice:
		t.Rounds.Merged = t.Rounds.Merged || e.Kind == "merged" || e.Kind == "conflict"
		if e.Wait == 0 { // a request that is tried again needs no notice afterwards
			t.Notices = append(t.Notices, e)
		}
		// Notices appear once the request is known; during a reply they wait until it is complete.
		if t.env != nil && !t.Open {
			t.showNotices()
		}
	case chains.Saved:
		t.Saved = t.Now()
	}
}

// recordRequest records the request that is on its way and resets the counters of the round.
func (t *Turn) recordRequest(e chains.ContextReady) {
	t.env = &e.Envelope
	r, predicted := &t.Rounds, e.Envelope.Predicted
	if e.Follows {
		r.counted, r.promised = r.counted+predicted.Prompt, r.promised+predicted.Cached
		return
	}
	t.EndReply(transcript.Complete) // it belongs to a request that was refused
	r.reported, r.counted, r.promised = false, predicted.Prompt, predicted.Cached
	t.showAttachments()
	t.showNotices()
	t.beginReply()
}

// setCited shows the checked references of the replies of a turn: those of the last reply, which is
// still open, are renumbered.
func (t *Turn) setCited(e chains.Citations) {
	for n := range t.replies {
		id := fmt.Sprintf("t%dr%d", t.ID, n+1)
		reply, ok := t.Transcript.Message(id)
		last := t.Open && id == t.replyID()
		renumbered := last && e.Drawn != ""
		if !ok || !renumbered && len(e.Dead) == 0 {
			continue
		}
		if reply.Dead = e.Dead; renumbered {
			t.Live.end()
			reply.Text, reply.Sources = t.Live.drawReply(e.Drawn), targetsOf(e.Drawn)
		}
		t.Transcript.Update(reply)
	}
}

// setUsage keeps the provider's numbers of a turn beside the predicted ones.
func (t *Turn) setUsage(e chains.UsageReported) {
	u := e.Usage
	if !e.Turn {
		t.Rounds.predicted += e.Predicted.Cached
		return
	}
	t.Rounds.reported = true
	t.last = inspector.LastTurn{
		Sent: u.Prompt, Cached: u.Cached, New: inspector.NotReported, Completion: u.Completion,
		Cost: chains.Dollars(u.Cost),
	}
	if u.Prompt >= 0 && u.Cached >= 0 {
		t.last.New = max(u.Prompt-u.Cached, 0)
	}
	if t.env != nil {
		t.last.Turn, t.last.Predicted = t.env.Turn, t.Rounds.predicted
	}
	if reply, ok := t.Transcript.Message(t.replyID()); ok && t.Open && t.replies == 1 && u.Reasoning > 0 {
		t.stream().Thought(reply.Thought, u.Reasoning)
	}
}

// Finish closes the reply. It reports whether any text came.
func (t *Turn) Finish(d chains.Done) (came bool) {
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
	if t.env != nil && !t.Rounds.reported {
		const no = inspector.NotReported
		t.last = inspector.LastTurn{
			Turn: t.env.Turn, Sent: no, Cached: no, New: no, Completion: no,
			Predicted: t.Rounds.promised, Counted: t.Rounds.counted,
		}
	}
	t.StopCalls()
	came = t.EndReply(status) || t.Rounds.keptReply
	t.showNotices()
	switch {
	case d.Err != nil:
		t.Transcript.Append(transcript.Message{Role: transcript.Error, Text: d.Err.Message, Fix: fixFor(d.Err)})
	case d.Finish == chains.FinishStop && !came:
		t.Transcript.Append(transcript.Message{
			Role: transcript.Error, Text: "The model answered with nothing.",
			Fix: "/retry sends the message again",
		})
	}
	return came
}

// fixFor returns the advice about an error, in addition to its message.
func fixFor(err *chains.ProviderError) string {
	switch err.Kind {
	case chains.ErrAuth:
		return "/provider takes another key; then /retry sends the message again (/help providers)"
	case chains.ErrConfig:
		return "ibid doctor shows what is set up; then /retry sends the message again (/help providers)"
	case chains.ErrContext:
		return "/context shows what weighs most; /model chooses another model (/help context)"
	}
	return "/retry sends the message again (/help trouble)"
}

// clearRetried removes the reply that is being replaced from the screen.
func (t *Turn) clearRetried() {
	n := len(t.Prompts)
	if n == 0 {
		return
	}
	id := t.Prompts[n-1]
	you, _ := t.Transcript.Message(id)
	t.Transcript.Truncate(id)
	t.Transcript.Bottom()
	you.ID = t.youID()
	t.Prompts[n-1] = you.ID
	t.Transcript.Append(you)
}

// RemovePrompt removes the message of a turn that left nothing behind from the screen.
func (t *Turn) RemovePrompt() {
	t.Transcript.Truncate(t.youID())
	t.Transcript.Bottom()
	t.Prompts = slices.DeleteFunc(t.Prompts, func(id string) bool { return id == t.youID() })
}

// showAttachments shows the attachments below the message.
func (t *Turn) showAttachments() {
	you, ok := t.Transcript.Message(t.youID())
	if !ok || len(t.env.Attached) == 0 {
		return
	}
	you.Chips = nil
	for _, a := range t.env.Attached {
		price := "+" + theme.ShortCount(a.Tokens)
		c := transcript.Chip{
			State: transcript.ChipAdded, Label: a.Ref.Label(), Detail: price, Link: a.Ref.Link(),
		}
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
	t.Transcript.Update(you)
}

// beginReply opens a reply that will stream.
func (t *Turn) beginReply() {
	t.replies++
	t.Open = true
	t.Transcript.Append(transcript.Message{
		ID: t.replyID(), Role: transcript.Assistant, Status: transcript.Streaming, At: t.Now(), Detail: t.model,
	})
}

// setModel names the model of a turn that began without one.
func (t *Turn) setModel(name string) {
	t.model = name
	if reply, ok := t.Transcript.Message(t.replyID()); ok && t.Open {
		reply.Detail = name
		t.Transcript.Update(reply)
	}
}

// stream returns the stream of the open reply. It opens one if there is none.
func (t *Turn) stream() *transcript.Stream {
	if !t.Open {
		t.beginReply()
	}
	s, _ := t.Transcript.Stream(t.replyID())
	return s
}

// addText adds text to the reply, and shows which note the reply is writing.
func (t *Turn) addText(text string) {
	s := t.stream()
	s.AppendText(t.Live.add(text))
	if t.Live.Actions != nil {
		s.Writing(t.Live.Actions.Writing())
	}
	t.endThought()
}

// textToReasoning turns the text of the reply so far into reasoning.
func (t *Turn) textToReasoning() {
	if !t.Open {
		return
	}
	reply, _ := t.Transcript.Message(t.replyID())
	reply.Reasoning, reply.Text = reply.Reasoning+reply.Text+t.Live.end(), ""
	t.Transcript.Update(reply)
}

// endThought ends the thinking, if there was any.
func (t *Turn) endThought() {
	if !t.Live.thinkingSince.IsZero() {
		t.stream().Thought(t.Now().Sub(t.Live.thinkingSince), 0)
		t.Live.thinkingSince = time.Time{}
	}
}

// EndReply closes the streaming reply and removes it if it is empty. It reports whether it stays.
func (t *Turn) EndReply(status transcript.Status) (stays bool) {
	if !t.Open {
		return false
	}
	reply, _ := t.Transcript.Message(t.replyID())
	if held := t.Live.end(); held != "" {
		reply.Text += held
		t.stream().AppendText(held)
	}
	stays = !term.IsBlank(reply.Text) || reply.Reasoning != ""
	if stays {
		t.Rounds.keptReply = true
		t.endThought()
		t.stream().Finish(status)
	} else {
		t.Transcript.Truncate(t.replyID())
	}
	t.Open = false
	t.showNotices()
	return stays
}

// showNotices adds the waiting notices to the transcript.
func (t *Turn) showNotices() {
	for _, n := range t.Notices {
		t.Notice(n.Text)
	}
	t.Notices = nil
}

// Notice adds a line of the program to the transcript.
func (t *Turn) Notice(text string) {
	t.Transcript.Append(transcript.Message{Role: transcript.Notice, Text: text})
}

// TurnEvent is one event of a running turn, or the error why there was no turn.
type TurnEvent struct {
	Event chains.Event
	Err   error
}

// runMsg brings a prepared turn.
type runMsg struct {
	ID       int
	Seq      iter.Seq2[chains.Event, error]
	Attached []prompt.Ref // attachments by the user, no longer on the shelf
}

// TurnMsg brings the events of a turn since the last TurnMsg. Ended reports that no more will come.
type TurnMsg struct {
	Of     *Chat
	ID     int
	Events chan TurnEvent
	Got    []TurnEvent
	at     time.Time
	Ended  bool
}

package chatview

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/chains"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// rounds is the state of the requests of a running turn and of the calls between them.
type rounds struct {
	Merged    bool // the file of the chat was changed outside meanwhile
	reported  bool // the provider reported its numbers
	predicted int  // cached tokens predicted for the reported requests
	counted   int  // tokens of all requests
	promised  int  // of them, tokens that were predicted to be cached
	keptReply bool // a reply, or a part of one, stays
	Step      int  // the newest round with calls, 0 if there is none
	Max       int  // limit of rounds of the turn
	running   []prompt.ToolCall
	asked     []chains.Asked              // questions that wait for the user, the oldest first
	Why       struct{ call, Text string } // see SetReason
}

// beginCall shows a running call.
func (t *Turn) beginCall(e chains.ToolStarted) {
	t.EndReply(transcript.Complete)
	t.Rounds.Step, t.Rounds.Max = e.Round, e.Most
	t.Rounds.running = append(t.Rounds.running, e.Call)
	t.Transcript.Append(toolMessage(t.callID(e.Call), e.Call, transcript.ToolRunning))
}

// endCall shows the result of a call. After the last one it opens the next reply.
func (t *Turn) endCall(e chains.ToolDone) {
	state, note := transcript.ToolDone, e.Note
	if e.Err != "" {
		state, note = transcript.ToolFailed, md.Clip(e.Err, maxToolLine)
	}
	m := toolMessage(t.callID(e.Call), e.Call, state)
	m.Call.Note, m.Call.Took, m.Text = note, e.Took, toolText(e.Call.Arguments, e.Result)
	for _, s := range e.Sources {
		m.Call.Notes = append(m.Call.Notes, s.Path)
	}
	t.Transcript.Update(m)
	t.Rounds.running = slices.DeleteFunc(t.Rounds.running, func(c prompt.ToolCall) bool { return c.ID == e.Call.ID })
	if len(t.Rounds.running) == 0 && e.Round > 0 {
		t.beginReply()
	}
}

// StopCalls shows the unfinished calls of a turn as stopped, and drops its questions.
func (t *Turn) StopCalls() {
	for _, c := range t.Rounds.running {
		m := toolMessage(t.callID(c), c, transcript.ToolFailed)
		m.Call.Note, m.Text = "stopped", toolText(c.Arguments, "")
		t.Transcript.Update(m)
	}
	t.Rounds.running, t.Rounds.asked = nil, nil
}

// Ask adds a question about a call, which waits for the user.
func (t *Turn) Ask(e chains.Asked) {
	m := toolMessage(t.callID(e.Call), e.Call, transcript.ToolWaiting)
	if p := e.Proposal; p != nil {
		m.Call.Note = p.Summary()
	}
	t.Transcript.Update(m)
	t.Rounds.asked = append(t.Rounds.asked, e)
}

// LastWords returns the last text of the model in this turn, "" if there is none.
func (t *Turn) LastWords() string {
	for n := t.replies; n > 0; n-- {
		if reply, ok := t.Transcript.Message(fmt.Sprintf("t%dr%d", t.ID, n)); ok {
			return reply.Text
		}
	}
	return ""
}

// Asked returns the open questions of the turn, the oldest first.
func (t *Turn) Asked() []chains.Asked { return t.Rounds.asked }

// Reason returns the text that the user has typed as the reason to refuse a call, and the call, until
// the question is answered.
func (t *Turn) Reason() (call, text string) { return t.Rounds.Why.call, t.Rounds.Why.Text }

// SetReason stores such a reason.
func (t *Turn) SetReason(call, text string) { t.Rounds.Why.call, t.Rounds.Why.Text = call, text }

// Answer answers the oldest question.
func (t *Turn) Answer(d chains.Decision) {
	if len(t.Rounds.asked) == 0 {
		return
	}
	e := t.Rounds.asked[0]
	t.Rounds.asked = t.Rounds.asked[1:]
	t.Transcript.Update(toolMessage(t.callID(e.Call), e.Call, transcript.ToolRunning))
	e.Answer(d)
}

func (t *Turn) callID(c prompt.ToolCall) string { return fmt.Sprintf("t%d-%s", t.ID, c.ID) }

// toolMessage returns the message of a call in the given state.
func toolMessage(id string, c prompt.ToolCall, state transcript.ToolState) transcript.Message {
	c.Name = md.Clip(c.Name, maxToolName)
	return transcript.Message{
		ID: id, Role: transcript.Tool,
		Call: transcript.Call{Words: toolcall.Words(c, state == transcript.ToolDone), State: state},
	}
}

// savedTools returns the messages of the calls of m, the n-th message.
func savedTools(n int, m *history.Message) (all []transcript.Message) {
	for i, u := range m.Meta.Tools {
		state := transcript.ToolDone
		if u.State == string(chains.ToolFailed) || u.State == string(chains.ToolRefused) {
			state = transcript.ToolFailed
		}
		one := toolMessage(fmt.Sprintf("%s-%d", messageID(n), i),
			prompt.ToolCall{Name: u.Name, Arguments: u.Args}, state)
		one.Text, one.Call.Note, one.Call.Took = toolText(u.Args, u.Result), u.Result,
			time.Duration(u.Milliseconds)*time.Millisecond
		if _, list, ok := strings.Cut(u.Result, ": "); ok && u.Count > 0 {
			// The file has only the sources that are cited.
			one.Call.Notes = strings.Split(strings.TrimSuffix(list, "…"), ", ")
		}
		all = append(all, one)
	}
	return all
}

// withCalls returns a reply with its calls at their places: before it, and between the texts of its
// rounds.
func withCalls(reply transcript.Message, calls []transcript.Message, m *history.Message) (all []transcript.Message) {
	text, from, last := reply.Text, 0, -1
	put := func(until int) {
		part := text[from:until]
		if until < len(text) {
			part = strings.TrimRight(part, "\n")
		}
		if from > 0 {
			part = strings.TrimLeft(part, "\n")
		}
		if !term.IsBlank(part) {
			one := transcript.Message{
				ID: fmt.Sprintf("%s.%d", reply.ID, len(all)), Role: reply.Role, Text: part, At: reply.At,
				Detail: reply.Detail, Dead: reply.Dead,
			}
			last, all = len(all), append(all, one)
		}
		from = until
	}
	for i, u := range m.Meta.Tools {
		at := min(u.At, len(text))
		if at > from && (at == len(text) || utf8.RuneStart(text[at])) {
			put(at)
		}
		all = append(all, calls[i])
	}
	if put(len(text)); last < 0 {
		return append(all, reply)
	}
	reply.Text, all[last] = all[last].Text, reply
	return all
}

// Limits of an unfolded call: lines of its result, characters of a line and of a name. The context page
// shows the whole call.
const (
	maxToolLines = 20
	maxToolLine  = 400
	maxToolName  = 64
)

// toolText returns the text of an unfolded call: its arguments, and the beginning of the result.
func toolText(args, result string) string {
	lines := strings.SplitN(result, "\n", maxToolLines+1)
	if len(lines) > maxToolLines {
		more := strings.Count(lines[maxToolLines], "\n") + 1
		lines[maxToolLines] = theme.Plural(more, "more line") + ": /context shows what was sent"
	}
	for i, line := range lines {
		lines[i] = md.Clip(line, maxToolLine)
	}
	return strings.TrimPrefix(md.Clip(args, maxToolLine)+"\n", "\n") + strings.Join(lines, "\n")
}

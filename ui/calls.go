package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/review"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// rounds is what is known of the requests of a turn that runs, and of the calls
// between them.
type rounds struct {
	merged    bool // the file of the chat was changed outside meanwhile
	reported  bool // the provider reported its numbers
	predicted int  // cached tokens of the requests that were reported
	counted   int  // tokens of all requests
	promised  int  // of them, those that were said to be cached
	said      bool // a reply, or a part of one, stays
	step      int  // the newest round with calls, 0 if there is none
	most      int  // rounds that the turn may have
	running   []prompt.ToolCall
	asked     []chains.Asked // wait for the user, the oldest first
	why       review.Reason
}

// beginCall shows a call that runs.
func (t *turn) beginCall(e chains.ToolStarted) {
	t.endReply(transcript.Complete)
	t.rounds.step, t.rounds.most = e.Round, e.Most
	t.rounds.running = append(t.rounds.running, e.Call)
	t.transcript.Append(toolMessage(t.callID(e.Call), e.Call))
}

// endCall shows what came of a call. When the last one has ended the model is asked
// again.
func (t *turn) endCall(e chains.ToolDone) {
	m := toolMessage(t.callID(e.Call), e.Call)
	m.Call.State, m.Call.Note, m.Call.Took, m.Text = transcript.ToolDone, e.Note, e.Took, toolText(e.Call.Arguments, e.Result)
	for _, s := range e.Sources {
		m.Call.Notes = append(m.Call.Notes, s.Path)
	}
	if e.Err != "" {
		m.Call.State, m.Call.Note = transcript.ToolFailed, beginning(e.Err, mostToolLine)
	}
	t.transcript.Update(m)
	t.rounds.running = slices.DeleteFunc(t.rounds.running, func(c prompt.ToolCall) bool { return c.ID == e.Call.ID })
	if len(t.rounds.running) == 0 && e.Round > 0 {
		t.beginReply()
	}
}

// stopCalls shows of the calls that a turn left behind that they were stopped, and
// asks nothing more.
func (t *turn) stopCalls() {
	for _, c := range t.rounds.running {
		m := toolMessage(t.callID(c), c)
		m.Call.State, m.Call.Note, m.Text = transcript.ToolFailed, "stopped", toolText(c.Arguments, "")
		t.transcript.Update(m)
	}
	t.rounds.running, t.rounds.asked = nil, nil
}

// ask lets a call wait for the user.
func (t *turn) ask(e chains.Asked) {
	m := toolMessage(t.callID(e.Call), e.Call)
	m.Call.State = transcript.ToolWaiting
	if p := e.Proposal; p != nil {
		m.Call.Note = p.Summary()
	}
	t.transcript.Update(m)
	t.rounds.asked = append(t.rounds.asked, e)
}

// LastWords is what the model said last.
func (t *turn) LastWords() string {
	for n := t.replies; n > 0; n-- {
		if reply, ok := t.transcript.Message(fmt.Sprintf("t%dr%d", t.id, n)); ok {
			return reply.Text
		}
	}
	return ""
}

// answer answers what was asked first.
func (t *turn) answer(d chains.Decision) {
	if len(t.rounds.asked) == 0 {
		return
	}
	e := t.rounds.asked[0]
	t.rounds.asked = t.rounds.asked[1:]
	t.transcript.Update(toolMessage(t.callID(e.Call), e.Call))
	e.Answer(d)
}

func (t *turn) callID(c prompt.ToolCall) string { return fmt.Sprintf("t%d-%s", t.id, c.ID) }

// toolMessage is a call that runs.
func toolMessage(id string, c prompt.ToolCall) transcript.Message {
	c.Name = beginning(c.Name, mostToolName)
	return transcript.Message{
		ID: id, Role: transcript.Tool,
		Call: transcript.Call{Name: c.Name, Target: strings.TrimPrefix(strings.TrimPrefix(chains.CallText(c), c.Name), " ")},
	}
}

// savedTools are the calls for the n-th displayed message, a reply.
func savedTools(n int, m *history.Message) (all []transcript.Message) {
	for i, u := range m.Meta.Tools {
		one := toolMessage(fmt.Sprintf("%s-%d", messageID(n), i), prompt.ToolCall{Name: u.Name, Arguments: u.Args})
		one.Text = toolText(u.Args, u.Result)
		one.Call.State, one.Call.Note, one.Call.Took = transcript.ToolDone, u.Result, u.Took
		if _, list, ok := strings.Cut(u.Result, ": "); ok && u.Count > 0 { // of the sources the file has those that are cited
			one.Call.Notes = strings.Split(strings.TrimSuffix(list, "…"), ", ")
		}
		if u.State == string(chains.ToolFailed) || u.State == string(chains.ToolRefused) {
			one.Call.State = transcript.ToolFailed
		}
		all = append(all, one)
	}
	return all
}

// withCalls is a reply with the calls for it where they stood: in front of it, and
// between the texts of its rounds.
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
			one := transcript.Message{ID: fmt.Sprintf("%s.%d", reply.ID, len(all)), Role: reply.Role, Text: part, At: reply.At, Detail: reply.Detail, Dead: reply.Dead}
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

// How much of a call can be unfolded: lines of its result, characters of a line and
// of a name. The page of the context has all of it.
const (
	mostToolLines = 20
	mostToolLine  = 400
	mostToolName  = 64
)

// toolText is a call in full: its arguments, and the beginning of the result.
func toolText(args, result string) string {
	lines := strings.SplitN(result, "\n", mostToolLines+1)
	if len(lines) > mostToolLines {
		more := strings.Count(lines[mostToolLines], "\n") + 1
		lines[mostToolLines] = theme.Plural(more, "more line") + ": /context shows what was sent"
	}
	for i, line := range lines {
		lines[i] = beginning(line, mostToolLine)
	}
	return strings.TrimPrefix(beginning(args, mostToolLine)+"\n", "\n") + strings.Join(lines, "\n")
}

// beginning is a text, or so many characters of it.
func beginning(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	for i := range text {
		if most--; most == 0 {
			return text[:i] + "…"
		}
	}
	return text
}

package plain

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// The rules of output:
//
//   - without --json, replies go to standard output and nothing else does;
//     notices, warnings and errors go to standard error;
//   - with --json, standard output has one object per line and nothing else;
//   - text of other origin is sanitized before it is written to either.

// Style configures the output of replies and notices.
type Style struct {
	Labels       bool // write "Assistant:" before replies
	Quiet        bool // write only errors, and what must be known, to standard error
	WholeReplies bool // write a reply when it is complete
	Temporary    bool // chats are deleted at the end of the process: do not print their paths
}

// Output writes the events of turns. It belongs to one goroutine.
type Output struct {
	Style

	Out, Err io.Writer
	JSON     bool
	Approve  Approvals
	Asks     bool // standard input and error are a terminal: the user may be asked for permissions there
	Typed    bool // standard input is a terminal: the exit status is that of the last turn

	Drawing *Drawing // formats replies; nil writes them as they are

	// Interrupts stop the current line; nil for none.
	Interrupts <-chan struct{}

	reply replyState

	input         input
	quit          bool // refuse all further changes of the turn
	refusesUnread bool // a turn that names a file that cannot be read is refused, as wrong use
	misused       bool // a turn was refused for that

	failed     bool  // a turn or a command failed; if lines are typed, the last turn
	unanswered bool  // a question had nobody to answer it
	stopped    bool  // the last line was interrupted
	broken     error // first error of writing to Out
	printed    printedState
}

// printedState holds the last printed path, attachments and warning about rules, which are not printed again.
type printedState struct{ chat, attached, rules string }

// replyState is the state of writing a reply.
type replyState struct {
	text         strings.Builder // the text received
	midLine      bool            // the last line is not ended
	noticeInside bool            // a notice was printed in the middle of the reply
	rest         string          // unfinished escape sequence at the end of the last piece
}

// Broken returns the first error of writing to Out, such as a closed pipe.
func (o *Output) Broken() error { return o.broken }

// Event writes one event. A question is answered by the permissions, else by the user at the terminal, else with no.
func (o *Output) Event(ctx context.Context, e chains.Event) {
	switch e := e.(type) {
	case chains.Asked:
		o.answerQuestion(ctx, &e)
		return
	case chains.TurnStarted:
		o.quit = false
		o.reply.text.Reset()
	case chains.TextDelta:
		if o.reply.text.WriteString(e.Text); o.WholeReplies {
			return
		}
	case chains.Citations:
		o.reply.text.WriteString(e.Footer)
	case chains.Done:
		switch e.Finish {
		case chains.FinishError, chains.FinishCutOff:
			o.failed = true
		case chains.FinishFilter:
			o.endReply()
			o.Warn("content_filter", "the provider's filter ended the reply")
		}
	}
	if o.JSON {
		o.printEventJSON(e)
		return
	}
	switch e := e.(type) {
	case chains.TextDelta:
		o.writeText(e.Text)
	case chains.Notice:
		o.printNotice(e)
	case chains.ToolStarted:
		o.printLine("tool", toolcall.Words(e.Call, false))
	case chains.ToolDone:
		o.printToolResult(&e)
	case chains.Citations:
		if !o.WholeReplies {
			o.writeText(e.Footer)
		}
	case chains.Done:
		if o.WholeReplies {
			o.writeText(o.reply.text.String())
		}
		if e.Finish == chains.FinishCancelled {
			o.endKeyLine()
		}
		o.endReply()
		o.reply.noticeInside = false
		if e.Err != nil {
			o.printLine("error", e.Err.Message)
		}
		switch e.Finish {
		case chains.FinishCancelled:
			o.printLine("note", "stopped; what came is kept")
		case chains.FinishLength:
			o.printLine("note", "the reply reached its maximum length")
		}
	}
}

// beginTurn resets the exit status at the beginning of a turn, if lines are typed.
func (o *Output) beginTurn() {
	if o.Typed {
		o.failed, o.unanswered = false, false
	}
}

// printSaved prints the path of the chat, unless it was the last one printed. JSON has events for this.
func (o *Output) printSaved(path string) {
	if path != "" && path != o.printed.chat && !o.JSON && !o.Temporary {
		o.printed.chat = path
		o.printLine("saved", path)
	}
}

// printAttached prints the attachments that no message names, unless they are the same as last time. JSON has events
// for this.
func (o *Output) printAttached(all []prompt.Attachment, in *chains.Input) {
	var parts []string
	for _, a := range all {
		if a.Ref.IsGiven() || a.Ref == in.Active || slices.Contains(in.Pins, a.Ref) {
			parts = append(parts, fmt.Sprintf("%s (%s tokens)", a.Ref.ID, theme.Comma(a.Tokens)))
		}
	}
	text := strings.Join(parts, ", ")
	if text != "" && text != o.printed.attached && !o.JSON {
		o.printLine("attached", text)
	}
	o.printed.attached = text
}

// writeText writes a piece of the reply.
func (o *Output) writeText(s string) {
	switch {
	case s == "":
		return
	case o.reply.noticeInside && !o.reply.midLine: // the notice in the middle has ended its line
		if s = strings.TrimLeft(s, " \t"); s == "" {
			return
		}
		s = strings.TrimPrefix(s, "\n")
	case o.Labels && !o.reply.midLine:
		o.write(o.Out, "Assistant: ")
	}
	o.reply.noticeInside, o.reply.midLine = false, true
	if o.Drawing != nil {
		o.write(o.Out, o.Drawing.add(s))
		return
	}
	clean, rest := theme.SanitizeChunk(o.reply.rest + s)
	o.reply.rest = rest
	o.write(o.Out, clean)
}

func (o *Output) endReply() {
	if o.Drawing != nil {
		o.write(o.Out, o.Drawing.end())
		o.reply.midLine = false
	}
	if o.reply.rest != "" {
		o.write(o.Out, theme.Sanitize(o.reply.rest))
		o.reply.rest = ""
	}
	if o.reply.midLine {
		o.write(o.Out, "\n")
		o.reply.midLine = false
	}
}

// Say writes text that the user asked for: the result of a command.
func (o *Output) Say(text string) {
	if o.JSON {
		o.printJSON(jsonObject{"type": "text", "text": text})
		return
	}
	o.write(o.Out, theme.Sanitize(text)+"\n")
}

// sayMessage writes a message of a chat.
func (o *Output) sayMessage(role history.Role, text string) {
	switch {
	case role != history.Assistant:
		o.Say("You: " + text)
	case o.Drawing == nil:
		o.Say("Assistant: " + text)
	default:
		o.write(o.Out, "Assistant:\n"+o.Drawing.Whole(text))
	}
}

// SayChat writes a chat for people.
func (o *Output) SayChat(chat *history.ChatRow) {
	for _, w := range chat.Warnings {
		o.Warn("chat", w)
	}
	for _, m := range chat.Messages {
		if m.Thinking != "" {
			o.Say("Thinking: " + m.Thinking + "\n")
		}
		o.sayMessage(m.Role, m.Text)
		if m.CutOff {
			o.Say("(cut off)")
		} else if m.Status != "" && m.Status.Whole() {
			o.Say("(" + m.Status.Describe() + ")")
		}
		o.Say("")
	}
	for _, v := range chat.Variants {
		o.Say(v.Describe() + "\n")
		o.sayMessage(history.User, v.Question+"\n")
		o.sayMessage(history.Assistant, v.Reply+"\n")
	}
}

// Warn writes a warning.
func (o *Output) Warn(kind, text string) {
	if o.JSON {
		o.printJSON(jsonObject{"type": "warning", "kind": kind, "text": text})
		return
	}
	o.printLine("note", text)
}

// WarnOfRules writes a warning about rules for excluded files that cannot be read, also if notices are not wanted. It
// does nothing for the text of the call before, or "".
func (o *Output) WarnOfRules(text string) {
	changed := text != o.printed.rules
	o.printed.rules = text
	switch {
	case !changed || text == "":
	case o.JSON:
		o.Warn("rules", text)
	default:
		o.printLine("warning", text)
	}
}

// refuseUnasked reports a turn that did not begin because nobody was there to answer a question.
func (o *Output) refuseUnasked(why string) {
	o.unanswered = true
	if !o.JSON {
		o.printLine("error", why)
		return
	}
	o.printJSON(jsonObject{"type": "error", "kind": chains.ErrConfig, "text": why, "retryable": false, "status": 0})
	o.printJSON(jsonObject{"type": "done", "finish": chains.FinishError, "text": ""})
}

// Fail writes an error outside of a turn.
func (o *Output) Fail(kind chains.ErrorKind, text string) {
	o.failed = o.failed || !o.Typed
	if o.JSON {
		o.printJSON(jsonObject{"type": "error", "kind": kind, "text": text, "retryable": false, "status": 0})
		return
	}
	o.printLine("error", text)
}

// refuse reports a turn that did not begin, with a last event, since scripts wait for that.
func (o *Output) refuse(ctx context.Context, kind chains.ErrorKind, why string) {
	finish := chains.FinishCancelled
	if ctx.Err() == nil {
		finish = chains.FinishError
		o.Fail(kind, why)
		o.failed = true
	} else if !o.JSON {
		o.endKeyLine()
		o.printLine("note", "stopped; nothing was sent")
	}
	if o.JSON {
		o.printJSON(jsonObject{"type": "done", "finish": finish, "text": ""})
	}
}

// endPromptLine ends the line of a prompt at which nothing was typed.
func (o *Output) endPromptLine(prompt string) {
	if prompt != "" {
		o.write(o.Out, "\n")
	}
}

// endKeyLine ends the line on which the terminal shows the interrupt key.
func (o *Output) endKeyLine() {
	if o.Interrupts != nil && !o.reply.midLine {
		_, _ = fmt.Fprintln(o.Err) // there is no other place to report an error
	}
}

// printNotice prints a notice. That a file of the question was not read is told even if the output is quiet.
func (o *Output) printNotice(n chains.Notice) {
	state, _ := strings.CutSuffix(n.Kind, "_note")
	if o.refusesUnread && slices.Contains(prompt.UnreadStates, state) {
		o.printAlways("note", n.Text)
		return
	}
	o.printLine("note", n.Text)
}

func (o *Output) printLine(label, text string) {
	if !o.Quiet || label == "error" || label == "warning" {
		o.printAlways(label, text)
	}
}

func (o *Output) printAlways(label, text string) {
	if o.reply.midLine {
		o.endReply()
		o.reply.noticeInside = true
	}
	// there is no other place to report an error
	_, _ = fmt.Fprintf(o.Err, "ibid: %s: %s\n", label, theme.OneLine(text))
}

func (o *Output) write(w io.Writer, s string) {
	if s == "" || o.broken != nil {
		return
	}
	if _, err := io.WriteString(w, s); err != nil {
		o.broken = err
	}
}

// jsonObject is an object of the JSON output.
type jsonObject = map[string]any

// printEventJSON writes an event as JSON.
func (o *Output) printEventJSON(e chains.Event) {
	switch e := e.(type) {
	case chains.TurnStarted:
		o.printJSON(jsonObject{"type": "turn", "n": e.N, "chat": e.Chat, "chain": e.Chain})
	case chains.ContextReady:
		if !e.Follows {
			o.printJSON(desk.NewContextEvent(e.Envelope, e.Missing, false))
		}
	case chains.AnsweringModel:
		o.printJSON(jsonObject{"type": "model", "model": e.Options.ModelName})
	case chains.TextDelta:
		o.printJSON(jsonObject{"type": "delta", "text": e.Text})
	case chains.ReasoningDelta:
		o.printJSON(jsonObject{"type": "reasoning", "text": e.Text})
	case chains.Planned:
		o.printJSON(planJSON(e))
	case chains.ToolStarted:
		o.printJSON(jsonObject{
			"type": "tool", "id": e.Call.ID, "name": e.Call.Name, "round": e.Round, "state": "start",
			"args": argsJSON(e.Call.Arguments),
		})
	case chains.ToolDone:
		o.printJSON(jsonObject{
			"type": "tool", "id": e.Call.ID, "name": e.Call.Name, "round": e.Round, "state": e.State,
			"ms": e.Took.Milliseconds(), "tokens": e.Tokens,
			"sources": sourcesJSON(e.Sources), "note": e.Note, "text": md.Clip(cmp.Or(e.Err, e.Result), maxToolText),
		})
	case chains.WriteResult:
		o.printWriteResult(&e)
	case chains.Citations:
		o.printJSON(jsonObject{
			"type": "sources", "sources": sourcesJSON(e.Sources), "footer": e.Footer,
			"struck": history.JSONList(e.Struck), "dead_links": history.JSONList(e.Dead),
		})
	case chains.UsageReported:
		o.printJSON(usageJSON(e))
	case chains.Notice:
		o.printJSON(jsonObject{"type": "warning", "kind": e.Kind, "text": e.Text})
	case chains.Saved:
		o.printJSON(jsonObject{"type": "saved", "path": e.Path})
	case chains.Done:
		if e.Err != nil {
			o.printJSON(jsonObject{
				"type": "error", "kind": e.Err.Kind, "text": e.Err.Message, "retryable": e.Err.Retryable,
				"status": e.Err.Status,
			})
		}
		o.printJSON(jsonObject{"type": "done", "finish": scriptFinish(e.Finish), "text": o.reply.text.String()})
	}
}

// planJSON returns the event of planned lookups, or of the reason why there are none.
func planJSON(e chains.Planned) jsonObject {
	m, calls := jsonObject{"type": "plan"}, []any{}
	for _, c := range e.Calls {
		calls = append(calls, jsonObject{"tool": c.Name, "args": argsJSON(c.Arguments)})
	}
	if m["calls"] = calls; e.Skipped != "" {
		m["skipped"] = e.Skipped
	}
	return m
}

// scriptFinish returns the end of a reply for scripts: one that was ended by a filter or a tool call counts as
// complete.
func scriptFinish(f chains.Finish) chains.Finish {
	switch f {
	case chains.FinishFilter, chains.FinishTools:
		return chains.FinishStop
	}
	return f
}

// usageJSON returns the usage of a request or of a turn, without numbers that were not reported.
func usageJSON(e chains.UsageReported) jsonObject {
	u, m := e.Usage, jsonObject{"type": "usage"}
	if e.Turn {
		m["type"] = "usage_turn"
	}
	for name, n := range map[string]int{
		"prompt": u.Prompt, "cached": u.Cached, "completion": u.Completion, "reasoning": u.Reasoning,
		"cache_write": u.CacheWrite,
	} {
		if n >= 0 {
			m[name] = n
		}
	}
	if u.Cost >= 0 {
		m["cost"] = u.Cost
	}
	return m
}

// maxToolText limits the characters of a call or its result in an event.
const maxToolText = 2000

// sourcesJSON returns the sources that may be cited, with their numbers.
func sourcesJSON(all []chains.Source) []any {
	out := []any{}
	for _, s := range all {
		out = append(out, jsonObject{
			"n": s.ID, "path": s.Path, "heading": s.Heading, "from": s.From, "to": s.To, "link": s.Link(),
		})
	}
	return out
}

// argsJSON returns the arguments of a call: as they are, or if they are invalid JSON or too long, the beginning
// of their text.
func argsJSON(s string) any {
	if len(s) <= maxToolText && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return md.Clip(s, maxToolText)
}

// printJSON writes one JSON object on a line, "type" first. Characters that a terminal could interpret are
// escaped.
func (o *Output) printJSON(v any) {
	o.write(o.Out, theme.JSONLine(v))
}

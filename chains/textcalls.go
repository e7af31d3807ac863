package chains

import (
	"context"
	"strings"

	"ibid/chains/calltext"
	"ibid/context/prompt"
)

// This file handles calls that are text: those of a model that takes no list of tools, and those that a model
// writes into its reply although it was given one.

// NoTools as ProviderError.Code says that the server takes no list of tools for the model.
const NoTools = "tools_refused"

// inText reports whether the model is asked to write its calls into the reply.
func (o *Options) inText() bool { return o.Tools.Calling == CallsInText }

// callGuide returns the instructions for writing calls into the reply.
func (l *toolList) callGuide() string { return calltext.Guide(toolDescriptions(l.specs)) }

// setTools sets the list of tools in a request, in the form that the model takes; nil removes it.
func (o *Options) setTools(t *prompt.Turn, list *toolList) {
	t.Settings.Tools, t.Settings.Guide, t.ToolTokens, t.ToolNames = "", "", 0, nil
	switch {
	case list == nil:
	case o.inText():
		t.Settings.Guide, t.ToolNames = list.callGuide(), list.names
	default:
		t.Settings.Tools, t.ToolTokens, t.ToolNames = list.hash, list.tokens, list.names
	}
}

// roundReader splits the text of a round into reply and calls while it streams.
type roundReader struct {
	calls *calltext.Reader // nil if no tools are offered
	said  []byte           // text so far, without calls
	left  int              // calls that were dropped
}

// newRoundReader returns the reader for a new round. It looks for calls if tools are offered.
func newRoundReader(s *Session) roundReader {
	if list := s.offeredTools(); list != nil {
		return roundReader{calls: calltext.NewReader(list.names, s.opts.inText())}
	}
	return roundReader{}
}

// text takes a piece of the reply and returns the part of it that is no call.
func (r *roundReader) text(piece string) string {
	if r.calls != nil {
		piece = r.calls.Write(piece)
	}
	r.said = append(r.said, piece...)
	return piece
}

// over reports whether the rest of the reply is to be dropped.
func (r *roundReader) over() bool { return r.calls != nil && r.calls.Over() }

// end sets Text and Calls at the end of a reply, and returns the rest of the text. Calls of a reply that broke off
// are not completed.
func (r *Round) end(broke bool) (rest string) {
	switch {
	case r.calls == nil:
		r.Text = string(r.said)
		return ""
	case broke || r.Finish == FinishLength:
		rest = r.calls.Cut()
	default:
		rest = r.calls.Close()
	}
	r.Text = string(r.said) + rest
	calls, room := r.calls.Calls(), MaxArguments
	r.left = len(calls) - MaxCalls
	for _, c := range calls[:min(len(calls), MaxCalls)] {
		if room -= len(c.Arguments); room < 0 {
			c.Arguments = "{}"
		}
		r.Calls = append(r.Calls, prompt.ToolCall{Name: c.Name, Arguments: c.Arguments, TooLong: room < 0})
	}
	return rest
}

// extend adds the round and its results to the request.
func (t *Turn) extend(ctx context.Context, r Round, results []prompt.ToolResult) {
	t.log(ctx, FinishTools)
	past := pastRound{
		reply: r.written(), native: prompt.Message{Content: r.Text, ToolCalls: r.Calls, Echo: r.echo},
		results: results,
	}
	past.follow(t)
	t.loop.past = append(t.loop.past, past)
	emitFollowUp(t)
}

// emitFollowUp announces the request of a round after the first.
func emitFollowUp(t *Turn) {
	t.emit(ContextReady{Envelope: t.env, Missing: t.p.Missing, Follows: true})
}

// replayRounds appends the rounds so far to a request that was built again. There are some only after the session
// switched to calls in text.
func replayRounds(t *Turn) {
	for i := range t.loop.past {
		t.loop.past[i].follow(t)
	}
	if len(t.loop.past) > 0 {
		emitFollowUp(t)
	}
}

// pastRound is a finished round of a turn.
type pastRound struct {
	reply     string         // with calls written as text
	native    prompt.Message // with calls as the protocol has them
	results   []prompt.ToolResult
	before    prompt.Envelope // request that it answered
	shortened bool            // its results were dropped
}

// follow appends the round to the current request.
func (p *pastRound) follow(t *Turn) {
	p.before = t.env
	if t.s.opts.inText() {
		t.env = t.env.ExtendText(p.reply, p.results)
	} else {
		t.env = t.env.Extend(p.native, p.results)
	}
}

// written returns the reply with its calls, as the guide tells the model to write them.
func (r *Round) written() string {
	parts := []string{}
	if text := strings.TrimSpace(r.Text); text != "" {
		parts = append(parts, text)
	}
	for _, c := range r.Calls {
		parts = append(parts, calltext.Call{Name: c.Name, Arguments: c.Arguments}.String())
	}
	return strings.Join(parts, "\n")
}

// learnCalling switches to calls in text if another chat found that the server refuses tools.
func (o *Options) learnCalling() {
	if b := &o.Tools; b.Calling == CallsNatively && b.Refuses != nil && b.Refuses() {
		b.Calling = CallsInText
	}
}

// switchToTextCalls handles an error that says that the server refuses tools: it switches to calls in text and builds
// the request again with a guide to them. It reports whether to send it.
func switchToTextCalls(t *Turn, failed *ProviderError) bool {
	s := t.s
	wrote := t.answer.raw.Len() > 0 && !t.answer.betweenRounds // in this round
	if failed.Code != NoTools || s.opts.inText() ||
		s.offeredTools() == nil || wrote {
		return false
	}
	s.opts.Tools.Calling = CallsInText
	if s.opts.Tools.Refused != nil {
		s.opts.Tools.Refused()
	}
	t.notice("tools", "The server takes no tools for this model: it is asked to write its calls into the reply.")
	t.p.render()
	return true
}

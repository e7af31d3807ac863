package chains

import (
	"context"
	"errors"
	"strings"

	"ibid/chains/calltext"
	"ibid/context/prompt"
)

// This file is what a turn has to do with calls that are text: those of a model that
// takes no list of tools, and those that a model writes into its reply although it
// was given one.

// NoTools in ProviderError.Code says that the server does not take a list of tools
// for the model.
const NoTools = "tools_refused"

// inText reports whether the model writes its calls into the reply.
func (o *Options) inText() bool { return o.Tools.Calling == CallsInText }

// callGuide tells a model how to write its calls into the reply.
func (l *toolList) callGuide() string { return calltext.Guide(toolDescriptions(l.specs)) }

// setTools puts the list of tools into the request that is being made, in the form
// that the model takes.
func (p *PendingTurn) setTools(list *toolList) {
	e := &p.engine
	e.Settings.Tools, e.Settings.Guide, e.ToolTokens, e.ToolNames = "", "", 0, nil
	switch {
	case list == nil:
	case p.s.opts.inText():
		e.Settings.Guide, e.ToolNames = list.callGuide(), list.names
	default:
		e.Settings.Tools, e.ToolTokens, e.ToolNames = list.hash, list.tokens, list.names
	}
}

// roundReader is a Round as it comes.
type roundReader struct {
	calls *calltext.Reader // nil if no tools are offered
	said  []byte           // what came of the text
	left  int              // calls in it that are left out
}

// reads begins a round, in which calls are looked for if tools are offered.
func (st *sessionTools) reads(o *Options) roundReader {
	if list := st.offeredTools(o); list != nil {
		return roundReader{calls: calltext.NewReader(list.names, o.inText())}
	}
	return roundReader{}
}

// text takes a piece of the reply and returns what of it is no call.
func (r *roundReader) text(piece string) string {
	if r.calls != nil {
		piece = r.calls.Write(piece)
	}
	r.said = append(r.said, piece...)
	return piece
}

// over reports whether what still comes of the reply is no part of it.
func (r *roundReader) over() bool { return r.calls != nil && r.calls.Over() }

// end takes in what the end of a reply settles: its text, the rest of which it
// returns, and the calls in it. Those of a reply that broke off are not made whole.
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

// extend makes the request of the next round.
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

// emitFollowUp announces the request of a round after the first one.
func emitFollowUp(t *Turn) {
	t.emit(ContextReady{Envelope: t.env, Missing: t.p.Missing, Follows: true})
}

// replayRounds puts the rounds so far behind a request that was made anew. There are some
// only where calls are text now.
func replayRounds(t *Turn) {
	for i := range t.loop.past {
		t.loop.past[i].follow(t)
	}
	if len(t.loop.past) > 0 {
		emitFollowUp(t)
	}
}

// pastRound is a round of a turn.
type pastRound struct {
	reply   string         // as the text of replies has it
	native  prompt.Message // as it came
	results []prompt.ToolResult
	before  prompt.Envelope // the request that it answered
	shorter int             // how often its results were made shorter
}

// follow puts the round after the request that is the newest.
func (p *pastRound) follow(t *Turn) {
	p.before = t.env
	if t.s.opts.inText() {
		t.env = t.env.ExtendText(p.reply, p.results)
	} else {
		t.env = t.env.Extend(p.native, p.results)
	}
}

// written is the reply with its calls as the guide tells to write them.
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

// learnCalling takes in what another chat has found out about the server.
func (o *Options) learnCalling() {
	if b := &o.Tools; b.Calling == CallsNatively && b.Refuses != nil && b.Refuses() {
		b.Calling = CallsInText
	}
}

// goesOnInText takes in that the server refuses tools, and makes the request anew
// with a guide to calls in text, the rounds so far written so too; it reports whether
// that is worth another try.
func goesOnInText(t *Turn, err error) bool {
	s := t.s
	var failed *ProviderError
	wrote := t.answer.raw.Len() > 0 && !t.answer.between // in this round
	if !errors.As(err, &failed) || failed.Code != NoTools || s.opts.inText() ||
		s.tools.offeredTools(&s.opts) == nil || wrote {
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

package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// reply puts one reply together from its frames.
type reply struct {
	client  *Client
	from    *wire.Reply // nil: nobody waits for the end
	model   string
	used    map[string]bool // ids of calls that the request holds
	id      string
	tally   wire.Tally
	source  string // the field that reasoning comes from
	thought strings.Builder
	details []json.RawMessage
	calls   callSet
	finish  string
	noticed bool
	failure *wire.Failure
}

// take reads one frame: what to hand out, whether it was the last, and the
// error that the reply ended with.
func (r *reply) take(f wire.Frame) (d chains.Delta, end bool, err error) {
	switch f.Kind {
	case wire.FrameChunk:
		d = r.chunk(f.Data)
	case wire.FrameNotice:
		d.Notice = r.notice(f.Data)
	case wire.FrameError:
		r.fail(f.Data)
	case wire.FrameAlien:
		r.tally.KeepAlien(f.Data)
	default:
		d, err = r.end(f)
		return d, true, err
	}
	if r.failure != nil {
		d.Usage = r.tally.Usage
		return d, true, r.failed()
	}
	return d, false, nil
}

// fail notes what the server said went wrong.
func (r *reply) fail(said []byte) {
	f := wire.ReadFailure(0, nil, said)
	r.failure = &f
}

// notice words a comment, once: servers send the same one every few seconds.
func (r *reply) notice(comment []byte) string {
	if r.noticed || r.tally.Shown {
		return ""
	}
	r.noticed = true
	return fmt.Sprintf("%s is queueing the request (%s).", r.client.Name(), r.client.server.Line(string(comment)))
}

// chunk reads one JSON frame.
func (r *reply) chunk(raw []byte) chains.Delta {
	var c chunk
	if !decode(raw, &c) {
		if f := wire.ReadFailure(0, nil, raw); bytes.HasPrefix(raw, []byte("[")) && f.Message != "" {
			r.failure = &f
		} else {
			r.tally.KeepAlien(raw)
		}
		return chains.Delta{}
	}
	if r.id == "" {
		r.id = string(c.ID)
	}
	if u := readUsage(&c, r.client.quirks.outsideSum); u != nil {
		r.tally.Usage = u
	}
	var d chains.Delta
	for i := range c.Choices {
		if ch := &c.Choices[i]; ch.Index.count() <= 0 {
			r.choice(ch, &d)
		}
	}
	switch {
	case meaningful(c.Error):
		r.fail(raw)
	case c.Choices == nil && c.Usage == nil && !r.tally.Shown:
		// A server that has nothing to do with chat completions, or one that
		// says what is wrong without calling it an error.
		r.tally.KeepAlien(raw)
	}
	r.tally.Add(d)
	return d
}

// meaningful says that raw reports an error: some servers always send the
// field.
func meaningful(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// choice reads the one choice that was asked for.
func (r *reply) choice(ch *choice, d *chains.Delta) {
	m := ch.Delta
	if m == nil && !r.tally.Said && len(r.calls.calls) == 0 {
		m = ch.Message // the server did not stream
	}
	if m != nil {
		r.message(m, d)
	}
	if ch.FinishReason != "" {
		r.finish = strings.ToLower(string(ch.FinishReason))
		if r.from != nil {
			r.from.Finishing()
		}
	}
	if meaningful(ch.Error) {
		r.fail(ch.Error)
	}
}

// message reads a piece of the assistant's message.
func (r *reply) message(m *delta, d *chains.Delta) {
	said, thought := splitContent(m.Content)
	d.Text += said + string(m.Refusal)
	// Servers send the same words under two names; the first that a reply uses is
	// the one that counts.
	for _, s := range [][2]string{
		{"reasoning_content", text(m.ReasoningContent)},
		{"reasoning", text(m.Reasoning)},
		{"reasoning_details", r.keepDetails(m.ReasoningDetails)},
		{"content", thought},
	} {
		if s[1] != "" && (r.source == "" || r.source == s[0]) {
			r.source = s[0]
			d.Reasoning += s[1]
			r.thought.WriteString(s[1])
		}
	}
	for _, e := range elements(m.ToolCalls) {
		var c callDelta
		if decode(e, &c) {
			r.calls.add(c)
		}
	}
	if f := m.FunctionCall; f != nil {
		r.calls.add(callDelta{Index: number{set: true}, Function: f})
	}
}

// keepDetails keeps reasoning_details for the way back and gives their words.
func (r *reply) keepDetails(raw json.RawMessage) string {
	if !present(raw) {
		return ""
	}
	if r.client.quirks.details {
		for _, e := range elements(raw) {
			r.details = append(r.details, bytes.Clone(e))
		}
	}
	return detailsText(raw)
}

// end decides how the reply ended.
func (r *reply) end(last wire.Frame) (chains.Delta, error) {
	d := chains.Delta{Usage: r.tally.Usage}
	calls := r.calls.complete(r.id, r.used)
	some := r.tally.Said || len(calls) > 0
	switch {
	case r.finish == "error":
		r.failure = &wire.Failure{Message: "the model failed"}
		return d, r.failed()
	case r.finish == "" && (last.Kind != wire.EndDone || !some):
		return d, r.client.server.Unfinished(&r.tally, last)
	case !some:
		return d, r.client.server.Silent(&r.tally, finishOf(r.finish, false), r.finish)
	}
	d.Finish = finishOf(r.finish, len(calls) > 0)
	if d.Finish == chains.FinishLength { // the last call may be half a call
		calls = slices.DeleteFunc(calls, func(c prompt.ToolCall) bool { return !json.Valid([]byte(c.Arguments)) })
	}
	d.ToolCalls = calls
	r.tally.Add(d)
	if len(calls) > 0 {
		d.Echo = r.echo()
	}
	return d, nil
}

// finishOf translates the many words for the few ways to end.
func finishOf(word string, called bool) chains.Finish {
	switch word {
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return chains.FinishLength
	case "content_filter", "safety", "refusal", "recitation", "blocklist", "prohibited_content", "sensitive":
		return chains.FinishFilter
	}
	if called {
		return chains.FinishTools
	}
	return chains.FinishStop
}

// failed is the error for an error that the server sent in the reply.
func (r *reply) failed() error {
	if r.tally.Shown {
		return r.client.server.Stopped(*r.failure, r.model)
	}
	return r.client.server.Refused(*r.failure, r.model)
}

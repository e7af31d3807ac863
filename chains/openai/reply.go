package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
)

// reply decodes one reply from its frames.
type reply struct {
	client  *Client
	source  string // field that the reasoning comes from
	thought strings.Builder
	details []json.RawMessage
	calls   callSet
	finish  string
	last    alike
}

// alike is a chunk of a reply of which the content is all that matters, cut where that stands. Most chunks are like
// the one before but for their content: they need not be decoded.
type alike struct{ before, after []byte }

// content returns the content of a chunk that is like a, and whether it is.
func (a *alike) content(raw []byte) ([]byte, bool) {
	content, begins := bytes.CutPrefix(raw, a.before)
	content, ends := bytes.CutSuffix(content, a.after)
	return content, len(a.before) > 0 && begins && ends && bytes.HasPrefix(content, []byte(`"`)) && json.Valid(content)
}

// learn keeps a chunk that said nothing but this content.
func (a *alike) learn(raw, content []byte) {
	*a = alike{}
	if before, after, found := bytes.Cut(raw, content); found && !bytes.Contains(after, content) {
		a.before, a.after = bytes.Clone(before), bytes.Clone(after)
	}
}

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.IncomingReply, raw []byte) chains.Delta {
	if content, ok := r.last.content(raw); ok {
		return chains.Delta{Text: text(content)}
	}
	var c chunk
	if !wire.Decode(raw, &c) {
		if !bytes.HasPrefix(raw, []byte("[")) || !in.FailIfTold(raw) {
			in.KeepAlien(raw)
		}
		return chains.Delta{}
	}
	usage := readUsage(&c, r.client.Provider.OutsideSum)
	if usage != nil {
		in.Usage = usage
	}
	var d chains.Delta
	var ch choice
	for raw := range wire.Elements(c.Choices) {
		if ch = (choice{}); wire.Decode(raw, &ch) && ch.Index.Count() <= 0 {
			r.choice(in, &ch, &d)
		}
	}
	switch {
	case c.failed():
		in.Fail(raw)
	case usage == nil && ch.saysNothingBut(&d):
		r.last.learn(raw, ch.Delta.Content)
	case !wire.IsPresent(c.Choices) && c.Usage == nil && !in.Shown:
		// The server has nothing to do with chat completions, or reports an error without calling it one.
		in.KeepAlien(raw)
	}
	return d
}

// saysNothingBut reports whether the content, which became d, is all that a choice says.
func (ch *choice) saysNothingBut(d *chains.Delta) bool {
	m := ch.Delta
	return m != nil && d.Text != "" && d.Text == text(m.Content) && d.Reasoning == "" &&
		ch.Index.Count() <= 0 && ch.FinishReason == "" && !reportsError(ch.Error) &&
		!wire.IsPresent(m.ToolCalls) && !wire.IsPresent(m.ReasoningDetails)
}

// reportsError reports whether raw contains an error: some servers always send the field.
func reportsError(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// choice decodes the one choice that was requested.
func (r *reply) choice(in *wire.IncomingReply, ch *choice, d *chains.Delta) {
	m := ch.Delta
	if m == nil && !in.Said && len(r.calls.calls) == 0 {
		m = ch.Message // the server did not stream
	}
	if m != nil {
		r.message(in, m, d)
	}
	if ch.FinishReason != "" {
		r.finish = strings.ToLower(string(ch.FinishReason))
		in.Finishing()
	}
	if reportsError(ch.Error) {
		in.Fail(ch.Error)
	}
}

// message decodes a piece of the assistant's message.
func (r *reply) message(in *wire.IncomingReply, m *delta, d *chains.Delta) {
	said, thought := splitContent(m.Content)
	d.Text += said + string(m.Refusal)
	// Servers send the same text in two fields; only the first field that a reply uses counts.
	for _, s := range [][2]string{
		{"reasoning_content", text(m.ReasoningContent)},
		{"reasoning", text(m.Reasoning)},
		{"reasoning_details", r.keepDetails(in, m.ReasoningDetails)},
		{"content", thought},
	} {
		if s[1] != "" && (r.source == "" || r.source == s[0]) {
			r.source = s[0]
			d.Reasoning += s[1]
			r.thought.WriteString(s[1])
		}
	}
	for e := range wire.Elements(m.ToolCalls) {
		var c callDelta
		if wire.Decode(e, &c) {
			r.calls.add(in, c)
		}
	}
}

// keepDetails stores reasoning_details, which go back to the server, and returns their text.
func (r *reply) keepDetails(in *wire.IncomingReply, raw json.RawMessage) string {
	if !wire.IsPresent(raw) {
		return ""
	}
	in.Thinking += len(raw)
	for e := range wire.Elements(raw) {
		r.details = append(r.details, bytes.Clone(e))
	}
	return detailsText(raw)
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	calls := r.calls.complete()
	if r.finish == "error" && last.Kind != wire.EndFull {
		return chains.Delta{Usage: in.Usage}, in.Failed("the model failed")
	}
	ended := r.finish != "" || last.Kind == wire.EndDone && (in.Said || len(calls) > 0)
	return in.Over(last, ended, r.finish, calls, r.echo)
}
